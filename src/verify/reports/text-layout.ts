import type { Finding } from '../model/verification.js';

/** Colours a part of the text by its meaning, if the terminal can. */
export type TextStyle = (text: string, as: Finding['status'] | 'strong' | 'weak') => string;

/** The layout of a text. */
export interface TextOptions {
  readonly style: TextStyle;
  /** Cells of a line. */
  readonly width: number;
  /** Everything that was seen, and each setting. */
  readonly isVerbose: boolean;
}

export const PLAIN_TEXT: TextOptions = { style: (text) => text, width: 80, isVerbose: false };

/** Characters that a terminal shows two cells wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

const NARROWEST = 24;

/** The cells of a terminal that a text takes; what JavaScript counts as two characters is wide too. */
function countCells(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

/**
 * Text behind a head, wrapped so that further lines begin where the first one does.
 *
 * @param shown the head with its colours
 */
export function hanging(head: string, text: string, width: number, shown = head): string {
  const indent = countCells(head);
  const [first = '', ...others] = wrapped(text, Math.max(width - indent, NARROWEST));
  const rest = others.map((line) => `\n${' '.repeat(indent)}${line}`);
  return `${shown}${first}${rest.join('')}`.trimEnd();
}

/** Formats the remarks on a link, each behind its kind: `note`, `tried`, `changed`. */
export function labelled(
  word: string,
  as: Parameters<TextStyle>[1],
  text: string,
  { style, width }: TextOptions,
): string {
  const gap = ' '.repeat(9 - word.length);
  return hanging(`  ${word}${gap}`, text, width, `  ${style(word, as)}${gap}`);
}

/** Two blanks part facts: what fits on a line of its own is not torn. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const fact of text.split('  ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? fact : `${last}  ${fact}`;
    if (countCells(longer) <= room) lines.splice(-1, 1, longer);
    else if (last !== undefined && countCells(fact) <= room) lines.push(fact);
    else lines.splice(-1, 1, ...inWords(longer, room));
  }
  return lines;
}

/** Words stay whole, so that a URL can be copied; scripts without blanks are cut anywhere. */
function inWords(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+)/g)) {
    const longer = line === '' ? word : `${line}${blanks}${word}`;
    if (countCells(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = countCells(word) > word.length ? cut(word, room) : [word];
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  return [...lines, line];
}

function cut(word: string, room: number): string[] {
  const parts = [''];
  for (const one of word) {
    const last = parts.at(-1) ?? '';
    if (countCells(last) + countCells(one) > room) parts.push(one);
    else parts[parts.length - 1] = `${last}${one}`;
  }
  return parts;
}
