import { isIP } from 'node:net';
import { invalidOption } from '../model/options.js';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Reads a port of 1 to 65535; undefined where it is none. */
export function parsePort(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** An address as written before a colon and a port. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The host of a URL without the brackets of IPv6. */
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function readPort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Reads `HOST:PORT`, with IPv6 addresses in brackets. */
export function hostAndPort(text: string): HostPort {
  const url = new URL(`http://${text}`);
  return { host: readHost(url), port: readPort(url) };
}

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
    throw invalidOption(field, `be an IP address with or without a port, got: "${text}"`);
  }
  return `${bracketed(address)}:${port}`;
}
