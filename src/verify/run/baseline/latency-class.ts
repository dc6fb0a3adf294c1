/** Upper ends in milliseconds: same zone, same region, same country, same continent, far. */
const ENDS_MS = [2, 10, 50, 150, 500] as const;

/** The class of the time that a connection took to open, from 0. */
export function latencyClass(elapsedMs: number): { index: number; text: string } {
  const index = ENDS_MS.findIndex((end) => elapsedMs < end);
  const end = ENDS_MS[index];
  return end === undefined
    ? { index: ENDS_MS.length, text: `${ENDS_MS.at(-1)} ms or more` }
    : { index, text: `under ${end} ms` };
}
