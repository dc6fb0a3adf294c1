/** Parts that were started, to be stopped in the opposite order. */
export class Stoppables {
  readonly #parts: (() => void | Promise<void>)[] = [];

  /** Keeps a started part and answers it. */
  keep<T extends { stop(): Promise<void> }>(part: T): T {
    this.#parts.push(() => part.stop());
    return part;
  }

  onStop(action: () => void): void {
    this.#parts.push(action);
  }

  /** Stops everything once; a second call finds nothing left. */
  async stop(): Promise<void> {
    for (const stop of this.#parts.splice(0).reverse()) await stop();
  }
}
