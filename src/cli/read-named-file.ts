import { readFile } from 'node:fs/promises';
import { ConnectivityError } from '../codes/connectivity-error.js';

/** Reads the text file that an option names. @throws ConnectivityError `usage.invalid` */
export async function readNamedFile(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code;
    throw new ConnectivityError(
      'usage.invalid',
      `\`${option}\` must be a readable file, got: ${file} (${why})`,
      { cause },
    );
  }
}

/** Reads the JSON file that an option names. @throws ConnectivityError `usage.invalid` */
export async function readNamedJson(option: string, file: string): Promise<unknown> {
  const text = await readNamedFile(option, file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectivityError('usage.invalid', `\`${option}\` must hold JSON, got: ${file}`, {
      cause,
    });
  }
}
