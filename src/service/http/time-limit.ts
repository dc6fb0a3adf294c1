/** The longest time that a timer of Node takes; what is above it would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds that a timer can take. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, ms), MAX_TIMER_MS);
}

/**
 * A limit of time for something that comes from outside. When it is over, what had come is read first: a
 * timer that fires before the input that waits is no observation of others.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #onOver: () => void;
  #endsAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #reading: NodeJS.Immediate | undefined;

  /** @param ms with `Number.POSITIVE_INFINITY`, it is never over and keeps no process from ending */
  constructor(ms: number, onOver: () => void) {
    this.#ms = ms;
    this.#onOver = onOver;
    this.touch();
  }

  /** Begins the time anew: something has come. */
  touch(): void {
    if (this.#ms === Number.POSITIVE_INFINITY) return;
    this.end();
    this.#endsAt = performance.now() + this.#ms;
    this.#timer = setTimeout(() => {
      // Timers come before input in a turn of the event loop, and this comes behind it.
      this.#reading = setImmediate(this.#onOver);
    }, timerMs(this.#ms));
  }

  /** True if the time is over by the clock, though what has come may still wait to be read. */
  get isPast(): boolean {
    return performance.now() >= this.#endsAt;
  }

  end(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#reading);
  }
}

/** The lateness of a timer that is no load: the process was stopped, or its machine was. */
export const PAUSE_MS = 1_000;

const TICK_MS = 200;

/**
 * Watches for a timer that fires a second late: the process stood still, stopped, starved of processor
 * time, or on a machine that is frozen.
 *
 * @returns ends the watch and tells whether the process stood still while it lasted
 */
export function watchForPause(): () => boolean {
  let dueAt = performance.now() + TICK_MS;
  let wasPaused = false;
  const look = () => {
    wasPaused ||= performance.now() - dueAt >= PAUSE_MS;
    dueAt = performance.now() + TICK_MS;
  };
  const timer = setInterval(look, TICK_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    return wasPaused;
  };
}
