import { isIP } from 'node:net';
import { ConnectivityError } from '../codes/connectivity-error.js';

const LABEL = '[a-z0-9]([a-z0-9-]*[a-z0-9])?';
const HOST_NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`, 'i');

/**
 * Checks the audience of a JWT: it is a host name and nothing else, whatever is called.
 *
 * @param field named in errors
 * @throws ConnectivityError `preflight.audience`
 */
export function checkApiHost(apiHost: string, field = 'apiHost'): void {
  if (HOST_NAME.test(apiHost) && isIP(apiHost) === 0) return;
  throw new ConnectivityError(
    'preflight.audience',
    `\`${field}\` must be a host name without scheme, port or path, got: "${apiHost}"`,
  );
}
