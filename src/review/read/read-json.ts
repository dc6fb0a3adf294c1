import { readFileSync } from 'node:fs';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { duplicateKeys } from '../../files/duplicate-keys.js';

/**
 * Reads a JSON file. A key that occurs twice is refused: Terraform makes two blocks of it, and a parser
 * of JSON keeps the last in silence.
 *
 * @throws ConnectivityError `review.tree`
 */
export function readJson(file: string, option: string): unknown {
  let text: string;
  let json: unknown;
  try {
    text = readFileSync(file, 'utf8');
    json = JSON.parse(text);
  } catch (cause) {
    throw notATree(option, file, 'must hold JSON', cause);
  }
  const [twice] = duplicateKeys(text);
  if (twice !== undefined) throw notATree(option, file, `must hold \`${twice}\` once only`);
  return json;
}

/** What a folder given to the review breaks, in one line that names the option and the path. */
export function notATree(
  option: string,
  path: string,
  rule: string,
  cause?: unknown,
): ConnectivityError {
  return new ConnectivityError(
    'review.tree',
    `\`${option}\` ${rule}, got: ${path}`,
    cause === undefined ? {} : { cause },
  );
}
