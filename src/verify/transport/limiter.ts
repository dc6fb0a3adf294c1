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
