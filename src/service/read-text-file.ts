import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BodyTooLong } from './body.js';
import { REQUEST_TIMEOUT_MS } from './limits.js';
import { withFiles } from './open-files.js';
import { TimedOut } from './with-timeout.js';

const LARGEST_FILE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const PAUSE_MS = 20;

export interface ReadLimits {
  /** @default 16 MiB */
  readonly mostBytes?: number;
  /** How long to wait for what a pipe gives. @default 10_000 */
  readonly timeoutMs?: number;
}

/** Reads a file or pipe. @throws BodyTooLong; TimedOut; the system's error */
export async function readTextFile(path: string, limits?: ReadLimits): Promise<string> {
  const file = await openToRead(path);
  try {
    return await readText(file, limits);
  } finally {
    await file.close();
  }
}

/**
 * Opens a file without waiting: to open a pipe that nobody writes to would block a thread of
 * Node.js, which then cannot even exit.
 */
export function openToRead(path: string): Promise<FileHandle> {
  return withFiles(REQUEST_TIMEOUT_MS, undefined, () =>
    open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)),
  );
}

/** Reads to the end what {@link openToRead} opened. @throws as {@link readTextFile} */
export async function readText(
  file: FileHandle,
  { mostBytes = LARGEST_FILE_BYTES, timeoutMs = REQUEST_TIMEOUT_MS }: ReadLimits = {},
): Promise<string> {
  const isPipe = (await file.stat()).isFIFO();
  const end = performance.now() + timeoutMs;
  const pieces: Buffer[] = [];
  for (let size = 0; ; ) {
    const piece = await readPiece(file);
    // A pipe without a writer ends at once; one may still come.
    const isEmpty = piece === undefined || (piece.length === 0 && isPipe && size === 0);
    if (isEmpty) {
      if (performance.now() >= end) throw new TimedOut(timeoutMs);
      await sleep(PAUSE_MS);
      continue;
    }
    if (piece.length === 0) return Buffer.concat(pieces).toString('utf8');
    size += piece.length;
    if (size > mostBytes) throw new BodyTooLong(mostBytes);
    pieces.push(piece);
  }
}

/** @returns undefined where a pipe has a writer and nothing to read yet */
async function readPiece(file: FileHandle): Promise<Buffer | undefined> {
  try {
    // No position: a pipe has none.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
