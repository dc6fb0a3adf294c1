/** A write to a file takes a twentieth of the time of a check, however long its text is. */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 64 * 1024;

/** Writes lines together: once they are many, or the first of them has waited long enough. */
export class GatheredLines {
  readonly #write: (text: string) => boolean;
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param write says whether it takes more at once */
  constructor(write: (text: string) => boolean) {
    this.#write = write;
  }

  /** @returns whether more can be added at once */
  add(line: string): boolean {
    this.#text += line;
    if (this.#text.length >= GATHER_CHARACTERS) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
    return true;
  }

  /** @returns whether more can be added at once */
  flush(): boolean {
    const text = this.take();
    return text === '' || this.#write(text);
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
