/**
 * Texts that GitHub and GitLab turn into a link, a reference, a mention or an emoji without any
 * markup.
 */
const ACTIVE = [
  /:\/\//,
  /www\./i,
  /(?:mailto|xmpp):/i,
  // An issue, a commit, and an emoji, which an IPv6 address can hold.
  /gh-\d/i,
  /(?<![\p{L}\p{N}])[0-9a-f]{7,40}(?![\p{L}\p{N}])/iu,
  /:[\w+-]+:/,
];

/** Everything else may be markup, or a reference (`@`, `#`, `!`, `~`, `%`, `$`, `&`). */
const PLAIN_WORD = /^(?:[\p{L}\p{N}.,;:()'’"/?+=−–→…-]*|%)$/u;

/** The characters that make a list, a heading or a rule at the beginning of a line. */
const LINE_MARKER = /^(?:[-+=]+|\d+[.)])$/;

/**
 * Text of the change's own author as Markdown that shows it and does nothing else: a word that could be
 * markup, a link, a mention or a reference becomes a code span. Escapes do not help, because forges look
 * for mentions and references in what was rendered.
 *
 * @param maxCharacters how much of it is shown
 */
export function inertMarkdown(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const clean = text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  const short =
    clean.length > maxCharacters
      ? `${clean.slice(0, maxCharacters).replace(/\p{Cs}$/u, '')}…`
      : clean;
  return short
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 === 1 ? codeSpan(part.slice(1, -1)) : writeWords(part, i === 0)))
    .reduce(joinSpans, '');
}

/** Code spans that touch would be read as one: a space without width stays between them. */
function joinSpans(before: string, part: string): string {
  return before.endsWith('`') && part.startsWith('`') ? `${before}\u200b${part}` : before + part;
}

/** Longer than every run of backticks inside, so that none of them ends it. */
export function fenceAround(text: string, shortest: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  return '`'.repeat(Math.max(shortest.length, ...runs.map((length) => length + 1)));
}

function writeWords(text: string, isStart: boolean): string {
  return text
    .split(' ')
    .map((word, i) => {
      const isMarker = isStart && i === 0 && LINE_MARKER.test(word);
      const isPlain = PLAIN_WORD.test(word) && !ACTIVE.some((pattern) => pattern.test(word));
      return isPlain && !isMarker ? word : codeSpan(word);
    })
    .join(' ');
}

/** A `|` ends a cell inside of a code span too, so it stays between two of them. */
function codeSpan(text: string): string {
  return text
    .split('|')
    .map((part) => {
      if (part.trim() === '') return part;
      const fence = fenceAround(part, '`');
      const space = part.includes('`') ? ' ' : '';
      return `${fence}${space}${part}${space}${fence}`;
    })
    .join('&#124;');
}

/** Writes a table of texts that show and do nothing else. @param maxCharacters how much of a cell is shown */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  maxCharacters?: number,
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(row.map((text) => inertMarkdown(text, maxCharacters)))),
  ];
}
