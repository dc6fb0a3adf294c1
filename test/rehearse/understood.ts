import type { Understood } from '../../src/sandbox/terraform/understand.js';

/** Of a stack that no Terraform runs on. */
export const NOTHING_UNDERSTOOD: Understood = { blocks: [], assets: new Map() };
