import * as z from 'zod/mini';
import { VIAS } from '../link/link.js';

export const VERIFICATION_SCHEMA = 'secure-connectivity/verification@1';

/** The stages of the check of one link, in order. */
export const STAGE_NAMES = [
  'preflight',
  'dns',
  'address',
  'tcp',
  'tls',
  'http',
  'token',
  'workspaces',
] as const;
export type StageName = (typeof STAGE_NAMES)[number];

/** `reachable` means that everything that was asked for was seen to work. */
export const VERDICTS = ['reachable', 'not-authorized', 'unreachable', 'incomplete'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Flat facts; never a secret. */
const evidence = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Evidence = z.infer<typeof evidence>;

const finding = z.strictObject({
  stage: z.enum(STAGE_NAMES),
  /** `skipped` where nothing was seen: the evidence says why. */
  status: z.enum(['passed', 'warned', 'failed', 'skipped']),
  elapsedMs: z.number(),
  /** The resolved address that the finding is about, in stages that look at each address. */
  address: z.optional(z.string()),
  /** Only where warned or failed; `secure-connectivity explain CODE` tells more. */
  code: z.optional(z.string()),
  cause: z.optional(z.string()),
  remedy: z.optional(z.string()),
  evidence,
  /** The service's ID of the request, to be quoted to its support. */
  logId: z.optional(z.string()),
});

const linkResult = z.strictObject({
  name: z.string(),
  via: z.enum(VIAS),
  baseUrl: z.string(),
  verdict: z.enum(VERDICTS),
  elapsedMs: z.number(),
  /** Full passes through the stages; the stages are those of the last one. */
  attempts: z.number(),
  /** SHA-256 of the access rules that were deployed with the link; empty where unknown. */
  accessDigest: z.string(),
  /** What a reader must know whatever the verdict. */
  notes: z.array(z.string()),
  /** Dials that went elsewhere than to the resolved address. */
  reroutes: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  causes: z.array(z.strictObject({ code: z.string(), text: z.string(), evidence: z.string() })),
  ruledOut: z.array(z.strictObject({ text: z.string(), evidence: z.string() })),
  stages: z.array(finding),
});

/** The JSON report. Fields are added within a version, never changed or taken away. */
export const verificationSchema = z.strictObject({
  schema: z.literal(VERIFICATION_SCHEMA),
  verdict: z.enum(VERDICTS),
  /** ISO 8601, by this machine's clock. */
  startedAt: z.string(),
  elapsedMs: z.number(),
  /** SHA-256 of the access rules; empty where unknown or where the links have different ones. */
  accessDigest: z.string(),
  /** Server's clock minus this machine's, as far as proven; absent where no server clock was seen. */
  skewMs: z.optional(z.number()),
  /** Where each setting of the run came from; secrets without their value. */
  settings: z.array(
    z.strictObject({ name: z.string(), source: z.string(), value: z.optional(z.string()) }),
  ),
  links: z.array(linkResult),
});

export type Finding = z.infer<typeof finding>;
export type LinkResult = z.infer<typeof linkResult>;
export type Verification = z.infer<typeof verificationSchema>;
