import { isIP } from 'node:net';
import { invalidOption } from '../../codes/connectivity-error.js';
import { parsePort } from './addresses.js';

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
    if (parsePort(port) === undefined || addresses.some((text) => isIP(text) === 0)) {
      const must = `be HOST:PORT:ADDRESS, more addresses with commas, got: "${rule}"`;
      throw invalidOption(field, must);
    }
    const key = givenKey(host, Number(port));
    given.set(key, [...(given.get(key) ?? []), ...addresses]);
  }
  return given;
}

export function givenFor(given: GivenAddresses, host: string, port: number): readonly string[] {
  return given.get(givenKey(host, port)) ?? [];
}

function givenKey(host: string, port: number): string {
  return `${host.toLowerCase()}:${port}`;
}
