import { printable } from '../../files/escape.js';
import type { ReviewReport } from '../report-schema.js';
import { makeSections, type Section } from './sections.js';

/** Columns of a report that is not asked for in another width. */
const WIDTH = 100;

/** Colours a part of a text, or leaves it plain. */
export type Paint = (style: 'bold' | 'red' | 'yellow' | 'green', text: string) => string;

const plain = (_: unknown, text: string): string => text;

/** The whole report for a terminal. @param paint colours it. @default - plain text */
export function textReport(report: ReviewReport, paint: Paint = plain): string {
  return [...textParts(report, paint)].join('');
}

/** The same line by line: of a report of thousands of rows, only some are held as text. */
export function* textParts(report: ReviewReport, paint: Paint = plain): Generator<string> {
  const paintPart: PaintPart = (part, text) =>
    paint(part === 'title' ? 'bold' : COLOURS[report.decision], text);
  const lines = sectionLines(report.summary, makeSections(report), WIDTH, paintPart);
  for (const line of lines) yield `${line}\n`;
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
 */
export function sectionsAsText(
  summary: string,
  sections: readonly Section[],
  width = Number.POSITIVE_INFINITY,
): string {
  return [...sectionLines(summary, sections, width, plain), ''].join('\n');
}

type PaintPart = (part: 'headline' | 'title', text: string) => string;

/** Rows one by one, with line breaks in them: there can be thousands. */
function* sectionLines(
  summary: string,
  sections: readonly Section[],
  width: number,
  paint: PaintPart,
): Generator<string> {
  for (const line of wrap(printable(summary), width)) yield paint('headline', line);
  for (const section of sections) {
    yield '';
    yield paint('title', section.title);
    yield* rowsAsText(section, width);
  }
}

/** Columns wrap at so many characters, unless a word is longer. */
const MAX_WIDTH = 40;

function* rowsAsText(section: Section, width: number): Generator<string> {
  const { columns, rows, isOrdered } = section;
  const line = columns.length > 0 ? tableLine(section, width) : undefined;
  if (line !== undefined) yield line(columns);
  let number = 0;
  for (const row of rows) {
    number += 1;
    if (line !== undefined) yield rowLines(wrapCells(row)).map(line).join('\n');
    else if (columns.length > 0) yield rowAsItem(columns, row.map(printable), width);
    else {
      const mark = isOrdered ? `${number}.` : '-';
      yield hanging(mark, row.map(printable).join(' '), width).join('\n');
    }
  }
}

function wrapCells(row: readonly string[]): string[][] {
  return row.map((cell) => wrap(printable(cell), MAX_WIDTH));
}

/** Writes a line of a table, whose columns are as wide as their widest cell; undefined where one is too wide. */
function tableLine({ columns, rows }: Section, width: number) {
  const widths = columns.map(({ length }) => length);
  const line = (cells: readonly string[]) =>
    `  ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd();
  const isTooWide = (cells: readonly string[]) => line(cells).length > width;
  for (const row of rows) {
    const cells = wrapCells(row);
    for (const [i, lines] of cells.entries()) {
      widths[i] = Math.max(widths[i] ?? 0, ...lines.map(({ length }) => length));
    }
    // Later rows make it no narrower.
    if (rowLines(cells).some(isTooWide)) return undefined;
  }
  for (const row of rows) if (rowLines(wrapCells(row)).some(isTooWide)) return undefined;
  return isTooWide(columns) ? undefined : line;
}

/** A row that is too wide for a table: the first cells in one line, and a line for each of the others. */
function rowAsItem(columns: readonly string[], row: readonly string[], width: number): string {
  const [first = '', second = '', ...others] = row;
  const more = others.flatMap((cell, i) =>
    cell === '' ? [] : hanging(' ', `${columns[i + 2]}: ${cell}`, width),
  );
  return [...hanging('-', `${first}: ${second}`, width), ...more].join('\n');
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
  if (text.length <= width && !text.startsWith(' ')) return [text];
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
