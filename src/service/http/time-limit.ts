import { type AwakeClock, awakeClock } from './awake-clock.js';

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
  readonly #clock: AwakeClock;
  #endsAt = Number.POSITIVE_INFINITY;
  #reading: NodeJS.Immediate | undefined;

  /** @param ms with `Number.POSITIVE_INFINITY`, it is never over and keeps no process from ending */
  constructor(ms: number, onOver: () => void, clock = awakeClock) {
    this.#ms = ms;
    this.#onOver = onOver;
    this.#clock = clock;
    this.touch();
  }

  /** Begins the time anew: something has come. */
  touch(): void {
    if (this.#ms === Number.POSITIVE_INFINITY) return;
    this.end();
    this.#clock.startBeats(this);
    this.#endsAt = this.#clock.now() + this.#ms;
  }

  /** True if the time is over by the clock, though what has come may still wait to be read. */
  get isPast(): boolean {
    return this.#clock.now() >= this.#endsAt;
  }

  onBeat(now: number): void {
    // Timers come before input in a turn of the event loop, and this comes behind it.
    if (now >= this.#endsAt) this.#reading ??= setImmediate(() => this.#over());
  }

  end(): void {
    this.#clock.endBeats(this);
    if (this.#reading !== undefined) clearImmediate(this.#reading);
    this.#reading = undefined;
  }

  #over(): void {
    this.end();
    this.#onOver();
  }
}
