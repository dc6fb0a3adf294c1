/** Returns how many letters must be put in, left out or replaced (Levenshtein). */
function letterDistance(from: string, to: string): number {
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

/** Tells whether so few letters differ that the one is probably a slip for the other. */
function isSlip(letters: number, meant: string): boolean {
  return letters <= Math.max(2, meant.length / 4);
}

/** The texts that may have been meant, the nearest first. */
export function nearTexts<T extends string>(wanted: string, known: readonly T[]): T[] {
  return known
    .map((text) => ({ text, letters: letterDistance(wanted.toLowerCase(), text.toLowerCase()) }))
    .filter(({ text, letters }) => isSlip(letters, text))
    .sort((a, b) => a.letters - b.letters)
    .map(({ text }) => text);
}
