import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { KEY_VARIABLE } from '../../terraform/program.js';

/** Names the file to which a check below a deploy writes its exit status. */
export const CHECK_STATUS_VARIABLE = 'SECURE_CONNECTIVITY_CHECK_STATUS_FILE';

/** Room for any exit status. */
const WIDTH = 4;

/** Makes the file of one run. Its room is taken now, so that a check can write on a full disk too. */
export function makeCheckStatusFile(file: string): void {
  writeFileSync(file, ' '.repeat(WIDTH), { mode: 0o600 });
}

/** Passes the exit status of a check to the deploy: Terraform itself only knows that one failed. */
export function recordCheckStatus(status: number): void {
  const file = process.env[CHECK_STATUS_VARIABLE];
  if (!file) return;
  try {
    // A check that passes after one that failed hides nothing.
    if (status === 0 && readCheckStatus(file) !== undefined) return;
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

/** Exit status of the last check that failed in a run, or 0 where all passed; undefined where none ran. */
export function readCheckStatus(file: string): number | undefined {
  const text = readFileSync(file, 'utf8').trim();
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Names the file in which a deploy hands its key to the check below it: Terraform and the providers between do not get its text. */
const KEY_FILE_VARIABLE = 'SECURE_CONNECTIVITY_CHECK_KEY_FILE';

/** Writes the text of the key for the check, if there is one. @returns what the check finds in its environment */
export function handKeyToCheck(file: string): NodeJS.ProcessEnv {
  const { [KEY_VARIABLE]: text } = process.env;
  if (!text) return {};
  writeFileSync(file, text, { mode: 0o600 });
  return { [KEY_FILE_VARIABLE]: file };
}

/** Reads the text of the private key: from its variable, or as a deploy hands it on. */
export function readGivenKey(): string | undefined {
  const { [KEY_VARIABLE]: text, [KEY_FILE_VARIABLE]: file } = process.env;
  if (text || !file) return text;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The deploy was killed, and its folder removed.
    return undefined;
  }
}
