export type NonEmpty<T> = readonly [T, ...T[]];

/** Groups by a key; keys and groups are in the order of their first members. */
export function groupBy<K, T>(all: readonly T[], keyOf: (one: T) => K): Map<K, NonEmpty<T>> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
