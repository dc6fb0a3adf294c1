import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { invalidOption } from '../../codes/connectivity-error.js';
import type { Link } from '../../link/link.js';
import { parseAddress } from '../../net/address.js';
import { anyContains, cidrsOverlap, parseCidr } from '../../net/cidr.js';
import { errorName } from '../../service/http/transport-code.js';
import { readTextFile } from '../../service/open-files.js';

// Hosts, ports and addresses as settings, links and URLs name them.

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

export function withoutBrackets(text: string): string {
  return text.replace(/^\[|\]$/g, '');
}

/** The host of a URL without the brackets of IPv6. */
export function readHost(url: URL): string {
  return withoutBrackets(url.hostname);
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

/**
 * A pattern in place of an address: the machine also has one in each network that is still to be
 * made. `*!CIDR` says the same of every network but that one.
 */
const IN_NEW_NETWORKS = /^\*(?:!(.+))?$/;

/** Tells whether an entry of the own addresses is an address, and not one of networks to come. */
export function isOwnAddress(entry: string): boolean {
  return !IN_NEW_NETWORKS.test(entry);
}

/**
 * Tells whether the own addresses leave open which one the machine will have in all of these
 * networks.
 */
export function areNewNetworks(own: readonly string[], networks: readonly string[]): boolean {
  const made = own.flatMap((entry) => IN_NEW_NETWORKS.exec(entry)?.[1] ?? []).map(parseCidr);
  return (
    own.some((entry) => !isOwnAddress(entry)) &&
    !networks.map(parseCidr).some((network) => made.some((one) => cidrsOverlap(network, one)))
  );
}

/** Finds the addresses by which this machine is known: those that are given, else those of its interfaces. */
export async function findOwnAddresses({
  ownAddresses: given,
}: {
  readonly ownAddresses?: readonly string[] | undefined;
}): Promise<string[]> {
  if (given !== undefined) return await readOwnAddresses(given);
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}

/** Says what this machine lacks for connections of a family, or of any; undefined where it has an address. */
export async function lackOf(family?: number): Promise<string | undefined> {
  const own = await findOwnAddresses({});
  if (own.some((address) => family === undefined || isIP(address) === family)) return undefined;
  return `no ${family === undefined ? '' : `IPv${family} `}address but loopback and link-local ones`;
}

/**
 * @param texts addresses, several with commas, or `@FILE` with one a line
 * @param field the setting's name in a message
 * @throws ConnectivityError `usage.invalid`
 */
export async function readOwnAddresses(
  texts: readonly string[],
  field = 'ownAddresses',
): Promise<string[]> {
  const read = await readListed(field, texts);
  for (const text of read) {
    try {
      const made = IN_NEW_NETWORKS.exec(text);
      if (made === null) parseAddress(text);
      else if (made[1] !== undefined) parseCidr(made[1]);
    } catch (cause) {
      const rule = 'be IP addresses, or @FILE with one a line';
      throw invalidOption(field, `${rule}: "${text}" ${(cause as Error).message}`, cause);
    }
  }
  return read;
}

/**
 * The entries of a setting: several in a text with commas, or `@FILE` with one a line and comments
 * after #.
 *
 * @param field the setting's name in a message
 * @throws ConnectivityError `usage.invalid` where the file cannot be read
 */
export async function readListed(field: string, texts: readonly string[]): Promise<string[]> {
  const read = texts.map((text) =>
    text.startsWith('@') ? readLines(field, text.slice(1)) : text.split(','),
  );
  return (await Promise.all(read))
    .flat()
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

async function readLines(field: string, file: string): Promise<string[]> {
  try {
    return (await readTextFile(file)).split('\n').map((line) => line.replace(/#.*/, ''));
  } catch (cause) {
    const rule = `name a readable file, got: @${file} (${errorName(cause)})`;
    throw invalidOption(field, rule, cause);
  }
}

/** Tells whether an address is in one of the networks; a text that is no address is in none. */
export function isInside(text: string, networks: readonly string[]): boolean {
  try {
    return anyContains(networks.map(parseCidr), parseAddress(text));
  } catch {
    return false;
  }
}

/** The zone whose network holds an address; undefined where the link does not say. */
export function findZone({ zones = [] }: Pick<Link, 'zones'>, text: string): string | undefined {
  return zones.find(({ network }) => isInside(text, [network]))?.name;
}

/** The expected addresses of a link that are single ones, of the family that is asked for. */
export function expectedSingles({ expectedAddresses }: Link, family: 4 | 6 | undefined): string[] {
  return expectedAddresses
    .map(parseCidr)
    .filter((cidr) => cidr.first === cidr.last && (family ?? cidr.family) === cidr.family)
    .map(({ text }) => withoutMask(text));
}

export function withoutMask(text: string): string {
  return text.split('/')[0] ?? text;
}
