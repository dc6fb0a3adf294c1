import * as z from 'zod/mini';
import {
  backendResultSchema,
  closedResultSchema,
  connectionResultSchema,
  growing,
  instant,
  linkResultSchema,
} from './results.js';
import { PATTERN_KINDS, STAGE_NAMES, VERDICTS, VERIFICATION_SCHEMA } from './verification-names.js';

export type * from './results.js';
export * from './verification-names.js';

const variables = z.array(z.object({ name: z.string(), value: z.string() }));

/** The environment of the check; no secret. */
const environment = z.object({
  tool: z.string(),
  node: z.string(),
  openssl: z.string(),
  platform: z.string(),
  /** The addresses by which the private network knows this machine, where they were given. */
  ownAddresses: z.optional(z.array(z.string())),
  /** The DNS server that was given, else those that the system is configured with. */
  resolvers: z.array(z.string()),
  /** The variables in which clients look for a proxy, without credentials; NO_PROXY too. */
  proxies: variables,
  /** Files of authorities to trust, by path. */
  trust: variables,
});

/** A place from which links were checked by the command of `--run-via`. */
const vantagePoint = z.object({
  name: z.string(),
  /** The command that leads there. */
  command: z.string(),
  /** It must not reach what another vantage point reaches. */
  expect: z.optional(z.literal('closed')),
  /** The environment of the vantage point itself; absent where no check could run there. */
  environment: z.optional(environment),
});

/** A pattern that failures from several vantage points share. */
const pattern = z.object({
  kind: growing(PATTERN_KINDS),
  text: z.string(),
  vantagePoints: z.array(z.string()),
  /** By their names without the vantage point. */
  links: z.array(z.string()),
});

/**
 * The JSON report. Fields, and names of probes are added within a version; nothing
 * is changed or removed.
 */
export const verificationSchema = z.object({
  schema: z.literal(VERIFICATION_SCHEMA),
  /** The title that the request gave. */
  title: z.optional(z.string()),
  verdict: z.enum(VERDICTS),
  /** By this machine's clock. */
  startedAt: instant,
  elapsedMs: z.number(),
  /** SHA-256 of what Terraform opens; empty if unknown or if the links have different ones. */
  accessDigest: z.string(),
  /** Server's clock minus this machine's, as far as proven; absent where no server clock was seen. */
  skewMs: z.optional(z.number()),
  /** The source of each setting of the run; secrets without their value. */
  settings: z.array(
    z.object({ name: z.string(), source: z.string(), value: z.optional(z.string()) }),
  ),
  links: z.array(linkResultSchema),
  environment: z.optional(environment),
  /** Absent if everything was checked from this machine. */
  vantagePoints: z.optional(z.array(vantagePoint)),
  /** Only if links were checked from several vantage points and some failed. */
  patterns: z.optional(z.array(pattern)),
  /** Absent where the stack has none. */
  connections: z.optional(z.array(connectionResultSchema)),
  /** Servers of private plugins; absent where the stack has none. */
  backends: z.optional(z.array(backendResultSchema)),
  /** One for each link and vantage point that must not reach it; absent where there is none. */
  expectedClosed: z.optional(z.array(closedResultSchema)),
});

export type RunEnvironment = z.infer<typeof environment>;
export type Verification = z.infer<typeof verificationSchema>;
export type Pattern = z.infer<typeof pattern>;

const link = z.string();
const count = z.int().check(z.nonnegative());

/** A progress event of a running check; a vantage point sends each in a line. */
export const progressSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stage'), link, stage: z.enum(STAGE_NAMES) }),
  z.object({
    kind: z.literal('retry'),
    link,
    attempt: count,
    code: z.string(),
    nextInMs: z.number().check(z.nonnegative()),
  }),
  /** Passes in a row so far, and how many are wanted. */
  z.object({ kind: z.literal('pass'), link, attempt: count, passes: count, wanted: count }),
  /** It failed, and probes look for the cause. */
  z.object({ kind: z.literal('probes'), link }),
  z.object({ kind: z.literal('link'), link, verdict: z.string() }),
]);

export type Progress = Readonly<z.infer<typeof progressSchema>>;
