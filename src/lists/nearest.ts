/** Asks about the name that was meant, as the end of a message; empty where none is near. */
export function nearestText(written: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, edits: countEdits(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return nearest === undefined ? '' : `; did you mean "${nearest.name}"?`;
}

/** Counts the letters to insert, to remove or to replace that make one word of another. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [i, other] of [...to].entries()) {
      const [above = 0, left = 0, before = 0] = [row[i + 1], next[i], row[i]];
      next.push(Math.min(above + 1, left + 1, before + Number(letter !== other)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
