import { ConnectivityError } from '../../codes/connectivity-error.js';
import { REQUEST_TIMEOUT_MS, TimedOut } from '../../service/http/limits.js';
import { readTextFile } from '../../service/open-files.js';
import { sayingWhile } from './waiting.js';

/** Long enough for a report of any number of links. */
const LARGEST_BYTES = 2 ** 29;

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
  try {
    const limits = { timeoutMs, writerMs: Math.min(timeoutMs, REQUEST_TIMEOUT_MS) };
    return await sayingWhile(`\`${option}\`: ${file}`, () =>
      readTextFile(file, { mostBytes: LARGEST_BYTES, ...limits }),
    );
  } catch (cause) {
    throw new ConnectivityError('usage.invalid', problem(option, file, cause), { cause });
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
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectivityError('usage.invalid', `\`${option}\` must hold JSON, got: ${file}`, {
      cause,
    });
  }
}

function problem(option: string, file: string, cause: unknown): string {
  return cause instanceof TimedOut
    ? `\`${option}\` must give its text within ${Math.round(cause.timeoutMs)} ms, got: nothing more from ${file}; check what writes to it`
    : `\`${option}\` must be a readable file, got: ${file} (${(cause as NodeJS.ErrnoException).code})`;
}
