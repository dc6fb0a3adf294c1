import * as z from 'zod/mini';
import { VIAS } from '../../link/via.js';
import {
  BACKEND_RECORD_SCHEMA,
  CLOSED_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  HOST_USES,
  LINK_RECORD_SCHEMA,
  PROBE_NAMES,
  STAGE_NAMES,
  VERDICTS,
} from './verification-names.js';

// Objects are not strict: a report of a later program has fields that this one does not know.

/** A word of a list that grows within the version. */
export function growing(known: readonly [string, ...string[]]) {
  return z.union([z.enum(known), z.string()]);
}

/** ISO 8601. */
export const instant = z
  .string()
  .check(
    z.refine(
      (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
      'must be a time such as 2026-05-04T10:00:00.000Z',
    ),
  );

/** Flat facts; never a secret. */
const evidence = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Evidence = z.infer<typeof evidence>;

const finding = z.object({
  stage: z.enum(STAGE_NAMES),
  /** `skipped` if nothing was seen; the evidence says why. */
  status: z.enum(['passed', 'warned', 'failed', 'skipped']),
  /** Milliseconds from the start of the pass through the stages; absent where nothing was seen. */
  startMs: z.optional(z.number()),
  elapsedMs: z.number(),
  /** The resolved address that the finding is about, in stages that check each address. */
  address: z.optional(z.string()),
  /** Only where warned or failed; `secure-connectivity explain CODE` says more. */
  code: z.optional(z.string()),
  cause: z.optional(z.string()),
  remedy: z.optional(z.string()),
  evidence,
  /** The service's ID of the request, to quote to its support. */
  logId: z.optional(z.string()),
});

/** A test with one thing changed, to distinguish causes. */
const probe = z.object({
  name: growing(PROBE_NAMES),
  /** The changed thing: a DNS server, an address, a server name, a size, … */
  changed: z.string(),
  /** True if it worked with the change. */
  ok: z.boolean(),
  code: z.optional(z.string()),
  elapsedMs: z.number(),
  evidence,
});

const cause = z.object({
  code: z.string(),
  /** Starts with `Consistent with` if the evidence does not prove it. */
  text: z.string(),
  evidence: z.string(),
  certainty: z.optional(z.enum(['shown', 'consistent'])),
  remedy: z.optional(z.string()),
  /** The things to inspect, mostly on the cloud's side, if the check alone cannot tell. */
  inspect: z.optional(z.string()),
});

/** A host that the check reached out to. */
const touchedHost = z.object({
  use: growing(HOST_USES),
  host: z.string(),
  port: z.optional(z.number()),
  /** `ADDRESS:PORT` that was dialled, or that a proxy was asked for. */
  address: z.optional(z.string()),
});

export const linkResultSchema = z.object({
  /** Followed by `@VANTAGE_POINT` if links are checked from several vantage points. */
  name: z.string(),
  /** The vantage point of the check; absent if it is this machine. */
  vantagePoint: z.optional(z.string()),
  via: z.enum(VIAS),
  baseUrl: z.string(),
  verdict: z.enum(VERDICTS),
  elapsedMs: z.number(),
  /** Full passes through the stages; the stages are those of the last one. */
  attempts: z.number(),
  /** SHA-256 of what Terraform opens in the link's stack; empty where the tree that was deployed is not at hand. */
  accessDigest: z.string(),
  /** Notes that a reader must know, whatever the verdict. */
  notes: z.array(z.string()),
  /** Connections that `--connect-to` made elsewhere. */
  connectTo: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Causes of the failure, the likeliest first. */
  causes: z.array(cause),
  ruledOut: z.array(z.object({ text: z.string(), evidence: z.string() })),
  stages: z.array(finding),
  probes: z.optional(z.array(probe)),
  /** Passes in a row at the end, if more than one was required. */
  passes: z.optional(z.number()),
  /** Every host that the check of the link has queried or dialled. */
  hosts: z.optional(z.array(touchedHost)),
});

export type TouchedHost = z.infer<typeof touchedHost>;
export type Finding = z.infer<typeof finding>;
export type LinkResult = z.infer<typeof linkResultSchema>;
export type ProbeResult = z.infer<typeof probe>;
export type Cause = z.infer<typeof cause>;

/** A connection of the service to a private plugin. No check from here can see it: it is reported as the deploy left it, never as passed. */
export const connectionResultSchema = z.object({
  name: z.string(),
  serviceId: z.string(),
  endpointId: z.string(),
  ownerAccountId: z.string(),
  /** The cloud's word for its state. */
  status: z.string(),
  /** The time at which the state was seen. */
  asOf: z.literal('deploy'),
  /** Only if the deploy left it in a state other than `Connected`. */
  code: z.optional(z.string()),
});

/** A server behind the load balancer of a private plugin, as it was seen from where the check ran. */
export const backendResultSchema = z.object({
  name: z.string(),
  /** The vantage point, as in a link. */
  vantagePoint: z.optional(z.string()),
  serviceId: z.string(),
  /** `ADDRESS:PORT`; absent where the stack does not know the servers. */
  server: z.optional(z.string()),
  /** `skipped` if nothing can be seen from here. */
  status: z.enum(['passed', 'failed', 'skipped']),
  code: z.optional(z.string()),
  /** The observation, or the reason why there is none. */
  seen: z.string(),
  /** `ADDRESS:PORT` to which `--connect-to` led, in place of the server. */
  connectedTo: z.optional(z.string()),
  elapsedMs: z.number(),
});

/** The doors of a link, as tried from a vantage point that must not reach them. */
export const closedResultSchema = z.object({
  link: z.string(),
  vantagePoint: z.string(),
  /** `ADDRESS:PORT`, several with commas; absent where no other vantage point has reached one. */
  door: z.optional(z.string()),
  result: growing(['closed', 'OPEN', 'not shown']),
  /** Only where it is open, or no check could run at the vantage point. */
  code: z.optional(z.string()),
  /** The outcome at the vantage point, or the reason why nothing is shown. */
  seen: z.string(),
  /** The other vantage points that have reached the door, and the times before and after. */
  reached: z.optional(z.string()),
  /** The end of the dials from there, by the clock of the machine that asked for them. */
  at: instant,
});

export type ClosedResult = z.infer<typeof closedResultSchema>;
export type ConnectionResult = z.infer<typeof connectionResultSchema>;
export type BackendResult = z.infer<typeof backendResultSchema>;

function recordOf<Schema extends string, Shape extends z.core.$ZodShape>(
  schema: Schema,
  { shape }: z.ZodMiniObject<Shape>,
) {
  return z.object({
    schema: z.literal(schema),
    /** The start of the check, by the clock of the machine that checked. */
    startedAt: instant,
    ...shape,
  });
}

/** The result of one link as a separate line; the lines of several runs can be concatenated. */
export const linkRecordSchema = recordOf(LINK_RECORD_SCHEMA, linkResultSchema);
/** A connection as the deploy left it, as a separate line beside those of links. */
export const connectionRecordSchema = recordOf(CONNECTION_RECORD_SCHEMA, connectionResultSchema);
/** The result for a private plugin's server, as a separate line beside those of links. */
export const backendRecordSchema = recordOf(BACKEND_RECORD_SCHEMA, backendResultSchema);
/** The result of a vantage point that must not reach a link, as a separate line too: a run may fail by it alone. */
export const closedRecordSchema = recordOf(CLOSED_RECORD_SCHEMA, closedResultSchema);

export type LinkRecord = z.infer<typeof linkRecordSchema>;
export type ConnectionRecord = z.infer<typeof connectionRecordSchema>;
export type BackendRecord = z.infer<typeof backendRecordSchema>;
export type ClosedRecord = z.infer<typeof closedRecordSchema>;
