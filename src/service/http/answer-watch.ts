import type { Socket } from 'node:net';

/** The beginning of an interim answer's head; a change of protocol (101) is no interim answer. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const STATUS_END = 'HTTP/1.1 100'.length;
const HEAD_END = '\r\n\r\n';

/** The HTTP client's words for an answer to nothing. */
export const UNASKED = 'bad response';

/** The place of bytes that belong to no answer: behind the answer, before its call, or where it should be. */
export type Stray = 'behind' | 'before' | 'instead';

const NOTHING = Buffer.alloc(0);

/**
 * Sees what connections read that the HTTP client does not tell of, and takes interim answers out of it:
 * a client must accept any 1xx answer that it did not ask for (RFC 9110, 15.2), and this one refuses
 * `100 Continue`.
 *
 * It is for connections that are used one after the other.
 */
export class AnswerWatch {
  #socket: Socket | undefined;
  #isSent = false;
  /** A request is sent, and nothing has come for it. */
  #isAsked = false;
  #isHeadExpected = true;
  #isInHead = false;
  #stray: Stray | undefined;
  /** The bytes that may still be an interim head. */
  #held: Buffer = NOTHING;
  #head: Buffer = NOTHING;
  #interim: string | undefined;

  constructor(private readonly maxHeadBytes: number) {}

  /** Watches a connection from its first request on. */
  over<T extends Socket>(socket: T): T {
    this.#noteStray('before');
    this.#socket = socket;
    this.#isAsked = false;
    const { read, write } = socket;
    socket.read = (size?: number) => {
      for (;;) {
        const chunk: unknown = read.call(socket, size);
        if (!Buffer.isBuffer(chunk)) return chunk;
        const rest = this.#pass(chunk);
        if (rest.length > 0) return rest;
      }
    };
    socket.write = ((...args: Parameters<typeof write>) => {
      this.#expectHead();
      return write.apply(socket, args);
    }) as typeof write;
    return socket;
  }

  /** A call begins, on a connection that is there or that is still to be opened. */
  begin(): void {
    this.#isSent = false;
    this.#held = NOTHING;
    this.#head = NOTHING;
    this.#interim = undefined;
  }

  /** The call has a connection, opened and secured. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** The head of the last answer, as far as it has come. */
  get head(): Buffer {
    return this.#held.length > 0 ? this.#held : this.#head;
  }

  /** The first line of the last interim answer to this request. */
  get interim(): string | undefined {
    return this.#interim;
  }

  /** Tells once where bytes have come that belong to no answer. */
  takeStray(): Stray | undefined {
    this.#noteStray('behind');
    const stray = this.#stray;
    this.#stray = undefined;
    return stray;
  }

  /** Ends the connection: the next call opens another. */
  drop(): void {
    this.#socket?.destroy();
  }

  /** The client ends a connection at bytes that it did not ask for, so no later call goes over it. */
  #noteStray(where: Stray): void {
    const { name, message } = this.#socket?.errored ?? {};
    if (name !== 'HTTPParserError' && message !== UNASKED) return;
    this.#stray = where;
    this.#socket = undefined;
  }

  /** A request is sent: what comes next begins with the head of an answer. */
  #expectHead(): void {
    this.#isSent = true;
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#isHeadExpected = true;
    this.#isInHead = false;
    this.#held = NOTHING;
    this.#head = NOTHING;
    this.#interim = undefined;
  }

  #pass(chunk: Buffer): Buffer {
    const rest = this.#isHeadExpected ? this.#withoutInterim(chunk) : chunk;
    if (this.#isInHead) this.#keep(rest);
    return rest;
  }

  #withoutInterim(chunk: Buffer): Buffer {
    let rest = joined(this.#held, chunk);
    this.#held = NOTHING;
    for (;;) {
      const isOpen =
        rest.length < STATUS_END && 'HTTP/1.'.startsWith(rest.toString('latin1', 0, 7));
      const isInterim = INTERIM.test(rest.toString('latin1', 0, STATUS_END));
      const end = isInterim ? rest.indexOf(HEAD_END) : -1;
      if (end >= 0) {
        this.#interim = rest.toString('latin1', 0, rest.indexOf('\r'));
        rest = rest.subarray(end + HEAD_END.length);
        continue;
      }
      if (isOpen || (isInterim && rest.length < this.maxHeadBytes)) {
        this.#held = rest;
        return NOTHING;
      }
      this.#isAsked = false;
      this.#isHeadExpected = false;
      this.#isInHead = true;
      return rest;
    }
  }

  #keep(piece: Buffer): void {
    const head = joined(this.#head, piece);
    const end = head.indexOf(HEAD_END);
    this.#head = end < 0 ? head : head.subarray(0, end + HEAD_END.length);
    this.#isInHead = end < 0 && head.length < this.maxHeadBytes;
  }
}

function joined(before: Buffer, piece: Buffer): Buffer {
  return before.length > 0 ? Buffer.concat([before, piece]) : piece;
}
