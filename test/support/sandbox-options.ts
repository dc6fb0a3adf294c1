export { sandboxOptions } from '../../src/rehearse/sandbox-options.js';
