import { ConnectivityError } from '../../codes/connectivity-error.js';
import { writeWhole } from '../../files/whole-file.js';

/** Writes the file that an option names, whole or not at all. @throws ConnectivityError `usage.invalid`, `output.lost` */
export function writeNamedFile(option: string, file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (cause) {
    throw unwritable(option, file, cause);
  }
}

/** Writes to the file that an option names, or to standard output where it names none. */
export function writeOutput(option: string, file: string | undefined, text: string): void {
  if (file === undefined) process.stdout.write(text);
  else writeNamedFile(option, file, text);
}

/** What a device says no with that could be written to before: no other name would help. */
const LOST = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']);

export function isLost(code: string): boolean {
  return LOST.has(code);
}

/** The error for a file that an option names and that cannot be written. */
export function unwritable(option: string, file: string, cause: unknown): ConnectivityError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (isLost(code)) return lostOutput(file, code, cause);
  return new ConnectivityError(
    'usage.invalid',
    `\`${option}\` must name a file that can be written, got: ${file} (${code})`,
    { cause },
  );
}

/** The error for what was begun to be written, and could not be to the end. */
export function lostOutput(place: string, code: string, cause: unknown): ConnectivityError {
  return new ConnectivityError('output.lost', `${place} must take the whole output, got: ${code}`, {
    cause,
  });
}
