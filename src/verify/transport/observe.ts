import { watchForPause } from '../../service/http/time-limit.js';

/**
 * Observes others, and once more where this process or its machine stood still meanwhile and that may
 * have made what was seen.
 *
 * @returns `wasPaused` where they stood still in every try
 * @param look called with whether it was called before
 * @param isDoubtful whether a standstill can have made what was seen
 */
export async function observe<T>(
  look: (isRepeated: boolean) => Promise<T>,
  isDoubtful: (seen: T) => boolean,
) {
  const first = await lookOnce(() => look(false), isDoubtful);
  if (!first.wasPaused) return { ...first, isRepeated: false };
  return { ...(await lookOnce(() => look(true), isDoubtful)), isRepeated: true };
}

async function lookOnce<T>(look: () => Promise<T>, isDoubtful: (seen: T) => boolean) {
  const endWatch = watchForPause();
  const seen = await look().finally(endWatch);
  return { seen, wasPaused: isDoubtful(seen) && endWatch() };
}
