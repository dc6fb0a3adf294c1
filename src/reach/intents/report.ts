import * as z from 'zod';
import { safeText } from '../../codes/redact.js';
import { endText, serviceText } from '../../intents/intents-file.js';
import type { IntentGroup } from '../../intents/read-intents.js';
import { counted } from '../../lists/counted.js';
import type { Figure, ReportDocument } from '../../report/document.js';
import type { AskedStack } from '../ways/doors.js';
import { type IntentAnswer, WORDS } from './answer.js';
import { judgeTree } from './judge-intents.js';

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

/**
 * Builds the table of all intents, each with its answer by the rules of a tree.
 *
 * @param source the tree, in words
 * @throws ConnectivityError `usage.invalid`
 */
export function intentsReport(
  groups: readonly IntentGroup[],
  stacks: readonly AskedStack[],
  source: string,
  now: string,
): IntentsReport {
  const rows = groups.flatMap((group) => {
    const answers = judgeTree([group], stacks);
    const { environment = '' } = group.intents;
    return group.intents.intents.map((intent, at) => {
      const answer = answers[at];
      const isJudged = answer !== undefined && answer.verdict !== 'elsewhere';
      return {
        name: intent.name,
        environment,
        from: endText(intent.from),
        to: endText(intent.to),
        on: serviceText(intent),
        expect: intent.expect,
        only: [...(intent.environments ?? [])],
        ...(isJudged && { proof: byRules(answer, source, now) }),
      };
    });
  });
  return { schema: INTENTS_REPORT_SCHEMA, rows };
}

function byRules(answer: IntentAnswer, where: string, when: string): IntentProof {
  const { verdict, packet = '', rules, depends, exception } = answer;
  const detail = [
    ...rules.map(({ resource, effect, rule }) => `${effect} by ${resource}: ${rule}`),
    ...depends.map((one) => `depends on: ${one}`),
    ...(exception ? [`exception of ${exception.owner} until ${exception.expires}`] : []),
  ];
  return { where, when, result: WORDS[verdict], packet, detail: detail.join('; ') };
}

const HEAD = ['intent', 'expected', 'where', 'when', 'result', 'packet', 'detail'];

function cells({ rows }: IntentsReport): string[][] {
  return rows.map((row) =>
    [
      ...sentence(row),
      ...(row.proof === undefined ? ['', '', absentText(row), '', ''] : proofCells(row.proof)),
    ].map(safeText),
  );
}

function sentence({ name, environment, from, to, on, expect }: IntentRow): string[] {
  const where = environment === '' ? name : `${name} (${environment})`;
  return [where, `${from} → ${to}${on === '' ? '' : ` on ${on}`}: ${expect}`];
}

/** Names the environments that an intent is for: one that nobody has would be passed over in silence. */
function absentText({ environment, only }: IntentRow): string {
  const here = environment === '' ? 'this has no environment' : `this is ${environment}`;
  return `does not apply here: it is for ${only.join(', ')} only, and ${here}`;
}

function proofCells({ where, when, result, packet, detail }: IntentProof): string[] {
  return [where, when, result, packet, detail];
}

/** Makes the document of the table. @param figures drawings of what is judged */
export function intentsDocument(
  report: IntentsReport,
  figures: readonly Figure[] = [],
): ReportDocument {
  const { rows } = report;
  const broken = rows.filter(({ proof }) => proof?.result === WORDS.broken).length;
  const headline = `${counted(rows.length, 'intent')}${broken > 0 ? `, ${broken} broken` : ''}`;
  const table = { title: 'Intents', columns: HEAD, rows: cells(report) };
  return { headline, tone: broken > 0 ? 'failed' : 'passed', sections: [table], figures };
}
