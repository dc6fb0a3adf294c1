import { fenceAround, inertMarkdown, markdownTable } from '../../files/markdown.js';
import type { ReviewReport } from '../report-schema.js';
import { makeSections, type Section } from './sections.js';

/** The maximum length of a comment on a pull request, in characters. */
export const COMMENT_LIMIT = 65_535;

/** A cell holds this much; the JSON report holds all of it. */
export const MAX_CHARACTERS = 240;

/** Begins every comment, so that the next one finds and replaces it. */
export const COMMENT_MARK = '<!-- secure-connectivity review -->';

/**
 * The report as a comment that fits in a pull request. Where it does not fit, totals by resource and
 * a loud line take the place of what is left out.
 *
 * @param diagram Mermaid, folded below the tables; a function draws it only if there may be room
 */
export function markdownReport(
  report: ReviewReport,
  diagram?: string | (() => string | undefined),
): string {
  const { summary } = report;
  const sections = makeSections(report);
  const least = makeSections({ ...report, digests: [], tickets: [], notes: [] });
  const draw = () => {
    const drawn = typeof diagram === 'function' ? diagram() : diagram;
    return drawn === undefined ? '' : `\n${fold(drawn)}`;
  };
  return sectionsAsMarkdown(COMMENT_MARK, { summary, sections, least }, draw);
}

/** The text of a comment. */
interface CommentText {
  readonly summary: string;
  readonly sections: readonly Section[];
  /** Sections for which there is room in any case. */
  readonly least: readonly Section[];
}

/** @param mark the line by which the next comment finds this one; @param draw makes what is left out where there is no room */
export function sectionsAsMarkdown(
  mark: string,
  { summary, sections, least }: CommentText,
  draw: () => string = () => '',
): string {
  const head = [mark, `## ${inertMarkdown(summary, MAX_CHARACTERS)}`];
  if (leastLength(sections) <= COMMENT_LIMIT) {
    const drawn = `${write(head, sections)}${draw()}`;
    if (drawn.length <= COMMENT_LIMIT) return drawn;
  }
  for (const most of [200, 50, 10, 2]) {
    const short = write(head, sections, most);
    if (short.length <= COMMENT_LIMIT) return short;
  }
  return write(head, least, 0);
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

function write(head: readonly string[], sections: readonly Section[], most = Infinity): string {
  const lines = sections.flatMap((section) => writeSection(section, most));
  return `${[...head, ...(most === Infinity ? [] : TRUNCATED), ...lines].join('\n')}\n`;
}

const TRUNCATED = [
  '',
  `> **TRUNCATED: this report does not fit in a comment, which holds ${COMMENT_LIMIT} characters.** Read the whole of it with \`--format text\` or \`--format json\`.`,
];

function writeSection(section: Section, most: number): string[] {
  const { title, columns, rows, totals = [] } = section;
  const fits = rows.length <= most;
  const shown = fits ? [...rows] : totals.length > 0 ? [] : firstOf(rows, most);
  return [
    '',
    `### ${title}`,
    '',
    ...(fits ? [] : totals.map((total) => `- ${inertMarkdown(total, MAX_CHARACTERS)}`)),
    ...(columns.length > 0 && shown.length > 0
      ? markdownTable(columns, shown, MAX_CHARACTERS)
      : markdownList(section, shown)),
    ...(fits
      ? []
      : ['', `**TRUNCATED: ${rows.length - shown.length} of ${rows.length} not shown.**`]),
  ];
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

function markdownList({ isOrdered }: Section, rows: Shown): string[] {
  return rows.map(
    (row, i) => `${isOrdered ? `${i + 1}.` : '-'} ${inertMarkdown(row.join(' '), MAX_CHARACTERS)}`,
  );
}

function fold(diagram: string): string {
  const fence = fenceAround(diagram, '```');
  return `<details><summary>Diagram</summary>\n\n${fence}mermaid\n${diagram.trimEnd()}\n${fence}\n\n</details>\n`;
}
