import { TimedOut, timerMs } from './with-timeout.js';

export interface StreamTimes {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole stream. */
  readonly timeoutMs: number;
  /** Milliseconds from one piece to the next. */
  readonly idleTimeoutMs: number;
}

/** Ends a stream that takes too long as a whole or between two pieces, or that the caller ends. */
export class StreamTimer {
  readonly #own = new AbortController();
  readonly #outside: AbortSignal | undefined;
  readonly #whole: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;

  constructor({ signal, timeoutMs, idleTimeoutMs }: StreamTimes) {
    signal?.throwIfAborted();
    this.#outside = signal;
    signal?.addEventListener('abort', this.#follow, { once: true });
    this.#whole = setTimeout(() => this.#own.abort(new TimedOut(timeoutMs)), timerMs(timeoutMs));
    this.#idle = setTimeout(
      () => this.#own.abort(new TimedOut(idleTimeoutMs)),
      timerMs(idleTimeoutMs),
    );
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** A piece has come. */
  touch(): void {
    this.#idle.refresh();
  }

  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#idle);
    this.#outside?.removeEventListener('abort', this.#follow);
  }

  readonly #follow = () => this.#own.abort(this.#outside?.reason);
}
