import { ConnectivityError } from '../../codes/connectivity-error.js';

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
