import type { Socket } from 'node:net';
import { MAX_HEADER_BYTES } from './limits.js';

const CONTINUE = 'HTTP/1.1 100';
const HEAD_END = '\r\n\r\n';

/**
 * Takes the answers `100 Continue` out of what a socket reads. A client must accept any 1xx answer
 * that it did not ask for (RFC 9110, 15.2); the HTTP client accepts all of them but this one.
 */
export function withoutContinue<T extends Socket>(socket: T): T {
  const filter = new ContinueFilter();
  const { read, write } = socket;
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: unknown = read.call(socket, size);
      if (!Buffer.isBuffer(chunk)) return chunk;
      const rest = filter.pass(chunk);
      if (rest.length > 0) return rest;
    }
  };
  socket.write = ((...args: Parameters<typeof write>) => {
    filter.expectHead();
    return write.apply(socket, args);
  }) as typeof write;
  return socket;
}

/** The bytes of answers without those of an interim head. */
class ContinueFilter {
  #isHeadExpected = true;
  #held: Buffer = Buffer.alloc(0);

  /** A request is sent: what comes next begins with the head of an answer. */
  expectHead(): void {
    this.#isHeadExpected = true;
  }

  pass(chunk: Buffer): Buffer {
    if (!this.#isHeadExpected) return chunk;
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    while (beginsInterim(rest)) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0 && rest.length < MAX_HEADER_BYTES) {
        this.#held = rest;
        return Buffer.alloc(0);
      }
      if (end < 0) break;
      rest = rest.subarray(end + HEAD_END.length);
    }
    this.#isHeadExpected = rest.length === 0;
    return rest;
  }
}

/** Tells whether bytes are the beginning of an interim head, as far as they go. */
function beginsInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, CONTINUE.length);
  return start !== '' && CONTINUE.startsWith(start);
}
