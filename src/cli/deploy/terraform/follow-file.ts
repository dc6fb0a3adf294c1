import { closeSync, openSync, readSync } from 'node:fs';

const INTERVAL_MS = 40;
const PIECE_BYTES = 64 * 1024;

/**
 * Passes on what is written to a file, as it grows.
 *
 * @param take reads a piece before it returns
 * @returns what passes on the rest, and ends it
 */
export function followFile(file: string, take: (piece: Buffer) => void): () => void {
  const descriptor = openSync(file, 'r');
  const piece = Buffer.alloc(PIECE_BYTES);
  let position = 0;
  const read = () => {
    for (;;) {
      const length = readSync(descriptor, piece, 0, PIECE_BYTES, position);
      if (length === 0) return;
      position += length;
      take(piece.subarray(0, length));
    }
  };
  const timer = setInterval(read, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    read();
    closeSync(descriptor);
  };
}
