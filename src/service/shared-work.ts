import type { CallOptions } from './service-request.js';
import { withTimeout } from './with-timeout.js';

interface Running<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that is done once for all who want its result at the same time. */
export class SharedWork<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>;
  #running: Running<T> | undefined;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work;
  }

  /** Waits for the running work, or starts it. When the last who waits gives up, it is aborted. */
  async join({ signal, timeoutMs }: CallOptions = {}): Promise<T> {
    this.#running ??= this.#start();
    const running = this.#running;
    running.waiting += 1;
    try {
      return await this.#wait(running.result, signal, timeoutMs);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        this.#forget(running);
        running.controller.abort();
      }
    }
  }

  #wait(result: Promise<T>, signal?: AbortSignal, timeoutMs?: number): Promise<T> {
    if (signal === undefined && timeoutMs === undefined) return result;
    return withTimeout(timeoutMs ?? 2 ** 31 - 1, signal, () => result);
  }

  #start(): Running<T> {
    const controller = new AbortController();
    const result = this.#work(controller.signal);
    const running: Running<T> = { result, controller, waiting: 0 };
    const forget = () => this.#forget(running);
    result.then(forget, forget);
    return running;
  }

  #forget(running: Running<T>): void {
    if (this.#running === running) this.#running = undefined;
  }
}
