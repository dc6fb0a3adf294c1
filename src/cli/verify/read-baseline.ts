import { ConnectivityError } from '../../codes/connectivity-error.js';
import { pipeWaitMs } from '../../verify/model/options.js';
import type { Verification } from '../../verify/model/verification.js';
import { readVerification } from '../../verify/reports/read-verification.js';
import { readNamedFile } from '../program/read-named-file.js';

/**
 * Reads an earlier report, JSON or JSON lines.
 *
 * @param timeoutMs of the run
 * @throws ConnectivityError `usage.invalid`
 */
export async function readBaseline(file: string, timeoutMs?: number): Promise<Verification> {
  const text = await readNamedFile('--baseline', file, pipeWaitMs(timeoutMs));
  if (text.trim() === '') throw refusal(file, 'empty');
  try {
    return readVerification([{ source: file, text }]);
  } catch (cause) {
    throw refusal(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function refusal(file: string, why: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError(
    'usage.invalid',
    `\`--baseline\` must be a report that --format json or jsonl wrote, got: ${file} (${why})`,
    { cause },
  );
}
