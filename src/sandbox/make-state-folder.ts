import { accessSync, constants, mkdirSync } from 'node:fs';
import { ConnectivityError } from '../codes/connectivity-error.js';

/** Makes the state folder where it is not there. @throws ConnectivityError `usage.invalid` */
export function makeStateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
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
