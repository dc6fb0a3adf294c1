import { safeText } from '../../codes/redact.js';
import { counted } from '../../lists/counted.js';
import type { Figure, ReportDocument } from '../../report/document.js';
import { WORDS } from './answer.js';
import type { IntentProof, IntentRow, IntentsReport } from './report.js';

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
