/** Between two looks at the time. */
const BEAT_MS = 10;

/** The maximum time between two looks of a process that nothing holds up. */
const MAX_BEAT_MS = 40;

/** The length of a gap that is no load: the process was stopped, or its machine was. */
export const MIN_PAUSE_MS = 1_000;

/** The time for which a process did not run while it was watched. */
export interface Standstill {
  readonly lostMs: number;
  /** The part of it that was lost in gaps of a second or more. */
  readonly pausedMs: number;
  /** Lost besides to gaps that are too short to stop the clock: this process was busy. */
  readonly busyMs: number;
}

interface BeatListener {
  /** @param now milliseconds of the clock */
  readonly onBeat: (now: number) => void;
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
  readonly #listeners = new Set<BeatListener>();

  /** Milliseconds; they mean something only beside others of the same clock. */
  now(): number {
    const now = performance.now();
    const pendingMs = this.#watchers === 0 ? 0 : now - this.#lookedAt - MAX_BEAT_MS;
    return now - this.#lostMs - Math.max(0, pendingMs);
  }

  /** Tells of each beat until it is ended. All share one timer, which keeps the process from ending. */
  startBeats(listener: BeatListener): void {
    if (this.#listeners.has(listener)) return;
    this.#begin();
    if (this.#listeners.add(listener).size === 1) this.#timer?.ref();
  }

  endBeats(listener: BeatListener): void {
    if (!this.#listeners.delete(listener)) return;
    if (this.#listeners.size === 0) this.#timer?.unref();
    this.#end();
  }

  /** @returns ends the watch and returns what was lost since it began; called again, it returns nothing lost */
  watch(): () => Standstill {
    this.#begin();
    const [lostMs, pausedMs, busyMs] = [this.#lostMs, this.#pausedMs, this.#busyMs];
    let isOver = false;
    return () => {
      if (isOver) return NOTHING;
      isOver = true;
      this.#end();
      return {
        lostMs: this.#lostMs - lostMs,
        pausedMs: this.#pausedMs - pausedMs,
        busyMs: this.#busyMs - busyMs,
      };
    };
  }

  #begin(): void {
    this.#watchers += 1;
    if (this.#watchers > 1) this.#look();
    else this.#start();
  }

  #start(): void {
    this.#lookedAt = performance.now();
    const beat = () => {
      this.#look();
      const now = this.now();
      for (const listener of this.#listeners) listener.onBeat(now);
      this.#timer?.refresh();
    };
    this.#timer = setTimeout(beat, BEAT_MS).unref();
  }

  #end(): void {
    this.#look();
    this.#watchers -= 1;
    if (this.#watchers === 0) clearTimeout(this.#timer);
  }

  #look(): void {
    const gapMs = performance.now() - this.#lookedAt;
    const lostMs = Math.max(0, gapMs - MAX_BEAT_MS);
    this.#busyMs += Math.max(0, gapMs - lostMs - BEAT_MS);
    this.#lookedAt += gapMs;
    this.#lostMs += lostMs;
    if (lostMs >= MIN_PAUSE_MS) this.#pausedMs += lostMs;
  }
}

/** One for the process: it has one event loop. */
export const awakeClock = new AwakeClock();
