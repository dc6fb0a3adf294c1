import type { ReviewReport } from '../report-schema.js';
import { makeSections, type Section } from './sections.js';

/** The whole report for a terminal. */
export function textReport(report: ReviewReport): string {
  return sectionsAsText(report.summary, makeSections(report));
}

/** A first line, and sections below it. */
export function sectionsAsText(summary: string, sections: readonly Section[]): string {
  const lines = [printable(summary), ...sections.flatMap(writeSection)];
  return `${lines.join('\n')}\n`;
}

/** Columns wrap at so many characters, unless a word is longer. */
const MAX_WIDTH = 40;

function writeSection({ title, columns, rows, isOrdered }: Section): string[] {
  const clean = rows.map((row) => row.map(printable));
  if (columns.length === 0) {
    const items = clean.map((row, i) => `  ${isOrdered ? `${i + 1}.` : '-'} ${row.join(' ')}`);
    return ['', title, ...items];
  }
  const wrapped = clean.map((row) => row.map(wrap));
  const widths = columns.map((column, i) =>
    wrapped.reduce(
      (width, row) => (row[i] ?? []).reduce((most, line) => Math.max(most, line.length), width),
      column.length,
    ),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd();
  return ['', title, line(columns), ...wrapped.flatMap((row) => rowLines(row).map(line))];
}

/** A row of cells with several lines each, line by line. */
function rowLines(row: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...row.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => row.map((lines) => lines[i] ?? ''));
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > MAX_WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** No text of the trees may move the cursor or add a line. */
function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}
