import * as z from 'zod';

export const REACH_SCHEMA = 'secure-connectivity/reach@1';

/** The answer to whether packets pass. */
export const reachability = z.enum(['reachable', 'closed', 'partly', 'undecided']);

const row = z.strictObject({
  stack: z.string(),
  direction: z
    .string()
    .describe('as seen from the subject: egress is the subject calling the peer'),
  subject: z.string(),
  peer: z.string(),
  services: z.string(),
  via: z.string(),
  resource: z.string().describe("Terraform's addresses of what lets it through"),
  reason: z.string().describe('of the access rules that state it; empty where none does'),
  depends: z.string().describe('the question of the cloud it depends on; empty where on none'),
});

const rule = z.strictObject({
  resource: z.string(),
  file: z.string(),
  effect: z.enum(['accept', 'drop']),
  rule: z.string(),
  reason: z.string().describe('of the access rules that allow it; empty where none states it'),
});

const place = z.strictObject({
  stack: z.string(),
  subject: z.string(),
  vpc: z.string().describe('empty where it is in none that the source names'),
  carriers: z
    .array(z.string())
    .describe('the lists that guard it: several are passed one after the other'),
  answer: reachability,
  part: z.array(z.string()).describe('the packets that get through, where only a part does'),
  rules: z.array(rule).describe('all that decide, in the order in which the cloud looks at them'),
  depends: z.array(z.string()).describe('reasons why it is undecided, a sentence each'),
});

/** The output of `secure-connectivity reach --format json`. */
export const reachSchema = z.strictObject({
  schema: z.literal(REACH_SCHEMA),
  question: z
    .strictObject({
      from: z.string(),
      to: z.string(),
      answer: reachability,
      places: z.array(place),
    })
    .optional()
    .describe('only where both ends were given'),
  about: z
    .strictObject({ from: z.string().optional(), to: z.string().optional() })
    .optional()
    .describe('the end that all rows are about, where only one was given'),
  rows: z.array(row).describe('who may reach what; empty where both ends were given'),
  unread: z.array(z.string()).describe('parts that are not read: they could open anything'),
});

export type ReachReport = z.infer<typeof reachSchema>;
export type ReachRow = z.infer<typeof row>;

export type Reachability = z.infer<typeof reachability>;

/** A rule that decides, for people. */
export type DecidingRule = z.infer<typeof rule>;

/** The answer for one subject in one VPC. */
export type PlaceAnswer = z.infer<typeof place>;
