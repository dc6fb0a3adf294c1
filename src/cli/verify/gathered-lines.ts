/** A write takes a twentieth of the time of a check, however long its text is. */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 64 * 1024;

/** Writes lines together: once they are many, or the first of them has waited long enough. */
export class GatheredLines {
  readonly #write: (text: string) => boolean;
  readonly #isRead: boolean;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;

  /**
   * @param write says whether it takes more at once
   * @param isRead the lines are read as they come: one that follows no other closely is written at once
   */
  constructor(write: (text: string) => boolean, { isRead = false } = {}) {
    this.#write = write;
    this.#isRead = isRead;
  }

  /** @returns whether more can be added at once */
  add(line: string): boolean {
    this.#text += line;
    if (this.#text.length >= GATHER_CHARACTERS || this.#isDue()) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
    return true;
  }

  /** @returns whether more can be added at once */
  flush(): boolean {
    const text = this.take();
    if (text === '') return true;
    if (this.#isRead) this.#writtenAt = performance.now();
    return this.#write(text);
  }

  #isDue(): boolean {
    return this.#isRead && performance.now() - this.#writtenAt >= GATHER_MS;
  }

  /** What is not written yet, and will not be. */
  take(): string {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
