/** A body, a stream or an event of one that is longer than anything the service sends. */
export class BodyTooLong extends Error {
  readonly code: 'BODY_TOO_LONG' | 'STREAM_TOO_LONG';

  constructor(
    readonly mostBytes: number,
    readonly what: 'body' | 'stream' | 'event' = 'body',
  ) {
    super(`the ${what} is longer than ${mostBytes} bytes`);
    this.code = what === 'body' ? 'BODY_TOO_LONG' : 'STREAM_TOO_LONG';
  }
}

/** The pieces of a stream, up to so many bytes of it. @throws BodyTooLong */
export async function* capped(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  what: BodyTooLong['what'],
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new BodyTooLong(mostBytes, what);
    yield piece;
  }
}

/** Reads a whole body as text. @throws BodyTooLong */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new BodyTooLong(mostBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes).toString('utf8');
}
