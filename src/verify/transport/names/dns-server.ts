import { isIP } from 'node:net';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { bracketed, parsePort } from '../host-port.js';

/**
 * Reads `IP`, `IPv4:PORT` or `[IPv6]:PORT`.
 *
 * @returns address and port in the form that the resolver of Node takes
 * @throws ConnectivityError `usage.invalid`
 */
export function parseDnsServer(text: string, field = 'dnsServer'): string {
  const [, inBrackets, plain, portText = '53'] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(isIP(text) === 6 ? `[${text}]` : text) ?? [];
  const address = inBrackets ?? plain ?? '';
  const port = parsePort(portText);
  if (isIP(address) === 0 || port === undefined) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`${field}\` must be an IP address with or without a port, got: "${text}"`,
    );
  }
  return `${bracketed(address)}:${port}`;
}
