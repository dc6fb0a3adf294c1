import { onSignal } from './signals.js';

/** A key press can arrive twice: from the terminal, and from npx, which forwards what it gets itself. */
const ONE_PRESS_MS = 1_000;

/** Ends a program that runs below a deploy. */
type End = (signal: NodeJS.Signals) => void;

/** Interrupts of a deploy, each of which reaches what runs below it once. */
export class Interrupts {
  signal: NodeJS.Signals | undefined;

  readonly #controller = new AbortController();
  readonly aborted = this.#controller.signal;

  readonly #ends = new Map<End, boolean>();
  readonly #stop: () => void;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor() {
    this.#stop = onSignal((signal) => this.#take(signal));
  }

  #take(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (now - this.#lastMs < ONE_PRESS_MS) return;
    this.#lastMs = now;
    if (this.signal === undefined && [...this.#ends.values()].includes(true)) {
      process.stderr.write(
        'secure-connectivity: waiting for Terraform to save its state; Ctrl-C ends it without saving\n',
      );
    }
    this.signal ??= signal;
    this.#controller.abort();
    for (const end of this.#ends.keys()) end(signal);
  }

  /**
   * Has a program ended by each signal from now on.
   *
   * @param isSaving whether it has a state to save before its end
   * @returns what leaves it alone again
   */
  forward(end: End, isSaving = false): () => void {
    this.#ends.set(end, isSaving);
    return () => void this.#ends.delete(end);
  }

  /** Leaves signals to the system again. */
  stop(): void {
    this.#stop();
  }
}
