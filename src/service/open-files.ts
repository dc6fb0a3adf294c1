import { closeSync, constants, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { devNull } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { shortageName } from '../codes/file-shortage.js';
import {
  BodyTooLong,
  collectText,
  REQUEST_TIMEOUT_MS,
  TimedOut,
  withTimeout,
} from './http/limits.js';
import { isUtf16 } from './response-body.js';

/** Libraries that ask DNS lose the system's own error. @throws the system's error */
export function checkFilesLeft(): void {
  closeSync(openSync(devNull, 'r'));
}

/**
 * Works like `withTimeout`, for work that opens a file or a connection.
 *
 * @throws ConnectivityError `run.too-many-files` where no more may be opened
 */
export async function withFiles<T>(
  timeoutMs: number,
  run: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(timeoutMs, run, work);
  } catch (cause) {
    const shortage = shortageName(cause);
    if (shortage === undefined) throw cause;
    throw new ConnectivityError(
      'run.too-many-files',
      `this process may open no more files, got: ${shortage}`,
      { cause },
    );
  }
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const READ_PAUSE_MS = 20;

interface ReadLimits {
  /** The time to wait for all that a pipe gives. @default 10_000 */
  readonly timeoutMs?: number;
  /** The time to wait for a writer. @default as long as for all */
  readonly writerMs?: number;
  /** @default 16 MiB */
  readonly mostBytes?: number;
}

/** Reads a file or pipe. @throws BodyTooLong; TimedOut; the system's error */
export async function readTextFile(path: string, limits?: ReadLimits): Promise<string> {
  const file = await openToRead(path);
  try {
    const text = await readText(file, limits);
    if (!isUtf16(text)) return text;
    throw Object.assign(new Error('got: UTF-16'), { code: 'UTF-16: save it as UTF-8' });
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
  { mostBytes = MAX_FILE_BYTES, ...limits }: ReadLimits = {},
): Promise<string> {
  const stat = await file.stat();
  if (stat.isFile() && stat.size > mostBytes) throw new BodyTooLong(mostBytes);
  return await collectText(readPieces(file, limits), mostBytes);
}

/** Reads piece by piece what {@link openToRead} opened. @throws TimedOut; the system's error */
export async function* readPieces(
  file: FileHandle,
  { timeoutMs = REQUEST_TIMEOUT_MS, writerMs = timeoutMs }: Omit<ReadLimits, 'mostBytes'>,
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
      await setTimeout(READ_PAUSE_MS);
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
