import type { Change } from '../changes.js';

/** The same change through several resources is one row that names them all. */
export function mergeCarriers(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const { through, addresses: _, ...rest } = change;
    const key = JSON.stringify(rest);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, change);
    else
      merged.set(key, {
        ...known,
        through: [known.through, through].filter((one) => one !== '').join('; '),
      });
  }
  return [...merged.values()];
}
