export { ACCESS_SCHEMA, type AccessModel, accessDigest, accessModel } from './access-model.js';
export type { AccessException, AccessRule, AccessVia, Peer, Ports } from './access-rule.js';
export { canonicalRules } from './canonical.js';
export { exceptionProblems, isExpired } from './exception.js';
