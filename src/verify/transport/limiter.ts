/** Hands out places; who gets one calls the function to give it back. */
export type Limiter = () => Promise<() => void>;

/** @param places how many can be held at the same time */
export function createLimiter(places: number): Limiter {
  const waiting: (() => void)[] = [];
  let free = places;
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}

/** Maps in parallel, at most so many at a time; the results keep the order of the items. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
