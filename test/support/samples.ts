/** A part of them, but in `.ci/full`: one of each kind finds most of what all of them find. */
const TIMES = Number(process.env.SECURE_CONNECTIVITY_SAMPLES ?? 0.3);

/** The number of random inputs that a test tries: a part of the given one, or a multiple where the environment asks for it. */
export function runs(count: number): number {
  return Math.ceil(count * TIMES);
}

/** The first row of each kind; every row where the environment asks for all. */
export function some<T>(rows: readonly T[], kindOf: (row: T) => string): readonly T[] {
  if (TIMES >= 1) return rows;
  return [...new Map(rows.toReversed().map((row) => [kindOf(row), row])).values()].reverse();
}
