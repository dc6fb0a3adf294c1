import type { ReviewReport } from '../report-schema.js';
import { fenceAround, inertMarkdown, MAX_CHARACTERS } from './inert-markdown.js';
import type { Section } from './section.js';
import { sectionsOf } from './sections.js';

/** What a comment on a pull request can hold. */
export const COMMENT_LIMIT = 65_535;

/** Begins every comment, so that the next one finds and replaces it. */
export const COMMENT_MARK = '<!-- secure-connectivity review -->';

/**
 * The report as a comment that fits in a pull request. Where it does not fit, totals by resource and
 * a loud line take the place of what is left out.
 *
 * @param diagram Mermaid, folded below the tables
 */
export function markdownReport(report: ReviewReport, diagram?: string): string {
  const { summary } = report;
  const sections = sectionsOf(report);
  const least = sectionsOf({ ...report, digests: [], tickets: [], notes: [] });
  const drawing = diagram === undefined ? '' : `\n${fold(diagram)}`;
  return sectionsAsMarkdown(COMMENT_MARK, { summary, sections, least }, drawing);
}

/** What a comment says. */
interface CommentText {
  readonly summary: string;
  readonly sections: readonly Section[];
  /** Sections for which there is room in any case. */
  readonly least: readonly Section[];
}

/** @param mark the line by which the next comment finds this one; @param drawing left out where there is no room */
export function sectionsAsMarkdown(
  mark: string,
  { summary, sections, least }: CommentText,
  drawing = '',
): string {
  const head = [mark, `## ${inertMarkdown(summary)}`];
  if (leastLength(sections) <= COMMENT_LIMIT) {
    const drawn = `${write(head, sections)}${drawing}`;
    if (drawn.length <= COMMENT_LIMIT) return drawn;
  }
  for (const most of [200, 50, 10, 2]) {
    const short = write(head, sections, most);
    if (short.length <= COMMENT_LIMIT) return short;
  }
  return write(head, least, 0);
}

/** Rows can be many: no markup is made where their text alone is too long. */
function leastLength(sections: readonly Section[]): number {
  return sections
    .flatMap(({ rows }) => rows.flat())
    .reduce((sum, { length }) => sum + Math.min(length, MAX_CHARACTERS), 0);
}

function write(head: readonly string[], sections: readonly Section[], most = Infinity): string {
  const lines = [
    ...head,
    ...(most === Infinity
      ? []
      : [
          '',
          `> **TRUNCATED: this report does not fit in a comment, which holds ${COMMENT_LIMIT} characters.** Read the whole of it with \`--format text\` or \`--format json\`.`,
        ]),
    ...sections.flatMap((section) => writeSection(section, most)),
  ];
  return `${lines.join('\n')}\n`;
}

function writeSection(section: Section, most: number): string[] {
  const { title, columns, rows, totals = [] } = section;
  const fits = rows.length <= most;
  const shown = fits ? rows : totals.length > 0 ? [] : rows.slice(0, most);
  return [
    '',
    `### ${title}`,
    '',
    ...(fits ? [] : totals.map((total) => `- ${inertMarkdown(total)}`)),
    ...(columns.length > 0 && shown.length > 0 ? table(columns, shown) : listOf(section, shown)),
    ...(fits
      ? []
      : ['', `**TRUNCATED: ${rows.length - shown.length} of ${rows.length} not shown.**`]),
  ];
}

function table(columns: readonly string[], rows: Section['rows']): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(row.map((text) => inertMarkdown(text)))),
  ];
}

function listOf({ isOrdered }: Section, rows: Section['rows']): string[] {
  return rows.map((row, i) => `${isOrdered ? `${i + 1}.` : '-'} ${inertMarkdown(row.join(' '))}`);
}

function fold(diagram: string): string {
  const fence = fenceAround(diagram, '```');
  return `<details><summary>Diagram</summary>\n\n${fence}mermaid\n${diagram.trimEnd()}\n${fence}\n\n</details>\n`;
}
