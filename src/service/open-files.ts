import { closeSync, constants, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { devNull } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { isFileShortage, shortageName } from '../codes/file-shortage.js';
import {
  BodyTooLong,
  collectText,
  REQUEST_TIMEOUT_MS,
  TimedOut,
  withTimeout,
} from './http/limits.js';
import { isUtf16 } from './response-body.js';

/** The pause before the next try to open a file, while others may close one. */
const PAUSE_MS = 50;

/** A try that has had less than this share of the time says nothing of the network yet. */
const MIN_SHARE = 0.25;

/** Libraries that ask DNS lose the system's own error. @throws the system's error */
export function checkFilesLeft(): void {
  closeSync(openSync(devNull, 'r'));
}

/**
 * Works like `withTimeout`, for work that opens a file or a connection: it is tried again where no
 * more may be opened, and less is begun at the same time from then on.
 *
 * @throws ConnectivityError `run.too-many-files` where none was closed in time
 */
export async function withFiles<T>(
  timeoutMs: number,
  run: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let shortage: unknown;
  const endsAt = performance.now() + timeoutMs;
  // A pause between two tries gives no try any time.
  let triedAt = Number.POSITIVE_INFINITY;
  const untilOpen = async (own: AbortSignal): Promise<T> => {
    for (;;) {
      try {
        triedAt = performance.now();
        return await work(own);
      } catch (cause) {
        if (!isFileShortage(cause)) throw cause;
        shortage = cause;
        triedAt = Number.POSITIVE_INFINITY;
        pace.slowDown();
        await setTimeout(PAUSE_MS, undefined, { signal: own });
      }
    }
  };
  try {
    return await withTimeout(timeoutMs, run, untilOpen);
  } catch (error) {
    if (shortage === undefined || !(error instanceof TimedOut)) throw error;
    const hadTime = endsAt - triedAt >= timeoutMs * MIN_SHARE;
    if (hadTime) throw error;
    throw new ConnectivityError(
      'run.too-many-files',
      `this process may open no more files, got: ${shortageName(shortage)}`,
      { cause: shortage },
    );
  }
}

/** The pace of parallel work: slower after each shortage, then gradually faster again. */
export class Pace {
  #places = Number.POSITIVE_INFINITY;
  #taken = 0;
  #calm = 0;
  #waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.#taken >= this.#places) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      this.#calm += 1;
      if (this.#calm > this.#places) {
        this.#places += 1;
        this.#calm = 0;
      }
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  slowDown(): void {
    this.#calm = 0;
    // What began before the last time is still under way.
    if (this.#taken <= this.#places) this.#places = Math.max(1, Math.floor(this.#taken / 2));
  }
}

/** The limit is that of the process, and so is the pace. */
export const pace = new Pace();

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
