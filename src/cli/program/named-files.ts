import { accessSync, constants } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { UnboundedFile } from '../../files/bounded-read.js';
import { parseBounded } from '../../files/json.js';
import { LOST } from '../../files/temporary-folder.js';
import { inBytes } from '../../files/text-parts.js';
import { writeWhole } from '../../files/whole-file.js';
import { withWaitNotice } from '../../progress/waiting.js';

/** Long enough for a report of any number of links. */
const MAX_BYTES = 2 ** 29;

/**
 * Reads the text file, or pipe, that an option names.
 *
 * @param timeoutMs how long to wait for the whole text of a pipe; by default without a limit, once a
 * writer has opened it
 * @throws ConnectivityError `usage.invalid`
 */
export async function readNamedFile(
  option: string,
  file: string,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<string> {
  const [{ BodyTooLong, REQUEST_TIMEOUT_MS, TimedOut }, { readTextFile }] = await Promise.all([
    import('../../service/http/limits.js'),
    import('../../service/open-files.js'),
  ]);
  try {
    const limits = { timeoutMs, writerMs: Math.min(timeoutMs, REQUEST_TIMEOUT_MS) };
    return await withWaitNotice(`\`${option}\`: ${file}`, () =>
      readTextFile(file, { mostBytes: MAX_BYTES, ...limits }),
    );
  } catch (cause) {
    const problem =
      cause instanceof TimedOut
        ? `must give its text within ${Math.round(cause.timeoutMs)} ms, got: nothing more from ${file}; check what writes to it`
        : cause instanceof BodyTooLong
          ? `must be at most ${MAX_BYTES >> 20} MiB long, got: more in ${file}`
          : `must be a readable file, got: ${file} (${(cause as NodeJS.ErrnoException).code})`;
    throw usageError(`\`${option}\` ${problem}`, cause);
  }
}

/** Reads the JSON file that an option names. @throws ConnectivityError `usage.invalid` */
export async function readNamedJson(
  option: string,
  file: string,
  timeoutMs?: number,
): Promise<unknown> {
  const text = await readNamedFile(option, file, timeoutMs);
  try {
    return parseBounded(text);
  } catch (cause) {
    const rule = cause instanceof UnboundedFile ? cause.message : 'must hold JSON';
    throw usageError(`\`${option}\` ${rule}, got: ${file}`, cause);
  }
}

/**
 * Reads what an option gives for stacks of a tree: each `STACK=FILE`, or `FILE` where the tree has one
 * stack. A path may hold an equals sign too: only the name of a stack before it counts.
 *
 * @param tree the option that names the tree, and the stacks that it has
 * @throws ConnectivityError `usage.invalid`
 */
export async function readForStacks<S extends { readonly name: string }, T>(
  option: string,
  values: readonly string[],
  [tree, stacks]: readonly [string, readonly S[]],
  read: (file: string, stack: S) => Promise<T>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (const value of values) {
    const named = stacks.find(({ name }) => value.startsWith(`${name}=`));
    const stack = named ?? (stacks.length === 1 ? stacks[0] : undefined);
    if (stack === undefined) {
      const names = stacks.map(({ name }) => name).join(', ') || 'none';
      throw usageError(
        `\`${option}\` must be STACK=FILE with a stack of \`${tree}\`, which has ${names}, got: "${value}"`,
      );
    }
    if (found.has(stack.name)) {
      throw usageError(
        `\`${option}\` can be given once for each stack, got: ${JSON.stringify(stack.name)} twice`,
      );
    }
    const file = named === undefined ? value : value.slice(named.name.length + 1);
    found.set(stack.name, await read(file, stack));
  }
  return found;
}

/**
 * Writes the file that an option names, whole or not at all, or to standard output where it names none.
 *
 * @throws ConnectivityError `usage.invalid`, `output.lost`
 */
export function writeOutput(
  option: string,
  file: string | undefined,
  text: string | Iterable<string>,
): void {
  const parts = inBytes(typeof text === 'string' ? [text] : text);
  if (file === undefined) {
    for (const part of parts) process.stdout.write(part);
    return;
  }
  try {
    writeWhole(file, parts);
  } catch (cause) {
    throw unwritable(option, file, cause);
  }
}

/**
 * Refuses a file that could not be written, before the work whose result it is to hold.
 *
 * @param left what is so where this throws
 * @throws ConnectivityError `usage.invalid`
 */
export function requireWritableFolder(option: string, file: string, left: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch {
    throw usageError(
      `\`${option}\` must be in a folder that can be written, got: "${file}"; ${left}`,
    );
  }
}

/**
 * Reports an error of a disk that takes no more, wherever it was met, as one that names the file. An error
 * of a write to an open file has no name.
 */
export function findLostOutput(error: unknown): ConnectivityError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path = 'a file' } = error as NodeJS.ErrnoException;
  return LOST.has(code) ? lostOutput(path, code, error) : undefined;
}

/** The error for a place that cannot be written. @param problem of a place where another would do */
export function unwritableError(place: string, cause: unknown, problem: (code: string) => string) {
  const { code = '' } = cause as NodeJS.ErrnoException;
  return LOST.has(code) ? lostOutput(place, code, cause) : usageError(problem(code), cause);
}

/** The error for a file that an option names and that cannot be written. */
export function unwritable(option: string, file: string, cause: unknown): ConnectivityError {
  return unwritableError(
    file,
    cause,
    (code) => `\`${option}\` must name a file that can be written, got: ${file} (${code})`,
  );
}

/** The error for what was begun to be written, and could not be to the end. */
export function lostOutput(place: string, code: string, cause: unknown): ConnectivityError {
  return new ConnectivityError('output.lost', `${place} must take the whole output, got: ${code}`, {
    cause,
  });
}

/** Tells whether a path is a folder, or leads to something in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}
