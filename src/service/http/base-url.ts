import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { withoutUser } from '../../codes/redact.js';
import { tryAddress, unmapped } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { isOrigin } from '../../net/host-name.js';

/** The names of the two settings in the words of the user. */
const NAMES = { baseUrl: 'baseUrl', allowPlainHttp: 'allowPlainHttp' };

/**
 * Reads a base URL: scheme, host and port, and `http` only where that is allowed.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function parseBaseUrl(text: string, allowPlainHttp: boolean, names = NAMES): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isOrigin(url) || !/^https?:$/.test(url.protocol)) {
    throw usageError(
      `\`${names.baseUrl}\` must be scheme, host and port only, got: "${withoutUser(text)}"`,
    );
  }
  if (url.protocol === 'https:' || allowPlainHttp) return url;
  throw usageError(
    `\`${names.baseUrl}\` with http needs \`${names.allowPlainHttp}\`, got: "${text}"; JWT and token would travel unencrypted`,
  );
}

/**
 * Lets plain http go to private and loopback addresses only.
 *
 * @param address the one that is dialled, whatever led there
 * @throws ConnectivityError `address.plain-http`
 */
export function checkStaysInside(host: string, address: string): void {
  const plain = unmapped(address);
  const parsed = tryAddress(plain);
  if (/^127\.|^::1$/.test(plain) || (parsed && isPrivateAddress(parsed))) return;
  throw new ConnectivityError(
    'address.plain-http',
    `plain http must stay inside private networks, got: ${address || 'an unknown address'} for ${host}; JWT and token would be sent unencrypted`,
  );
}
