import { CODES, type Code } from './codes.js';

const MOST = 3;

/** Codes that somebody may have meant: with few other letters, else with the text as a word or at the start. */
export function nearCodes(text: string): readonly Code[] {
  const wanted = text.toLowerCase();
  const codes = Object.keys(CODES) as Code[];
  const near = codes
    .map((code) => ({ code, distance: distance(wanted, code) }))
    .filter(({ code, distance: letters }) => letters <= Math.max(2, code.length / 4))
    .sort((a, b) => a.distance - b.distance);
  const alike = codes.filter(
    (code) => code.split(/[.-]/).includes(wanted) || (wanted !== '' && code.startsWith(wanted)),
  );
  return (near.length > 0 ? near.map(({ code }) => code) : alike).slice(0, MOST);
}

/** How many letters must be put in, left out or replaced (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
