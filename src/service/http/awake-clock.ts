/** Between two looks at the time. */
const BEAT_MS = 10;

/** The maximum time between two looks of a process that nothing holds up. */
const MAX_BEAT_MS = 40;

/** So long a gap is no load: the process was stopped, or its machine was. */
export const MIN_PAUSE_MS = 1_000;

/** The time for which a process did not run while it was watched. */
export interface Standstill {
  readonly lostMs: number;
  /** As much of it as was lost in gaps of a second or more. */
  readonly pausedMs: number;
  /** Lost besides to gaps that are too short to stop the clock: this process was busy. */
  readonly busyMs: number;
}

const NOTHING: Standstill = { lostMs: 0, pausedMs: 0, busyMs: 0 };

/**
 * A monotonic clock that stops while this process does not run: stopped, starved of processor time, or
 * on a machine that is frozen. What others do in that time is not observed, so no limit counts it.
 *
 * It knows of the gaps between its own looks at the time, which it takes while it is watched.
 */
export class AwakeClock {
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #lostMs = 0;
  #pausedMs = 0;
  #busyMs = 0;
  #watchers = 0;

  /** Milliseconds; they mean something only beside others of the same clock. */
  now(): number {
    return performance.now() - this.#lostMs - this.#pendingMs();
  }

  /** @returns ends the watch and returns what was lost since it began; called again, it returns nothing lost */
  watch(): () => Standstill {
    if (this.#watchers === 0) this.#start();
    else this.#look();
    this.#watchers += 1;
    const [lostMs, pausedMs, busyMs] = [this.#lostMs, this.#pausedMs, this.#busyMs];
    let isOver = false;
    return () => {
      if (isOver) return NOTHING;
      isOver = true;
      this.#look();
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
      return {
        lostMs: this.#lostMs - lostMs,
        pausedMs: this.#pausedMs - pausedMs,
        busyMs: this.#busyMs - busyMs,
      };
    };
  }

  #start(): void {
    this.#lookedAt = performance.now();
    const beat = () => {
      this.#look();
      this.#timer?.refresh();
    };
    this.#timer = setTimeout(beat, BEAT_MS).unref();
  }

  #look(): void {
    const gapMs = performance.now() - this.#lookedAt;
    const lostMs = Math.max(0, gapMs - MAX_BEAT_MS);
    this.#busyMs += Math.max(0, gapMs - lostMs - BEAT_MS);
    this.#lookedAt += gapMs;
    this.#lostMs += lostMs;
    if (lostMs >= MIN_PAUSE_MS) this.#pausedMs += lostMs;
  }

  #pendingMs(): number {
    if (this.#watchers === 0) return 0;
    return Math.max(0, performance.now() - this.#lookedAt - MAX_BEAT_MS);
  }
}

/** One for the process: it has one event loop. */
export const awakeClock = new AwakeClock();
