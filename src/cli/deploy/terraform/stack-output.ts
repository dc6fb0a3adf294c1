import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { redactOthers } from '../../../codes/redact.js';
import { eraseLine } from '../../../progress/waiting.js';

/**
 * Output of one stack's Terraform on its way to the user: whole lines without secrets, which providers may print, each
 * with the stack's name before it where several stacks are deployed.
 */
export class StackOutput {
  readonly #prefix: string;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #rests = { stdout: '', stderr: '' };
  /** Texts that Terraform puts before each line of a private key that it prints at the moment. */
  readonly #beforeKey: { stdout?: string | undefined; stderr?: string | undefined } = {};
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

  /** Tells whether a line belongs to a private key that began in one before: each alone looks like no secret. */
  #isOfKey(stream: 'stdout' | 'stderr', line: string): boolean {
    const text = stripVTControlCharacters(line);
    const before = this.#beforeKey[stream];
    // Others may print between its lines.
    const isOfOthers = before !== undefined && !text.startsWith(before);
    const isOfKey = !isOfOthers && before !== undefined && KEY_LINE.test(text.slice(before.length));
    if (!(isOfKey || isOfOthers)) this.#beforeKey[stream] = KEY_BEGIN.exec(text)?.[1];
    return isOfKey;
  }

  #print(stream: 'stdout' | 'stderr', lines: readonly string[]): void {
    const named = lines
      .filter((line) => !this.#isOfKey(stream, line))
      .map((line) => (line === '' ? '\n' : `${this.#prefix}${redactOthers(line)}\n`));
    const print = () => {
      eraseLine();
      process[stream].write(named.join(''));
    };
    if (this.#held === undefined) print();
    else this.#held.push(print);
  }
}

const KEY_BEGIN = /^(.*)-----BEGIN [A-Z ]*PRIVATE KEY-----\s*$/;
const KEY_LINE = /^(?:[\w+/]{1,76}={0,2}|(?:Proc-Type|DEK-Info): .*)?\s*$/;
