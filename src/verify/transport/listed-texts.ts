import { ConnectivityError } from '../../codes/connectivity-error.js';
import { errorName } from '../../service/http/transport-code.js';
import { readTextFile } from '../../service/read-text-file.js';

/**
 * The texts of a setting: several with commas, or `@FILE` with one a line and comments after #.
 *
 * @param field the setting's name in a message
 * @throws ConnectivityError `usage.invalid` where the file cannot be read
 */
export async function readListed(field: string, text: string): Promise<string[]> {
  const lines = text.startsWith('@') ? await readLines(field, text.slice(1)) : text.split(',');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

async function readLines(field: string, file: string): Promise<string[]> {
  try {
    return (await readTextFile(file)).split('\n').map((line) => line.replace(/#.*/, ''));
  } catch (cause) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`${field}\` must name a readable file, got: @${file} (${errorName(cause)})`,
      { cause },
    );
  }
}
