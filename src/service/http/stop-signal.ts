/** What says that work must end: an `AbortSignal`, or the one of a {@link Stop}. */
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
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }
}

/** The same for what takes nothing but a signal of Node.js. */
export function abortSignalOf(stop: StopSignal): AbortSignal {
  const own = new AbortController();
  if (stop.aborted) own.abort(stop.reason);
  else stop.addEventListener('abort', () => own.abort(stop.reason), { once: true });
  return own.signal;
}
