import * as z from 'zod/mini';
import { changeSchema, growing, linkResultSchema } from './link-result.js';
import { PATTERN_KINDS, VERDICTS, VERIFICATION_SCHEMA } from './verification-names.js';

export type {
  Cause,
  Change,
  Evidence,
  Finding,
  LinkResult,
  ProbeResult,
  TouchedHost,
} from './link-result.js';
export { linkResultSchema } from './link-result.js';
export * from './verification-names.js';

/** ISO 8601. */
export const instant = z
  .string()
  .check(
    z.refine(
      (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
      'must be a time such as 2026-05-04T10:00:00.000Z',
    ),
  );

/** A connection of the service to a private plugin. No check from here can see it: it is reported as the deploy left it, never as passed. */
export const connectionResultSchema = z.object({
  name: z.string(),
  serviceId: z.string(),
  endpointId: z.string(),
  ownerAccountId: z.string(),
  /** The cloud's word for its state. */
  status: z.string(),
  /** When the state was seen. */
  asOf: z.literal('deploy'),
  /** Only if the deploy left it in a state other than `Connected`. */
  code: z.optional(z.string()),
});

/** A server behind the load balancer of a private plugin, as it was seen from where the check ran. */
export const backendResultSchema = z.object({
  name: z.string(),
  /** As of a link. */
  place: z.optional(z.string()),
  serviceId: z.string(),
  /** `ADDRESS:PORT`; absent where the stack does not know the servers. */
  server: z.optional(z.string()),
  /** `skipped` if nothing can be seen from here. */
  status: z.enum(['passed', 'failed', 'skipped']),
  /** Only where failed. */
  code: z.optional(z.string()),
  /** What was seen, or why nothing was. */
  seen: z.string(),
  /** `ADDRESS:PORT` that was dialled in place of the server. */
  rerouted: z.optional(z.string()),
  elapsedMs: z.number(),
});

const variables = z.array(z.object({ name: z.string(), value: z.string() }));

/** Where the check ran; no secret. */
const environment = z.object({
  tool: z.string(),
  node: z.string(),
  openssl: z.string(),
  platform: z.string(),
  /** The DNS server that was given, else those that the system is configured with. */
  resolvers: z.array(z.string()),
  /** The variables in which clients look for a proxy, without credentials; NO_PROXY too. */
  proxies: variables,
  /** Files of authorities to trust, by path. */
  trust: variables,
});

/** From where links were checked by the command of `--run-via`. */
const place = z.object({
  name: z.string(),
  /** What leads there. */
  command: z.string(),
  /** Of the place itself; absent where no check could run there. */
  environment: z.optional(environment),
});

/** What failures from several places have in common. */
const pattern = z.object({
  kind: growing(PATTERN_KINDS),
  text: z.string(),
  places: z.array(z.string()),
  /** By their names without the place. */
  links: z.array(z.string()),
});

/**
 * The JSON report. Fields, names of probes and kinds of changes are added within a version; nothing
 * is changed or removed.
 */
export const verificationSchema = z.object({
  schema: z.literal(VERIFICATION_SCHEMA),
  /** The title given by whoever requested the check. */
  title: z.optional(z.string()),
  verdict: z.enum(VERDICTS),
  /** By this machine's clock. */
  startedAt: instant,
  elapsedMs: z.number(),
  /** SHA-256 of the access; empty if unknown or if the links have different ones. */
  accessDigest: z.string(),
  /** The digests of all links were computed from what Terraform opens. */
  isDigestComputed: z.optional(z.literal(true)),
  /** Server's clock minus this machine's, as far as proven; absent where no server clock was seen. */
  skewMs: z.optional(z.number()),
  /** Where each setting of the run came from; secrets without their value. */
  settings: z.array(
    z.object({ name: z.string(), source: z.string(), value: z.optional(z.string()) }),
  ),
  links: z.array(linkResultSchema),
  environment: z.optional(environment),
  /** Absent if everything was checked from this machine. */
  places: z.optional(z.array(place)),
  /** Only if links were checked from several vantage points and some failed. */
  patterns: z.optional(z.array(pattern)),
  /** Absent where the stack has none. */
  connections: z.optional(z.array(connectionResultSchema)),
  /** Servers of private plugins; absent where the stack has none. */
  backends: z.optional(z.array(backendResultSchema)),
  /** Against the baseline, in addition to the changes of each link; absent if there are none. */
  changes: z.optional(z.array(changeSchema)),
});

export type RunEnvironment = z.infer<typeof environment>;
export type Verification = z.infer<typeof verificationSchema>;
export type ConnectionResult = z.infer<typeof connectionResultSchema>;
export type BackendResult = z.infer<typeof backendResultSchema>;
export type Pattern = z.infer<typeof pattern>;
