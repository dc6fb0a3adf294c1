import { type ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { listBounded, readBounded, UnboundedFile } from '../files/bounded-read.js';
import { duplicateKeys, parseBounded } from '../files/json.js';

/**
 * Reads a JSON file. A key that occurs twice is refused: Terraform makes two blocks of it, and a parser
 * of JSON keeps the last in silence.
 *
 * @param within the folder that the file must be in, whatever links lead to; undefined for a file that the user names
 * @throws ConnectivityError `usage.invalid`
 */
export function readJson(file: string, option: string, within?: string): unknown {
  let text: string;
  let json: unknown;
  try {
    text = readBounded(file, within === undefined ? {} : { within }).toString('utf8');
    json = parseBounded(text);
  } catch (cause) {
    throw notATree(option, file, brokenRule(cause), cause);
  }
  const [twice] = duplicateKeys(text);
  if (twice !== undefined) throw notATree(option, file, `must hold \`${twice}\` once only`);
  return json;
}

function brokenRule(cause: unknown): string {
  if (cause instanceof UnboundedFile) return cause.message;
  return cause instanceof SyntaxError ? 'must hold JSON' : 'must be a readable file';
}

/**
 * Lists a folder of a tree.
 *
 * @throws ConnectivityError `usage.invalid` where it has more entries than a tool writes
 */
export function listFolder(folder: string, option: string): string[] {
  try {
    return listBounded(folder);
  } catch (cause) {
    const rule = cause instanceof UnboundedFile ? cause.message : 'must be a readable folder';
    throw notATree(option, folder, rule, cause);
  }
}

/**
 * Builds the error for a folder that is no tree, in one line that names the option and the path.
 */
export function notATree(
  option: string,
  path: string,
  rule: string,
  cause?: unknown,
): ConnectivityError {
  return usageError(`\`${option}\` ${rule}, got: ${path}`, cause);
}
