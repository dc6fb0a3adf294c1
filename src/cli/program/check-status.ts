import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

/** Names the file to which a check below a deploy writes its exit status. */
export const CHECK_STATUS_VARIABLE = 'SECURE_CONNECTIVITY_CHECK_STATUS_FILE';

/** Room for any exit status. */
const WIDTH = 4;

/** Makes the file of one run. Its room is taken now, so that a check can write on a full disk too. */
export function makeCheckStatusFile(file: string): void {
  writeFileSync(file, ' '.repeat(WIDTH), { mode: 0o600 });
}

/** Passes the exit status of a failed check to the deploy: Terraform itself only knows that it failed. */
export function recordCheckStatus(status: number): void {
  const file = process.env[CHECK_STATUS_VARIABLE];
  if (!file || status === 0) return;
  try {
    const descriptor = openSync(file, 'r+');
    try {
      writeSync(descriptor, String(status).padEnd(WIDTH), 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The deploy was killed, and its folder removed: nobody reads the status any more.
  }
}

/** Exit status of the last check that failed in a run. */
export function readCheckStatus(file: string): number | undefined {
  const text = readFileSync(file, 'utf8').trim();
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
