import * as z from 'zod';

export const INTENTS_REPORT_SCHEMA = 'secure-connectivity/intents-report@1';

const proof = z.strictObject({
  where: z.string().describe('the tree, state, plan or cloud whose rules decide'),
  when: z.string().describe('ISO 8601'),
  result: z.string().describe('holds, broken, not decided'),
  packet: z.string().describe('the packet that breaks it; empty where none'),
  detail: z.string().describe('the rules, and what it depends on'),
});

const row = z.strictObject({
  name: z.string(),
  environment: z.string(),
  from: z.string(),
  to: z.string(),
  on: z.string().describe('ports and protocol; empty for all'),
  expect: z.enum(['reachable', 'closed']),
  only: z.array(z.string()).describe('the environments that it is for; empty for every one'),
  proof: proof.optional().describe('absent where it does not apply'),
});

/** The output of `secure-connectivity reach --intents --format json`. */
export const intentsReportSchema = z.strictObject({
  schema: z.literal(INTENTS_REPORT_SCHEMA),
  rows: z.array(row),
});

export type IntentsReport = z.infer<typeof intentsReportSchema>;
export type IntentRow = IntentsReport['rows'][number];
export type IntentProof = NonNullable<IntentRow['proof']>;
