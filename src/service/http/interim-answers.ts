import type { Socket } from 'node:net';
import { MAX_HEADER_BYTES } from './limits.js';

/** The beginning of an interim answer's head; a change of protocol (101) is no interim answer. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const STATUS_END = 'HTTP/1.1 100'.length;
const HEAD_END = '\r\n\r\n';

/**
 * Takes interim answers out of what a socket reads. A client must accept any 1xx answer that it did not
 * ask for (RFC 9110, 15.2); the HTTP client refuses `100 Continue`.
 */
export function withoutInterim<T extends Socket>(socket: T): T {
  const filter = new InterimFilter();
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

/** The bytes of answers without those of interim heads. */
class InterimFilter {
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
    for (;;) {
      const isOpen =
        rest.length < STATUS_END && 'HTTP/1.'.startsWith(rest.toString('latin1', 0, 7));
      const isInterim = INTERIM.test(rest.toString('latin1', 0, STATUS_END));
      const end = isInterim ? rest.indexOf(HEAD_END) : -1;
      if (end >= 0) {
        rest = rest.subarray(end + HEAD_END.length);
        continue;
      }
      if (isOpen || (isInterim && rest.length < MAX_HEADER_BYTES)) {
        this.#held = rest;
        return Buffer.alloc(0);
      }
      this.#isHeadExpected = false;
      return rest;
    }
  }
}
