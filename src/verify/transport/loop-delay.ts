const STEP_MS = 10;

/**
 * How long this process itself was late, because it was busy or the machine was: what it measures of
 * others is longer by as much.
 */
class LoopDelay {
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #lateMs = 0;
  #watchers = 0;

  /** @returns ends the watch and returns the milliseconds of delay since it began */
  watch(): () => number {
    if (this.#watchers === 0) this.#schedule();
    this.#watchers += 1;
    const before = this.#lateMs;
    return () => {
      const lateMs = this.#lateMs + this.#pendingMs() - before;
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
      return lateMs;
    };
  }

  #schedule(): void {
    this.#dueAt = performance.now() + STEP_MS;
    this.#timer = setTimeout(() => {
      this.#lateMs += this.#pendingMs();
      this.#schedule();
    }, STEP_MS).unref();
  }

  #pendingMs(): number {
    return Math.max(0, performance.now() - this.#dueAt);
  }
}

/** One for the process: it has one event loop. */
export const loopDelay = new LoopDelay();
