import { readFile } from 'node:fs/promises';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type Verification, verificationSchema } from '../../verify/verification.js';

/** Reads an earlier JSON report. @throws ConnectivityError `usage.invalid` */
export async function readBaseline(file: string): Promise<Verification> {
  const result = verificationSchema.safeParse(await readJson(file));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw refusal(
    file,
    issue ? `${issue.path.join('.') || '(root)'}: ${issue.message}` : 'no report',
  );
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'not JSON' : (cause as NodeJS.ErrnoException).code;
    throw refusal(file, String(why), cause);
  }
}

function refusal(file: string, why: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError(
    'usage.invalid',
    `\`--baseline\` must be a report that --format json wrote, got: ${file} (${why})`,
    { cause },
  );
}
