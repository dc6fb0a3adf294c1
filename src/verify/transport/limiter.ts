import { readFileSync } from 'node:fs';

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

/** The number of files that Node itself, its modules, key and reports have open. */
const OWN_FILES = 40;

/** The files of one link: a connection to each of the service's 24 fixed addresses, questions to DNS servers, the file of rules. */
const FILES_OF_LINK = 28;

/** The number of links at once that the limit of open files allows, each connection being one. */
export function affordable(wanted: number, limit = openFilesLimit()): number {
  return Math.max(1, Math.min(wanted, Math.floor((limit - OWN_FILES) / FILES_OF_LINK)));
}

/** Reads the limit of open files; there is none if the system does not say. */
function openFilesLimit(): number {
  try {
    const [, soft = ''] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === '' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
