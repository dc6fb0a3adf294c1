import * as z from 'zod/mini';
import { VIAS } from '../../link/via.js';
import {
  CHANGE_KINDS,
  HOST_USES,
  PATTERN_KINDS,
  PROBE_NAMES,
  STAGE_NAMES,
  VERDICTS,
  VERIFICATION_SCHEMA,
} from './verification-names.js';

export * from './verification-names.js';

// Objects are not strict: a report of a later program has fields that this one does not know.

/** A word of a list that grows within the version. */
function growing(known: readonly [string, ...string[]]) {
  return z.union([z.enum(known), z.string()]);
}

/** Flat facts; never a secret. */
const evidence = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Evidence = z.infer<typeof evidence>;

/** ISO 8601. */
export const instant = z
  .string()
  .check(
    z.refine(
      (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
      'must be a time such as 2026-05-04T10:00:00.000Z',
    ),
  );

const finding = z.object({
  stage: z.enum(STAGE_NAMES),
  /** `skipped` where nothing was seen: the evidence says why. */
  status: z.enum(['passed', 'warned', 'failed', 'skipped']),
  /** Milliseconds from the start of the pass through the stages; absent where nothing was seen. */
  startMs: z.optional(z.number()),
  elapsedMs: z.number(),
  /** The resolved address that the finding is about, in stages that look at each address. */
  address: z.optional(z.string()),
  /** Only where warned or failed; `secure-connectivity explain CODE` says more. */
  code: z.optional(z.string()),
  cause: z.optional(z.string()),
  remedy: z.optional(z.string()),
  evidence,
  /** The service's ID of the request, to be quoted to its support. */
  logId: z.optional(z.string()),
});

/** What was tried with one thing changed, to distinguish causes. */
const probe = z.object({
  name: growing(PROBE_NAMES),
  /** What was changed: a DNS server, an address, a server name, a size, … */
  changed: z.string(),
  /** Whether it worked with the change. */
  ok: z.boolean(),
  /** How it failed. */
  code: z.optional(z.string()),
  elapsedMs: z.number(),
  evidence,
});

const cause = z.object({
  code: z.string(),
  /** Starts with `Consistent with` where the evidence does not decide. */
  text: z.string(),
  evidence: z.string(),
  certainty: z.optional(z.enum(['shown', 'consistent'])),
  remedy: z.optional(z.string()),
  /** What to look at, mostly on the cloud's side, to decide. */
  look: z.optional(z.string()),
});

const change = z.object({
  what: growing(CHANGE_KINDS),
  /** The name of the link, where the change belongs to the run: of a link that is `gone`. */
  link: z.optional(z.string()),
  address: z.optional(z.string()),
  before: z.string(),
  after: z.string(),
});

/** What the check reached out to. */
const touchedHost = z.object({
  use: growing(HOST_USES),
  host: z.string(),
  port: z.optional(z.number()),
  /** `ADDRESS:PORT` that was dialled, or that a proxy was asked for. */
  address: z.optional(z.string()),
});

export const linkResultSchema = z.object({
  /** With `@PLACE` behind it where links are checked from several places. */
  name: z.string(),
  /** From where it was checked; absent where that is the machine that was asked. */
  place: z.optional(z.string()),
  via: z.enum(VIAS),
  baseUrl: z.string(),
  verdict: z.enum(VERDICTS),
  elapsedMs: z.number(),
  /** Full passes through the stages; the stages are those of the last one. */
  attempts: z.number(),
  /** SHA-256 of the access that was deployed with the link; empty where unknown. */
  accessDigest: z.string(),
  /** The digest was computed from what Terraform opens; else it is what outputs state. */
  isDigestComputed: z.optional(z.literal(true)),
  /** What a reader must know whatever the verdict. */
  notes: z.array(z.string()),
  /** Dials that went elsewhere than to the resolved address. */
  reroutes: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Why it failed, the likeliest first. */
  causes: z.array(cause),
  ruledOut: z.array(z.object({ text: z.string(), evidence: z.string() })),
  stages: z.array(finding),
  probes: z.optional(z.array(probe)),
  /** Against the baseline; absent without one. */
  changes: z.optional(z.array(change)),
  /** Passes in a row at the end, where more than one was wanted. */
  passes: z.optional(z.number()),
  /** Every host that the check of the link has asked or dialled. */
  hosts: z.optional(z.array(touchedHost)),
});

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
  /** Only where the deploy left it in another state than `Connected`. */
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
  /** `skipped` where nothing can be seen from here. */
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
 * is changed or taken away.
 */
export const verificationSchema = z.object({
  schema: z.literal(VERIFICATION_SCHEMA),
  /** As whoever asked for the check calls it. */
  title: z.optional(z.string()),
  verdict: z.enum(VERDICTS),
  /** By this machine's clock. */
  startedAt: instant,
  elapsedMs: z.number(),
  /** SHA-256 of the access; empty where unknown or where the links have different ones. */
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
  /** Absent where everything was checked from the machine that was asked. */
  places: z.optional(z.array(place)),
  /** Only where links were checked from several places and some failed. */
  patterns: z.optional(z.array(pattern)),
  /** Absent where the stack has none. */
  connections: z.optional(z.array(connectionResultSchema)),
  /** Servers of private plugins; absent where the stack has none. */
  backends: z.optional(z.array(backendResultSchema)),
  /** Against the baseline, beside the changes of each link; absent where there are none. */
  changes: z.optional(z.array(change)),
});

export type RunEnvironment = z.infer<typeof environment>;
export type TouchedHost = z.infer<typeof touchedHost>;
export type Finding = z.infer<typeof finding>;
export type LinkResult = z.infer<typeof linkResultSchema>;
export type Verification = z.infer<typeof verificationSchema>;
export type ProbeResult = z.infer<typeof probe>;
export type Cause = z.infer<typeof cause>;
export type ConnectionResult = z.infer<typeof connectionResultSchema>;
export type BackendResult = z.infer<typeof backendResultSchema>;
export type Change = z.infer<typeof change>;
export type PlaceResult = z.infer<typeof place>;
export type Pattern = z.infer<typeof pattern>;
