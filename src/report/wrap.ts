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
  const indent = ' '.repeat(countCells(head));
  const [first = '', ...others] = wrap(text, Math.max(width - indent.length, NARROWEST));
  const rest = others.map((line) => `\n${indent}${line}`);
  return `${shown}${first}${rest.join('')}`.trimEnd();
}

/** Wraps text into lines of so many cells. Two blanks part facts: what fits on a line of its own is not torn. */
export function wrap(text: string, width: number): string[] {
  if (countCells(text) <= width) return [text.trimStart()];
  const lines: string[] = [];
  for (const fact of text.split('  ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? fact : `${last}  ${fact}`;
    if (countCells(longer) <= width) lines.splice(-1, 1, longer);
    else if (last !== undefined && countCells(fact) <= width) lines.push(fact);
    else lines.splice(-1, 1, ...inWords(longer, width));
  }
  return lines;
}

/** Words stay whole, so that a URL can be copied; scripts without blanks are cut anywhere. */
function inWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+)/g)) {
    const longer = line === '' ? word : `${line}${blanks}${word}`;
    if (countCells(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = countCells(word) > word.length ? cut(word, width) : [word];
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  return [...lines, line];
}

function cut(word: string, width: number): string[] {
  const parts = [''];
  for (const one of word) {
    const last = parts.at(-1) ?? '';
    if (countCells(last) + countCells(one) > width) parts.push(one);
    else parts[parts.length - 1] = `${last}${one}`;
  }
  return parts;
}
