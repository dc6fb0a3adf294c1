import type { Readable } from 'node:stream';
import { TimeLimit } from './time-limit.js';

/** A signal that work must end: an `AbortSignal`, or the one of a {@link Stop}. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends work as an `AbortController` does, its own signal. Each step of a check needs one, and an
 * `AbortController` with its listener takes ten times as long.
 */
export class Stop implements StopSignal {
  aborted = false;
  reason: unknown;
  #listeners: (() => void)[] = [];

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Each listener is called once, as there is one event. */
  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.#listeners.lastIndexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}

const stops = new WeakMap<AbortSignal, Stop>();

/** A signal that many pieces of work listen to, as one whose listeners take little time. */
export function toStop(signal: AbortSignal): StopSignal {
  const known = stops.get(signal);
  if (known !== undefined) return known;
  const own = new Stop();
  stops.set(signal, own);
  const end = () => own.abort(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return own;
}

/** The same for what takes nothing but a signal of Node.js. */
export function toAbortSignal(stop: StopSignal): AbortSignal {
  const own = new AbortController();
  if (stop.aborted) own.abort(stop.reason);
  else stop.addEventListener('abort', () => own.abort(stop.reason), { once: true });
  return own.signal;
}

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
export function withTimeout<T>(
  timeoutMs: number,
  run: StopSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withStop(timeoutMs, run, (stop) => work(toAbortSignal(stop)));
}

/** Works like {@link withTimeout}, for work that needs no signal of Node.js. */
export async function withStop<T>(
  timeoutMs: number,
  run: StopSignal | undefined,
  work: (signal: StopSignal) => Promise<T>,
): Promise<T> {
  run?.throwIfAborted();
  const own = new Stop();
  const limit = new TimeLimit(timeoutMs, () => own.abort(new TimedOut(timeoutMs)));
  const follow = () => own.abort(run?.reason);
  run?.addEventListener('abort', follow, { once: true });
  try {
    return await untilStop(work(own), own);
  } finally {
    limit.end();
    run?.removeEventListener('abort', follow);
  }
}

/** Waits for work no longer than until a signal. @throws the signal's reason where it ends first */
export function untilStop<T>(work: Promise<T>, signal: StopSignal): Promise<T> {
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
  const own = new Stop();
  const start = (ms: number) => new TimeLimit(ms, () => own.abort(new TimedOut(ms)));
  const whole = start(timeoutMs);
  const idle = start(idleTimeoutMs);
  const follow = () => own.abort(outside?.reason);
  outside?.addEventListener('abort', follow, { once: true });
  return {
    signal: own as StopSignal,
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

/**
 * Reads the bytes of a whole body that tells of its pieces: to iterate takes twice as long.
 *
 * @param onBytes called with the number of bytes so far
 */
export function readWhole(
  body: Readable,
  mostBytes: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    body.once('end', () => resolve(Buffer.concat(pieces, bytes)));
    // It stays: an error behind the end must not end the process.
    body.on('error', reject);
    body.on('data', (piece: Buffer) => {
      bytes += piece.length;
      onBytes(bytes);
      if (bytes <= mostBytes) pieces.push(piece);
      else body.destroy(new BodyTooLong(mostBytes));
    });
  });
}

/** Reads a whole body as text. @throws BodyTooLong */
export async function collectText(body: AsyncIterable<Uint8Array>, mostBytes: number) {
  const pieces: Uint8Array[] = [];
  for await (const piece of capped(body, mostBytes)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
