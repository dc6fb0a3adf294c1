import { isIP } from 'node:net';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { parsePort } from '../host-port.js';

/** Addresses by `host:port`, host in lower case. */
export type GivenAddresses = ReadonlyMap<string, readonly string[]>;

/**
 * Reads rules `HOST:PORT:ADDRESS[,ADDRESS]`; an IPv6 address may be in brackets.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function parseGivenAddresses(rules: readonly string[], field = 'resolve'): GivenAddresses {
  const given = new Map<string, readonly string[]>();
  for (const rule of rules) {
    const [, host = '', port = '', list = ''] = /^([^:[\]]+):(\d+):(.+)$/.exec(rule) ?? [];
    const addresses = list.split(',').map((text) => text.trim().replace(/^\[(.*)\]$/, '$1'));
    const isSound = parsePort(port) !== undefined && addresses.every((text) => isIP(text) !== 0);
    if (!isSound) {
      throw new ConnectivityError(
        'usage.invalid',
        `\`${field}\` must be HOST:PORT:ADDRESS, more addresses with commas, got: "${rule}"`,
      );
    }
    const key = keyOf(host, Number(port));
    given.set(key, [...(given.get(key) ?? []), ...addresses]);
  }
  return given;
}

export function givenFor(given: GivenAddresses, host: string, port: number): readonly string[] {
  return given.get(keyOf(host, port)) ?? [];
}

function keyOf(host: string, port: number): string {
  return `${host.toLowerCase()}:${port}`;
}
