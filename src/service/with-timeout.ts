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
  const follow = () => own.abort(run?.reason);
  run?.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(() => own.abort(new TimedOut(timeoutMs)), timerMs(timeoutMs));
  const ended = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true });
  });
  try {
    return await Promise.race([ended, work(own.signal)]);
  } finally {
    clearTimeout(timer);
    run?.removeEventListener('abort', follow);
  }
}
