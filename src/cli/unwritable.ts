import { ConnectivityError } from '../codes/connectivity-error.js';

/** The error for a file that an option names and that cannot be written. */
export function unwritable(option: string, file: string, cause: unknown): ConnectivityError {
  const { code } = cause as NodeJS.ErrnoException;
  return new ConnectivityError(
    'usage.invalid',
    `\`${option}\` must name a file that can be written, got: ${file} (${code})`,
    { cause },
  );
}
