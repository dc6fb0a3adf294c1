/** What a wait ends with when its own time is over. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';

  constructor(readonly timeoutMs: number) {
    super(`no result within ${Math.round(timeoutMs)} ms`);
  }
}

/** The longest time that a timer of Node takes; what is above it would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds that a timer can take. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, ms), MAX_TIMER_MS);
}

/**
 * Gives work its own time inside a longer run. The work gets a signal that ends with its time or
 * with the run, whichever comes first, and should let go of what it holds.
 *
 * @throws TimedOut when its own time is over; the run's reason when the run ends first
 */
export async function withTimeout<T>(
  timeoutMs: number,
  run: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  run?.throwIfAborted();
  const own = new AbortController();
  let follow: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (reason: unknown) => {
        reject(reason);
        own.abort(reason);
      };
      follow = () => end(run?.reason);
      run?.addEventListener('abort', follow, { once: true });
      timer = setTimeout(() => end(new TimedOut(timeoutMs)), timerMs(timeoutMs));
      work(own.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    if (follow) run?.removeEventListener('abort', follow);
  }
}
