import { readFile } from 'node:fs/promises';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { readVerification } from '../../verify/reports/read-verification.js';
import type { Verification } from '../../verify/verification.js';

/** Reads an earlier report, JSON or JSON lines. @throws ConnectivityError `usage.invalid` */
export async function readBaseline(file: string): Promise<Verification> {
  const text = await readText(file);
  if (text.trim() === '') throw refusal(file, 'empty');
  try {
    return readVerification([{ source: file, text }]);
  } catch (cause) {
    throw refusal(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw refusal(file, String((cause as NodeJS.ErrnoException).code), cause);
  }
}

function refusal(file: string, why: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError(
    'usage.invalid',
    `\`--baseline\` must be a report that --format json or jsonl wrote, got: ${file} (${why})`,
    { cause },
  );
}
