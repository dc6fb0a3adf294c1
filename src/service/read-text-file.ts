import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText as collectText, REQUEST_TIMEOUT_MS, TimedOut } from './http/limits.js';

const LARGEST_FILE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const PAUSE_MS = 20;

export interface PipeLimits {
  /** How long to wait for all that a pipe gives. @default 10_000 */
  readonly timeoutMs?: number;
  /** How long to wait for a writer. @default as long as for all */
  readonly writerMs?: number;
}

export interface ReadLimits extends PipeLimits {
  /** @default 16 MiB */
  readonly mostBytes?: number;
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
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** Reads to the end what {@link openToRead} opened. @throws as {@link readTextFile} */
export async function readText(
  file: FileHandle,
  { mostBytes = LARGEST_FILE_BYTES, ...limits }: ReadLimits = {},
): Promise<string> {
  return await collectText(readPieces(file, limits), mostBytes);
}

/** Reads piece by piece what {@link openToRead} opened. @throws TimedOut; the system's error */
export async function* readPieces(
  file: FileHandle,
  { timeoutMs = REQUEST_TIMEOUT_MS, writerMs = timeoutMs }: PipeLimits,
): AsyncGenerator<Buffer, void, undefined> {
  const isPipe = (await file.stat()).isFIFO();
  const start = performance.now();
  for (let isFirst = true; ; ) {
    const piece = await readPiece(file);
    // A pipe without a writer ends at once; one may still come.
    const hasNoWriter = isPipe && isFirst && piece?.length === 0;
    if (piece === undefined || hasNoWriter) {
      const limitMs = hasNoWriter ? writerMs : timeoutMs;
      if (performance.now() >= start + limitMs) throw new TimedOut(limitMs);
      await sleep(PAUSE_MS);
      continue;
    }
    if (piece.length === 0) return;
    isFirst = false;
    yield piece;
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
