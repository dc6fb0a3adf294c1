import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { TimedOut } from '../../../service/http/limits.js';
import { openToRead, readPieces } from '../../../service/read-text-file.js';
import { pipeWaitMs } from '../../model/options.js';
import { isInShard, type Shard } from './shard.js';
import { parseTarget, type Target } from './target.js';

export interface TargetsOptions {
  readonly allowPlainHttp?: boolean;
  /** Only this shard of the lines. @default all of them */
  readonly shard?: Shard | undefined;
  /** Milliseconds within which a pipe must deliver data. @default 30_000 */
  readonly pipeWaitMs?: number;
}

/**
 * Reads targets, one JSON object per line, on demand; empty lines do not count.
 *
 * @param file a path, or `-` for standard input
 * @throws ConnectivityError `usage.invalid`, `link.invalid`
 */
export async function* readTargets(
  file: string,
  { allowPlainHttp = false, shard, pipeWaitMs: writerMs = pipeWaitMs() }: TargetsOptions = {},
): AsyncGenerator<Target, void, undefined> {
  const folder = file === '-' ? process.cwd() : dirname(file);
  let index = -1;
  let number = 0;
  for await (const text of lines(file, writerMs)) {
    number += 1;
    const line = number === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (line.trim() === '') continue;
    index += 1;
    if (!isInShard(index, shard)) continue;
    yield parseTarget(line, `${shown(file)} line ${number}`, { folder, allowPlainHttp });
  }
}

/** More are read again rather than kept. */
const MOST_KEPT = 10_000;

interface OpenedTargets {
  /** Undefined where the file is a pipe. */
  readonly total: number | undefined;
  readonly targets: AsyncIterable<Target>;
}

/** Counts the targets as {@link countTargets} does, and keeps them where they are not too many. */
export async function openTargets(
  file: string,
  options: TargetsOptions = {},
): Promise<OpenedTargets> {
  const kept: Target[] = [];
  const total = await countTargets(file, options, (target) => {
    if (kept.length < MOST_KEPT) kept.push(target);
  });
  const targets = total === kept.length ? oneByOne(kept) : readTargets(file, options);
  return { total, targets };
}

async function* oneByOne(targets: readonly Target[]): AsyncGenerator<Target, void, undefined> {
  yield* targets;
}

/**
 * Reads every line of the part once, so that a mistake shows before the first packet.
 *
 * @param onTarget called with each of them
 * @returns how many targets there are; undefined where the file is a pipe, which can be read only once
 * @throws ConnectivityError `usage.invalid`, `link.invalid`
 */
export async function countTargets(
  file: string,
  options: TargetsOptions = {},
  onTarget: (target: Target) => void = () => undefined,
): Promise<number | undefined> {
  if (file === '-' || !(await isRegular(file))) return undefined;
  let count = 0;
  for await (const target of readTargets(file, options)) {
    count += 1;
    onTarget(target);
  }
  if (count > 0) return count;
  // A part may be empty, the whole may not.
  if (options.shard !== undefined && (await countTargets(file, { ...options, shard: undefined }))) {
    return 0;
  }
  throw new ConnectivityError(
    'usage.invalid',
    `\`--targets\` must hold at least one target, got: ${shown(file)} without one`,
  );
}

async function* lines(file: string, writerMs: number): AsyncGenerator<string, void, undefined> {
  const input = file === '-' ? process.stdin : Readable.from(readFile(file, writerMs));
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Whoever writes to a pipe may take any time. */
async function* readFile(file: string, writerMs: number): AsyncGenerator<Buffer, void, undefined> {
  const opened = await openToRead(file);
  try {
    yield* readPieces(opened, { timeoutMs: Number.POSITIVE_INFINITY, writerMs });
  } finally {
    await opened.close();
  }
}

async function isRegular(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): ConnectivityError {
  if (cause instanceof ConnectivityError) return cause;
  const problem =
    cause instanceof TimedOut
      ? `must begin to give targets within ${Math.round(cause.timeoutMs)} ms, got: ${file}, a pipe that nobody writes to`
      : `must be a readable file, got: ${shown(file)} (${(cause as NodeJS.ErrnoException).code})`;
  return new ConnectivityError('usage.invalid', `\`--targets\` ${problem}`, { cause });
}

function shown(file: string): string {
  return file === '-' ? 'standard input' : file;
}
