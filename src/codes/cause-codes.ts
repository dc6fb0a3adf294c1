import type { CodeFacts } from './code-facts.js';
import { ENDPOINT_CAUSE_CODES } from './endpoint-cause-codes.js';
import { NAME_CAUSE_CODES } from './name-cause-codes.js';
import { SERVICE_CAUSE_CODES } from './service-cause-codes.js';
import { WAY_CAUSE_CODES } from './way-cause-codes.js';

/** Causes that the diagnosis names; what a stage itself reports has a code of its own. */
export const CAUSE_CODES = {
  ...NAME_CAUSE_CODES,
  ...ENDPOINT_CAUSE_CODES,
  ...WAY_CAUSE_CODES,
  ...SERVICE_CAUSE_CODES,
} as const satisfies Record<string, CodeFacts>;
