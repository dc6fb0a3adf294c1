import { awakeClock } from './awake-clock.js';

/** The longest time that a timer of Node takes; what is above it would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds that a timer can take. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, ms), MAX_TIMER_MS);
}

/**
 * A limit of time for something that comes from outside. It is over when this process has been awake
 * for so long, and has then read whatever had come: a timer that fires late, or before the input that
 * waits, is no observation of others.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #onOver: () => void;
  readonly #endWatch: () => unknown;
  #endsAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #reading: NodeJS.Immediate | undefined;

  /** @param ms with `Number.POSITIVE_INFINITY`, it is never over and keeps no process from ending */
  constructor(ms: number, onOver: () => void) {
    this.#ms = ms;
    this.#onOver = onOver;
    this.#endWatch = ms === Number.POSITIVE_INFINITY ? () => undefined : awakeClock.watch();
    this.touch();
  }

  /** Begins the time anew: something has come. */
  touch(): void {
    if (this.#ms === Number.POSITIVE_INFINITY) return;
    this.#clear();
    this.#endsAt = awakeClock.now() + this.#ms;
    this.#wait(this.#ms);
  }

  /** By the clock: what has come may wait to be read. */
  get isPast(): boolean {
    return awakeClock.now() >= this.#endsAt;
  }

  end(): void {
    this.#clear();
    this.#endWatch();
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), timerMs(ms));
  }

  #look(): void {
    const leftMs = this.#endsAt - awakeClock.now();
    if (leftMs > 0) this.#wait(leftMs);
    // Timers come before input in a turn of the event loop, and this comes behind it.
    else this.#reading = setImmediate(() => this.#over());
  }

  #over(): void {
    this.end();
    this.#onOver();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#reading);
  }
}
