import { isIPv4, isIPv6 } from 'node:net';

/** An IP address as a number, so that ranges can be compared. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/**
 * Reads an IP address strictly: no leading zeros (`010.0.0.1` is octal to some readers), no zone
 * id, no IPv4-mapped IPv6 (its IPv4 form says the same thing without a second spelling).
 *
 * @throws RangeError naming the broken rule
 */
export function parseAddress(text: string): Address {
  if (isIPv4(text)) return { family: 4, value: fromIpv4(text) };
  if (isIPv6(text) && !text.includes('%')) {
    const value = fromIpv6(text);
    if (value >> 32n === 0xffffn) {
      throw new RangeError(
        `is an IPv4-mapped address; write ${formatAddress({ family: 4, value: value & 0xffffffffn })}`,
      );
    }
    return { family: 6, value };
  }
  if (/(^|\.)0\d/.test(text)) {
    throw new RangeError('has an octet with a leading zero, which some systems read as octal');
  }
  throw new RangeError('is not an IPv4 or IPv6 address');
}

/** Parses like {@link parseAddress}, but returns undefined for a text that is no address. */
export function tryAddress(text: string): Address | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

/** The canonical text: dotted quad, or RFC 5952 for IPv6. */
export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24, 16, 8, 0].map((at) => (Number(value) >>> at) & 0xff).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  // The URL parser compresses IPv6 by the same rules as RFC 5952.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Orders IPv4 before IPv6, then by number. */
export function compareAddresses(a: Address, b: Address): number {
  if (a.family !== b.family) return a.family - b.family;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

function fromIpv4(text: string): bigint {
  return BigInt(text.split('.').reduce((value, octet) => value * 256 + Number(octet), 0));
}

function fromIpv6(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const plain = dotted ? `${dotted[1]}${hexGroups(fromIpv4(dotted[2] ?? ''))}` : text;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce(
    (sum, group) => (sum << 16n) | BigInt(`0x${group}`),
    0n,
  );
}

function hexGroups(ipv4: bigint): string {
  return `${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`;
}

/** The IPv4 form of an IPv4-mapped IPv6 address, which systems dial as IPv4; any other text as it is. */
export function unmapped(text: string): string {
  if (!isIPv6(text) || text.includes('%')) return text;
  const value = fromIpv6(text);
  return value >> 32n === 0xffffn ? formatAddress({ family: 4, value: value & 0xffffffffn }) : text;
}
