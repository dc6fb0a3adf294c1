import type { ReviewReport } from '../report-schema.js';
import { makeSections, type Section } from './sections.js';

/** Columns of a report that is not asked for in another width. */
const WIDTH = 100;

/** Colours a part of a text, or leaves it plain. */
export type Paint = (style: 'bold' | 'red' | 'yellow' | 'green', text: string) => string;

const plain = (_: unknown, text: string): string => text;

/** The whole report for a terminal. @param paint colours it. @default - plain text */
export function textReport(report: ReviewReport, paint: Paint = plain): string {
  return sectionsAsText(report.summary, makeSections(report), WIDTH, (part, text) =>
    paint(part === 'title' ? 'bold' : COLOURS[report.decision], text),
  );
}

const COLOURS = {
  forbidden: 'red',
  'needs-approval': 'yellow',
  narrower: 'green',
  'no-change': 'green',
} as const;

/**
 * A first line, and sections below it.
 *
 * @param width of the terminal, which no line exceeds unless a word does. @default - lines are not wrapped
 * @param paint marks the first line and the titles. @default - plain text
 */
export function sectionsAsText(
  summary: string,
  sections: readonly Section[],
  width = Number.POSITIVE_INFINITY,
  paint: (part: 'headline' | 'title', text: string) => string = plain,
): string {
  const head = wrap(printable(summary), width).map((line) => paint('headline', line));
  const body = sections.flatMap((section) => {
    const [gap = '', title = '', ...lines] = writeSection(section, width);
    return [gap, paint('title', title), ...lines];
  });
  const lines = [...head, ...body];
  return `${lines.join('\n')}\n`;
}

/** Columns wrap at so many characters, unless a word is longer. */
const MAX_WIDTH = 40;

function writeSection({ title, columns, rows, isOrdered }: Section, width: number): string[] {
  const clean = rows.map((row) => row.map(printable));
  if (columns.length === 0) {
    const items = clean.flatMap((row, i) =>
      hanging(isOrdered ? `${i + 1}.` : '-', row.join(' '), width),
    );
    return ['', title, ...items];
  }
  const wrapped = clean.map((row) => row.map((cell) => wrap(cell, MAX_WIDTH)));
  const widths = columns.map((column, i) =>
    wrapped.reduce(
      (most, row) => (row[i] ?? []).reduce((max, line) => Math.max(max, line.length), most),
      column.length,
    ),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd();
  const table = [line(columns), ...wrapped.flatMap((row) => rowLines(row).map(line))];
  const fits = table.every(({ length }) => length <= width);
  return ['', title, ...(fits ? table : clean.flatMap((row) => rowAsItem(columns, row, width)))];
}

/** A row that is too wide for a table: the first cells in one line, and a line for each of the others. */
function rowAsItem(columns: readonly string[], row: readonly string[], width: number): string[] {
  const [first = '', second = '', ...others] = row;
  const more = others.flatMap((cell, i) =>
    cell === '' ? [] : hanging(' ', `${columns[i + 2]}: ${cell}`, width),
  );
  return [...hanging('-', `${first}: ${second}`, width), ...more];
}

function hanging(mark: string, text: string, width: number): string[] {
  const head = `  ${mark} `;
  const lines = wrap(text, width - head.length);
  return lines.map((line, i) => `${i === 0 ? head : ' '.repeat(head.length)}${line}`);
}

/** A row of cells with several lines each, line by line. */
function rowLines(row: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...row.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => row.map((lines) => lines[i] ?? ''));
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
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
