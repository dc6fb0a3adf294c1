import { withTimeout } from './http/limits.js';
import type { CallOptions } from './http/message.js';

interface Running<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that is done once for all who want its result at the same time. */
export class SingleFlight<T> {
  #running: Running<T> | undefined;

  /**
   * Waits for the running work, or starts this one. When the last who waits gives up, it is aborted.
   *
   * @throws TimedOut when the caller's own time is over; what the work throws
   */
  async join(
    work: (signal: AbortSignal) => Promise<T>,
    { signal, timeoutMs = Number.POSITIVE_INFINITY }: CallOptions = {},
  ): Promise<T> {
    this.#running ??= this.#start(work);
    const running = this.#running;
    running.waiting += 1;
    try {
      return await withTimeout(timeoutMs, signal, () => running.result);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        this.#forget(running);
        running.controller.abort();
      }
    }
  }

  #start(work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const result = work(controller.signal);
    const running: Running<T> = { result, controller, waiting: 0 };
    const forget = () => this.#forget(running);
    result.then(forget, forget);
    return running;
  }

  #forget(running: Running<T>): void {
    if (this.#running === running) this.#running = undefined;
  }
}
