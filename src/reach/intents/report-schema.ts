import * as z from 'zod';

export const INTENTS_REPORT_SCHEMA = 'secure-connectivity/intents-report@1';

const proof = z.strictObject({
  by: z.enum(['rules', 'packets']).describe('what Terraform opens, or connections that were tried'),
  where: z.string().describe('the tree, or the vantage point of a check'),
  when: z.string().describe('ISO 8601'),
  result: z.string().describe('holds, broken, not decided, closed, OPEN, reachable, not shown, …'),
  packet: z.string().describe('the packet that breaks it, or that was tried; empty where none'),
  detail: z.string().describe('the rules, what it depends on, or what the check saw'),
});

const row = z.strictObject({
  name: z.string(),
  environment: z.string(),
  from: z.string(),
  to: z.string(),
  on: z.string().describe('ports and protocol; empty for all'),
  expect: z.enum(['reachable', 'closed']),
  proofs: z.array(proof).describe('by rules first; none where it does not apply'),
});

/** The output of `secure-connectivity reach --intents --format json`. */
export const intentsReportSchema = z.strictObject({
  schema: z.literal(INTENTS_REPORT_SCHEMA),
  rows: z.array(row),
});

export type IntentsReport = z.infer<typeof intentsReportSchema>;
export type IntentRow = IntentsReport['rows'][number];
export type IntentProof = IntentRow['proofs'][number];
