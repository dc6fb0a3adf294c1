/** A body that is longer than anything the service sends. */
export class BodyTooLong extends Error {
  readonly code = 'BODY_TOO_LONG';

  constructor(readonly mostBytes: number) {
    super(`the body is longer than ${mostBytes} bytes`);
  }
}

/** The pieces of a body, up to so many bytes of it. @throws BodyTooLong */
export async function* capped(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new BodyTooLong(mostBytes);
    yield piece;
  }
}

/** Reads a whole body as text. @throws BodyTooLong */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of capped(body, mostBytes)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
