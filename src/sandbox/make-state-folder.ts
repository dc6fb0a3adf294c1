import { accessSync, constants, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectivityError } from '../codes/connectivity-error.js';

/**
 * Makes the state folder where it is not there. A folder that was empty keeps itself out of Git: it
 * will hold a private key, and states.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function makeStateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    if (readdirSync(folder).length === 0) writeFileSync(join(folder, '.gitignore'), '*\n');
  } catch (cause) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--state\` must be a folder that can be made and written, got: "${folder}" (${reasonOf(cause)}); name another one`,
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  const { code = '' } = cause as NodeJS.ErrnoException;
  return ['EEXIST', 'ENOTDIR'].includes(code) ? 'a file is in its place' : code;
}
