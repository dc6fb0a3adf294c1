import { escapeXml } from '../files/escape.js';
import { fenceAround, inertMarkdown, markdownTable } from '../files/markdown.js';
import {
  type Figure,
  type Problem,
  type ReportDocument,
  type Section,
  STATUS,
  type Tone,
} from './document.js';
import { withoutCommands } from './text.js';

/** The maximum length of a comment on a pull request, in characters. */
export const COMMENT_LIMIT = 65_535;

/** The maximum size of a step's summary in GitHub Actions, less some room for what is there already, in bytes. */
const SUMMARY_LIMIT = 900_000;

const SIGNS: Readonly<Record<Tone, string>> = {
  passed: '✅',
  warned: '⚠️',
  failed: '❌',
  skipped: '➖',
};

/** A cell holds this much; the JSON report holds all of it. */
const MAX_CHARACTERS = 240;

/**
 * Writes a document. A comment has to fit in a pull request: where it does not, totals by resource and a loud line
 * take the place of what is left out, and figures are drawn only if there may be room.
 */
export function documentAsMarkdown(document: ReportDocument): string {
  const { mark, title, headline, tone, sections, facts = [], figures = [] } = document;
  const isCheck = sections.some((section) => section.tone !== undefined);
  const words = shown(title === undefined ? headline : `${title}: ${headline}`, MAX_CHARACTERS);
  const heading = `## ${isCheck ? `${SIGNS[tone]} ` : ''}${words}`;
  const drawn = () => figures.map(foldFigure).join('');
  if (mark === undefined) {
    const run = facts.map(([name, text]) => shown(`${name}: ${text}`)).join('; ');
    return `${write([heading, ...(run === '' ? [] : ['', run])], sections)}${drawn()}`;
  }
  const head = [mark, heading];
  if (leastLength(sections) <= COMMENT_LIMIT) {
    const whole = `${write(head, sections, { cell: MAX_CHARACTERS })}${drawn()}`;
    if (whole.length <= COMMENT_LIMIT) return whole;
  }
  const cut = (most: number, some = sections) => {
    const rest = some.map((section) => ({ ...section, isFolded: undefined }));
    return write([...head, ...TRUNCATED], rest, { most, cell: MAX_CHARACTERS });
  };
  const short = [200, 50, 10, 2].map((most) => cut(most));
  return (
    short.find(({ length }) => length <= COMMENT_LIMIT) ??
    cut(
      0,
      sections.filter(({ isFolded }) => !isFolded),
    )
  );
}

/** Counts until it is too much. Rows can be many: no markup is made where their text alone is too long. */
function leastLength(sections: readonly Section[]): number {
  let sum = 0;
  for (const { rows } of sections) {
    for (const row of rows) {
      for (const text of row) sum += Math.min(text.length, MAX_CHARACTERS);
      if (sum > COMMENT_LIMIT) return sum;
    }
  }
  return sum;
}

/** Limits of a comment. */
interface Room {
  /** The rows of a section. @default - all */
  readonly most?: number;
  /** The characters of a cell. @default - all */
  readonly cell?: number;
}

function write(head: readonly string[], sections: readonly Section[], room: Room = {}): string {
  const parts = sections.map((section) =>
    (section.isAnswer ? writeAnswer(section) : writeSection(section, room)).join('\n'),
  );
  let bytes = 0;
  const fits = parts.findIndex((part) => {
    bytes += Buffer.byteLength(part);
    return bytes > SUMMARY_LIMIT;
  });
  const left = fits < 0 ? [] : ['', `**TRUNCATED: ${parts.length - fits} more are not shown.**`];
  return `${[...head, ...(fits < 0 ? parts : parts.slice(0, fits)), ...left].join('\n')}\n`;
}

const TRUNCATED = [
  '',
  `> **TRUNCATED: this report does not fit in a comment, which holds ${COMMENT_LIMIT} characters.** Read the whole of it with \`--format text\` or \`--format json\`.`,
];

function writeSection(section: Section, { most = Infinity, cell = Infinity }: Room): string[] {
  const { title, columns, rows, totals = [], isFolded, tone } = section;
  if (tone !== undefined) return ['', ...writeSubject(section, tone)];
  const fits = rows.length <= most;
  const some = fits ? [...rows] : totals.length > 0 ? [] : firstOf(rows, most);
  const lines = [
    ...(fits ? [] : totals.map((total) => `- ${shown(total, cell)}`)),
    ...(columns.length > 0 && some.length > 0
      ? tableLines(columns, some, cell)
      : markdownList(section, some, cell)),
    ...(fits
      ? []
      : ['', `**TRUNCATED: ${rows.length - some.length} of ${rows.length} not shown.**`]),
  ];
  return ['', ...(isFolded ? fold(title, lines) : [`### ${shown(title)}`, '', ...lines])];
}

/** A thing that was checked: what is wrong with it, and what was seen below a fold, which is open where it failed. */
function writeSubject(section: Section, tone: Tone): string[] {
  const { title, about = '', problems = [], facts = [], more = [] } = section;
  const said = [
    ...problems.flatMap(writeProblem),
    ...[...facts, ...more].map(([name, text]) => `- ${shown(`${name}: ${text}`)}`),
  ];
  const open = tone === 'failed' ? ' open' : '';
  const seen = section.rows.length > 0 ? fold('What was seen', subjectTable(section), open) : [];
  const parts = [[`### ${SIGNS[tone]} ${shown(title)}`], [shown(about)], said, seen];
  return parts
    .filter(([first = '']) => first !== '')
    .flatMap((lines) => ['', ...lines])
    .slice(1);
}

/** A status is a sign. */
function subjectTable({ columns, rows }: Section): string[] {
  const all = [...rows];
  if (columns[0] !== STATUS) return tableLines(columns, all);
  const rest = all.map((row) => row.slice(1));
  const signs = all.map(([status]) => SIGNS[status as Tone] ?? '');
  const lines = tableLines(columns.slice(1), rest);
  return lines.map((line, i) => `| ${['', '---', ...signs][i]} ${line}`);
}

function writeProblem(problem: Problem, index: number): string[] {
  const { tone, code, title, at, cause, remedy, inspect, evidence } = problem;
  const where = at === undefined ? '' : `, ${tone} at ${shown(at)}`;
  const said = cause ? `: ${shown(cause)}` : '';
  const more = Object.entries({ remedy, inspect, evidence }).flatMap(([name, text]) =>
    text ? `   - ${shown(`${name}: ${text}`)}` : [],
  );
  return [`${index + 1}. **${shown(title)}** (${shown(code)})${where}${said}`, ...more];
}

/** The table that the headline counts, or a line with numbered reasons. */
function writeAnswer({ title, columns, rows }: Section): string[] {
  if (columns.length > 0) return ['', ...tableLines(columns, [...rows])];
  const reasons = [...rows].map((row, i) => `  ${i + 1}. ${shown(row.join(' '))}`);
  return ['', `- ${shown(title)}`, ...reasons];
}

function shown(text: string, most?: number): string {
  return inertMarkdown(withoutCommands(text), most);
}

function tableLines(columns: readonly string[], rows: Shown, cell?: number): string[] {
  return markdownTable(
    columns,
    rows.map((row) => row.map(withoutCommands)),
    cell,
  );
}

/** The first rows, without the texts of the others. */
function firstOf(rows: Iterable<readonly string[]>, most: number): Shown {
  const first: (readonly string[])[] = [];
  for (const row of rows) {
    if (first.length >= most) break;
    first.push(row);
  }
  return first;
}

type Shown = readonly (readonly string[])[];

function markdownList({ isOrdered }: Section, rows: Shown, cell: number): string[] {
  return rows.map((row, i) => `${isOrdered ? `${i + 1}.` : '-'} ${shown(row.join(' '), cell)}`);
}

function foldFigure({ mermaid }: Figure): string {
  const diagram = mermaid();
  if (diagram === '') return '';
  const fence = fenceAround(diagram, '```');
  const drawn = [`${fence}mermaid`, diagram.trimEnd(), fence];
  return `\n${fold('Diagram', drawn).join('\n')}\n`;
}

/** Puts lines below a fold: one line, which opens. A blank line lets what follows be Markdown again. */
function fold(title: string, lines: readonly string[], open = ''): string[] {
  return [`<details${open}><summary>${escapeXml(title)}</summary>`, '', ...lines, '', '</details>'];
}
