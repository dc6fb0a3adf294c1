import { StringDecoder } from 'node:string_decoder';

/**
 * Output of one stack's Terraform on its way to the user: whole lines, each with the stack's name before
 * it where several stacks are deployed.
 */
export class StackOutput {
  readonly #prefix: string;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #rests = { stdout: '', stderr: '' };
  #held: (() => void)[] | undefined;

  /** @param prefix the name of the stack. @default - none */
  constructor(prefix?: string) {
    this.#prefix = prefix === undefined ? '' : `${prefix}  `;
  }

  /** Keeps what comes from now on until it is released. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const print of held) print();
  }

  /** Takes a piece of any length; an unfinished line waits for its end. */
  write(stream: 'stdout' | 'stderr', piece: Buffer | string): void {
    const text = typeof piece === 'string' ? piece : this.#decoders[stream].write(piece);
    const lines = (this.#rests[stream] + text).split('\n');
    this.#rests[stream] = lines.pop() ?? '';
    if (lines.length > 0) this.#print(stream, lines);
  }

  /** Writes what has no end of a line. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#rests[stream] + this.#decoders[stream].end();
      this.#rests[stream] = '';
      if (rest !== '') this.#print(stream, [rest]);
    }
  }

  #print(stream: 'stdout' | 'stderr', lines: readonly string[]): void {
    const named = lines.map((line) => (line === '' ? '\n' : `${this.#prefix}${line}\n`));
    const print = () => void process[stream].write(named.join(''));
    if (this.#held === undefined) print();
    else this.#held.push(print);
  }
}
