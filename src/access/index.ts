/**
 * Who may talk to whom: the one statement from which Terraform, rendered firewalls, the diagram and the
 * digest are made. The digest depends on the canonical order in `access-model.ts`: a change there
 * changes the digest of every deployed stack. `access-file.ts` is the one schema of `access.json`,
 * strict where rules are made from it and tolerant where a review reads it; it needs zod, so it is
 * imported by its own name.
 */
export {
  ACCESS_SCHEMA,
  type AccessModel,
  accessDigest,
  accessModel,
  canonicalRules,
  type EndpointAddresses,
} from './access-model.js';
export type { AccessException, AccessRule, AccessVia, Peer, Ports } from './access-rule.js';
export { exceptionProblems, isExpired } from './access-rule.js';
