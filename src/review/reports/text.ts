import type { ReviewReport } from '../report-schema.js';
import { type Section, sectionsOf, verdictLine } from './sections.js';

/** The whole report for a terminal. */
export function textReport(report: ReviewReport): string {
  const lines = [verdictLine(report), ...sectionsOf(report).flatMap(writeSection)];
  return `${lines.join('\n')}\n`;
}

function writeSection({ title, columns, rows, isOrdered }: Section): string[] {
  const clean = rows.map((row) => row.map(printable));
  if (columns.length === 0) {
    const items = clean.map((row, i) => `  ${isOrdered ? `${i + 1}.` : '-'} ${row.join(' ')}`);
    return ['', title, ...items];
  }
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...clean.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd();
  return ['', title, line(columns), ...clean.map(line)];
}

/** No text of the trees may move the cursor or add a line. */
function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}
