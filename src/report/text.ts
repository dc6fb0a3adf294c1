import { printable } from '../files/escape.js';
import { alignColumns } from '../lists/align-columns.js';
import { counted } from '../lists/counted.js';
import { type ReportDocument, type Section, STATUS } from './document.js';
import {
  COLOURS,
  factLine,
  type Layout,
  type Paint,
  problemLine,
  problemLines,
  statusLines,
} from './subject-text.js';
import { hanging, wrap } from './wrap.js';

export type { Paint };

export interface TextOptions {
  /** Columns of the terminal, which no line exceeds unless a word does. @default - lines are not wrapped */
  readonly width?: number | undefined;
  /** @default - plain text */
  readonly paint?: Paint | undefined;
  /** Shows what is below the fold too. @default - true */
  readonly isVerbose?: boolean;
}

/**
 * Text in which no runner of CI finds a command: GitHub's begin a line with `::`, and older ones, Azure's and
 * TeamCity's have `##` anywhere.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/, '$1: ').replaceAll(/#(?=#)/g, '# ');
}

/** Writes a document for a terminal. */
export function documentAsText(document: ReportDocument, options?: TextOptions): string {
  return [...textParts(document, options)].join('');
}

/** Writes the same in parts: of thousands of rows, only some are held as text. */
export function* textParts(document: ReportDocument, options?: TextOptions): Generator<string> {
  for (const lines of textLines(document, options)) {
    yield `${lines.split('\n').map(withoutCommands).join('\n')}\n`;
  }
}

function* textLines(document: ReportDocument, options: TextOptions = {}): Generator<string> {
  const { title, headline, tone, sections, facts = [] } = document;
  const { width = Infinity, paint = (_, text) => text, isVerbose = true } = options;
  const layout = { width, paint, isVerbose };
  const first = title === undefined ? headline : `${title}: ${headline}`;
  for (const line of wrap(printable(first), width)) yield paint(COLOURS[tone], line);
  for (const section of sections) {
    if (section.isFolded && !isVerbose) continue;
    yield* section.isAnswer ? answerLines(section) : sectionLines(section, layout);
  }
  if (facts.length > 0) yield '';
  const column = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts)
    yield hanging(`${printable(name).padEnd(column)}  `, printable(text), width);
  const folded = isVerbose ? [] : sections.filter((section) => section.isFolded);
  if (folded.length === 0) return;
  const left = folded.map(({ title, rows }) => `${title} (${rows.length})`).join('; ');
  yield '';
  const text = `${counted(folded.length, 'more section')} with --verbose: ${left}`;
  yield* wrap(printable(text), width);
}

/** Rows one by one, with line breaks in them: there can be thousands. */
function* sectionLines(section: Section, layout: Layout): Generator<string> {
  const { title, about = '', facts = [], more = [], problems = [] } = section;
  const { width, paint } = layout;
  const [first, ...others] = problems;
  // What comes after a failure is either of its causes or less grave.
  const isBrief = !layout.isVerbose && first?.tone === 'failed';
  const name = printable(title);
  yield '';
  yield hanging(
    about === '' ? name : `${name}  `,
    printable(about),
    width,
    paint('bold', name) + (about === '' ? '' : '  '),
  );
  const isOfStages = section.columns[0] === STATUS;
  // Few rows say where it failed, and many are evidence.
  const isLater = isBrief && isOfStages;
  if (first !== undefined && !isLater) yield* problemLines(first, layout);
  for (const fact of facts) yield factLine(fact, layout);
  yield* isOfStages ? statusLines(section, layout) : rowsAsText(section, width);
  if (first !== undefined && isLater) yield* problemLines({ ...first, at: undefined }, layout);
  if (isBrief) yield* new Set(others.map((problem) => problemLine(problem, layout)));
  else for (const problem of others) yield* problemLines(problem, layout);
  for (const fact of more) yield factLine(fact, layout);
}

/** A table without wrapping, for other programs to cut; or a line with numbered reasons. */
function* answerLines({ title, columns, rows }: Section): Generator<string> {
  if (columns.length > 0) {
    yield '';
    const cells = [...rows].map((row) => row.map(printable));
    yield* alignColumns([columns, ...cells]);
    return;
  }
  yield `  ${printable(title)}`;
  let number = 0;
  for (const row of rows) {
    number += 1;
    yield `    ${number}. ${printable(row.join(' '))}`;
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
      yield hanging(`  ${mark} `, row.map(printable).join(' '), width);
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
    cell === '' ? [] : hanging('    ', `${columns[i + 2]}: ${cell}`, width),
  );
  return [hanging('  - ', `${first}: ${second}`, width), ...more].join('\n');
}

/** A row of cells with several lines each, line by line. */
function rowLines(row: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...row.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => row.map((lines) => lines[i] ?? ''));
}
