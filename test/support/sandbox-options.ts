export { sandboxOptions } from '../../src/rehearse/check.js';
