import { readFileSync } from 'node:fs';
import { duplicateKeys } from '../../files/duplicate-keys.js';
import { notATree } from './not-a-tree.js';

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
