import { TimeLimit } from './time-limit.js';

/** A size that no answer of the service comes near. */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_HEADER_BYTES = 32 * 1024;

/** Milliseconds for a whole call, unless the caller says otherwise. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** The error of a wait whose own time is over. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';

  constructor(readonly timeoutMs: number) {
    super(`no result within ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * Gives work its own time inside a longer run. The work gets a signal that ends with its time or
 * with the run, whichever comes first, and should let go of what it holds. The time is what this
 * process was awake for.
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
  const limit = new TimeLimit(timeoutMs, () => own.abort(new TimedOut(timeoutMs)));
  // Node.js 20 keeps each signal of `AbortSignal.any` for as long as the run's.
  const follow = () => own.abort(run?.reason);
  run?.addEventListener('abort', follow, { once: true });
  try {
    return await untilAborted(work(own.signal), own.signal);
  } finally {
    limit.end();
    run?.removeEventListener('abort', follow);
  }
}

/** Waits for work no longer than until a signal. @throws the signal's reason where it ends first */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(signal.reason);
    if (signal.aborted) cut();
    signal.addEventListener('abort', cut, { once: true });
    work.then(resolve, reject);
  });
}

/** Ends a stream that takes too long as a whole or between two pieces, or that the caller ends. */
export function timeStream(
  outside: AbortSignal | undefined,
  timeoutMs: number,
  idleTimeoutMs: number,
) {
  outside?.throwIfAborted();
  const own = new AbortController();
  const start = (ms: number) => new TimeLimit(ms, () => own.abort(new TimedOut(ms)));
  const whole = start(timeoutMs);
  const idle = start(idleTimeoutMs);
  const follow = () => own.abort(outside?.reason);
  outside?.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal as AbortSignal,
    /** A piece has come. */
    touch: () => idle.touch(),
    stop: () => {
      whole.end();
      idle.end();
      outside?.removeEventListener('abort', follow);
    },
  };
}

/** A body, a stream or an event of one that is longer than anything the service sends. */
export class BodyTooLong extends Error {
  readonly code: 'BODY_TOO_LONG' | 'STREAM_TOO_LONG';

  constructor(
    readonly mostBytes: number,
    readonly what: 'body' | 'stream' | 'event' = 'body',
  ) {
    super(`the ${what} is longer than ${mostBytes} bytes`);
    this.code = what === 'body' ? 'BODY_TOO_LONG' : 'STREAM_TOO_LONG';
  }
}

/** The error of an answer of whose body only a part came. */
export class CutShort extends Error {
  readonly code = 'CUT_SHORT';
}

/** The pieces of a stream, up to so many bytes of it. @throws BodyTooLong */
export async function* capped(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  what: BodyTooLong['what'] = 'body',
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new BodyTooLong(mostBytes, what);
    yield piece;
  }
}

/** Reads a whole body as text. @throws BodyTooLong */
export async function collectText(body: AsyncIterable<Uint8Array>, mostBytes: number) {
  const pieces: Uint8Array[] = [];
  for await (const piece of capped(body, mostBytes)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
