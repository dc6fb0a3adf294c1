import { createHash } from 'node:crypto';
import type { AccessRule } from './access-rule.js';
import { canonicalRules } from './canonical.js';

export const ACCESS_SCHEMA = 'secure-connectivity/access@1';

/** What is written beside a stack's Terraform JSON as `access.json`. */
export interface AccessModel {
  readonly schema: typeof ACCESS_SCHEMA;
  readonly stack: string;
  /** See {@link accessDigest}. */
  readonly digest: string;
  readonly rules: readonly AccessRule[];
}

export function accessModel(stack: string, rules: readonly AccessRule[]): AccessModel {
  return {
    schema: ACCESS_SCHEMA,
    stack,
    digest: accessDigest(rules),
    rules: canonicalRules(rules),
  };
}

/** SHA-256, hexadecimal, of the rules in canonical order: the same before a deploy and after it. */
export function accessDigest(rules: readonly AccessRule[]): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalRules(rules)))
    .digest('hex');
}
