/** Returns how many letters must be put in, left out or replaced (Levenshtein). */
function letterDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const [above = 0, left = 0, before = 0] = [row[column + 1], next[column], row[column]];
      next.push(Math.min(above + 1, left + 1, before + Number(letter !== other)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The texts that may have been meant, the nearest first: so few letters differ that the one is a slip for the other. */
export function nearTexts<T extends string>(wanted: string, known: readonly T[]): T[] {
  return known
    .map((text) => ({ text, letters: letterDistance(wanted.toLowerCase(), text.toLowerCase()) }))
    .filter(({ text, letters }) => letters <= Math.max(2, text.length / 4) && letters < text.length)
    .sort((a, b) => a.letters - b.letters)
    .map(({ text }) => text);
}

/** Asks about the text that was meant, as the end of a message; empty where none is near. */
export function nearestText(wanted: string, known: readonly string[]): string {
  return nearTexts(wanted, known).map((near) => `; did you mean "${near}"?`)[0] ?? '';
}
