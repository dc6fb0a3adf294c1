import type { Progress } from '../../verify/model/options.js';

export interface Count {
  readonly done: number;
  readonly bad: number;
  /** For their next attempt. */
  readonly waiting?: number;
  readonly total: number;
  readonly seconds: number;
}

/** Counts what has become of the links. */
export class LinkCounter {
  readonly #start = performance.now();
  readonly #waiting = new Set<string>();
  #done = 0;
  #bad = 0;

  constructor(readonly total: number) {}

  /** @returns whether anything has changed */
  count(progress: Progress): boolean {
    const { kind, link } = progress;
    if (kind === 'retry' || kind === 'pass') {
      this.#waiting.add(link);
      return true;
    }
    const hasWaited = this.#waiting.delete(link);
    if (kind === 'stage' || kind === 'probes') return hasWaited;
    this.#done += 1;
    if (progress.verdict !== 'reachable') this.#bad += 1;
    return true;
  }

  state(): Count {
    const seconds = (performance.now() - this.#start) / 1000;
    const waiting = this.#waiting.size;
    return { done: this.#done, bad: this.#bad, waiting, total: this.total, seconds };
  }

  words(): string {
    const of = Number.isFinite(this.total) ? ` of ${this.total}` : '';
    return `${this.#done}${of} links checked, ${this.#waiting.size} waiting for a new attempt`;
  }
}
