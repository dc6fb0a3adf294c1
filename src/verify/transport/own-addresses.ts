import { ConnectivityError } from '../../codes/connectivity-error.js';
import { parseAddress } from '../../net/address.js';
import { readListed } from './listed-texts.js';

/**
 * By which addresses this machine is said to be known in the private network.
 *
 * @param texts addresses, several with commas, or `@FILE` with one a line
 * @param field the setting's name in a message
 * @throws ConnectivityError `usage.invalid`
 */
export async function readOwnAddresses(
  texts: readonly string[],
  field = 'ownAddresses',
): Promise<string[]> {
  const read = await Promise.all(texts.map((text) => readListed(field, text)));
  return read.flat().map((text) => checked(text, field));
}

function checked(text: string, field: string): string {
  try {
    parseAddress(text);
    return text;
  } catch (cause) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`${field}\` must be IP addresses, or @FILE with one a line: "${text}" ${(cause as Error).message}`,
      { cause },
    );
  }
}
