import { safeText } from '../../codes/redact.js';
import { escapeXml } from '../../files/escape.js';
import { markdownTable } from '../../files/markdown.js';
import { counted } from '../../lists/counted.js';
import type { IntentProof, IntentRow, IntentsReport } from './report.js';

const HEAD = ['intent', 'expected', 'where', 'when', 'result', 'packet', 'detail'];

function cells({ rows }: IntentsReport): string[][] {
  return rows.map((row) => [
    ...sentence(row),
    ...(row.proof === undefined ? ['', '', absentText(row), '', ''] : proofCells(row.proof)),
  ]);
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

/** Writes the report for a terminal: a paragraph for each intent. */
export function intentsText(report: IntentsReport): string {
  const lines = report.rows.flatMap((row) => {
    const [name = '', expected = ''] = sentence(row);
    return [
      safeText(name),
      `  ${safeText(expected)}`,
      `  ${safeText(row.proof === undefined ? absentText(row) : proofLine(row.proof))}`,
      '',
    ];
  });
  return [counted(report.rows.length, 'intent'), '', ...lines].join('\n');
}

function proofLine({ where, when, result, packet, detail }: IntentProof): string {
  const more = [packet, detail].filter((one) => one !== '').join('; ');
  return `${result} by the rules of ${where}, ${when}${more === '' ? '' : `: ${more}`}`;
}

/** A table of Markdown. */
export function intentsMarkdown(report: IntentsReport): string {
  return `${markdownTable(HEAD, cells(report)).join('\n')}\n`;
}

/** A page to read and print, without scripts and without anything from elsewhere. */
export function intentsPage(report: IntentsReport): string {
  const row = (tag: string, values: readonly string[]) =>
    `<tr>${values.map((value) => `<${tag}>${escapeXml(value)}</${tag}>`).join('')}</tr>`;
  const body = cells(report).map((values) => row('td', values));
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Intents</title>
<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:4px;text-align:left;vertical-align:top;overflow-wrap:anywhere}@media print{@page{size:landscape}body{margin:0;font-size:9pt}}</style>
<h1>Who may reach whom, and who may not</h1>
<table><thead>${row('th', HEAD)}</thead><tbody>
${body.join('\n')}
</tbody></table></html>
`;
}
