import { networkInterfaces } from 'node:os';
import type { Link } from '../../link/link.js';
import { type Address, parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, parseCidr } from '../../net/cidr.js';
import { invalidOption, type RunOptions } from '../model/options.js';
import { readListed } from './connect-to.js';

/** By which addresses this machine is known: those that are given, else those of its interfaces. */
export async function ownAddresses({ ownAddresses: given }: RunOptions): Promise<string[]> {
  return given === undefined ? interfaceAddresses() : await readOwnAddresses(given);
}

/** Without loopback. */
function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
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
  const read = (await Promise.all(texts.map((text) => readListed(field, text)))).flat();
  for (const text of read) {
    try {
      parseAddress(text);
    } catch (cause) {
      const rule = 'be IP addresses, or @FILE with one a line';
      throw invalidOption(field, `${rule}: "${text}" ${(cause as Error).message}`, cause);
    }
  }
  return read;
}

/** @returns undefined where a text is no address */
export function readAddress(text: string): Address | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

/** Whether an address is in one of the networks; a text that is none is in none. */
export function isInside(text: string, networks: readonly string[]): boolean {
  try {
    const address = parseAddress(text);
    return networks.some((network) => cidrContains(parseCidr(network), address));
  } catch {
    return false;
  }
}

/** The zone whose network holds an address; undefined where the link does not say. */
export function findZone({ zones = [] }: Pick<Link, 'zones'>, text: string): string | undefined {
  return zones.find(({ network }) => isInside(text, [network]))?.name;
}

/** The expected addresses of a link that are single ones, of the family that is asked for. */
export function expectedSingles({ expectedAddresses }: Link, { family }: RunOptions): Cidr[] {
  return expectedAddresses
    .map(parseCidr)
    .filter((cidr) => cidr.first === cidr.last)
    .filter((cidr) => family === undefined || cidr.family === family);
}

export function withoutMask(text: string): string {
  return text.split('/')[0] ?? text;
}
