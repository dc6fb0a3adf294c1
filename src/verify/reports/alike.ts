import type { Finding } from '../model/verification.js';

export type Group<T> = readonly [T, ...T[]];

/** From so many addresses on that fare alike, a report shows them as one. */
export const MANY = 4;

/**
 * Puts together what has the same key, at the place of the first; what has no key stays by itself, and
 * so does each member of a group that is too small.
 *
 * @param leastOf how many a group must be, by its first member
 */
export function gathered<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
  leastOf: (first: T) => number = () => MANY,
): Group<T>[] {
  const groups = new Map<unknown, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item) ?? Symbol('alone');
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].flatMap((group): Group<T>[] =>
    group.length >= leastOf(group[0]) ? [group] : group.map((item): Group<T> => [item]),
  );
}

/** The same for all addresses that fare alike at a stage. */
export function fate({ stage, status, code, address }: Finding): string | undefined {
  return address === undefined ? undefined : JSON.stringify([stage, status, code]);
}
