import { type Address, compareAddresses, formatAddress, parseAddress } from './address.js';

/** A range of addresses with a common prefix. `text` is canonical: `10.0.0.0/8`. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
  readonly prefix: number;
  readonly text: string;
}

/**
 * Reads `address/prefix` strictly; host bits must be clear.
 *
 * @throws RangeError naming the broken rule and, where it is certain, the corrected text
 */
export function parseCidr(text: string): Cidr {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseAddress(addressText);
  const bits = address.family === 4 ? 32 : 128;
  if (prefixText === undefined) throw new RangeError(`has no mask; write ${text}/${bits}`);
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(prefixText) || Number(prefixText) > bits) {
    throw new RangeError(`has a mask that is not 0 to ${bits}`);
  }
  const prefix = Number(prefixText);
  const { family, value: first } = address;
  const size = 1n << BigInt(bits - prefix);
  if (first % size !== 0n) {
    throw new RangeError(`has host bits set; the network is ${toCidr(address, prefix).text}`);
  }
  // IPv4 has one spelling.
  return family === 4
    ? { family, first, last: first + size - 1n, prefix, text }
    : toCidr(address, prefix);
}

/** The network of the given prefix length that holds the address. */
export function toCidr(address: Address, prefix: number): Cidr {
  const size = 1n << BigInt((address.family === 4 ? 32 : 128) - prefix);
  const first = address.value - (address.value % size);
  const { family } = address;
  const text = `${formatAddress({ family, value: first })}/${prefix}`;
  return { family, first, last: first + size - 1n, prefix, text };
}

/** The network of one address: `/32`, or `/128` for IPv6. */
export function hostCidr(text: string): Cidr {
  const address = parseAddress(text);
  return toCidr(address, address.family === 4 ? 32 : 128);
}

/** Reads a network, or an address as the network of it alone. @throws RangeError naming the broken rule */
export function parseNetwork(text: string): Cidr {
  return text.includes('/') ? parseCidr(text) : hostCidr(text);
}

/** Tells whether a text is meant to be an address or a network, right or wrong. */
export function isNetworkText(text: string): boolean {
  return /^[\d.]+(\/\d*)?$/.test(text) || /^[\da-f:.]*:[\da-f:.]*(\/\d*)?$/i.test(text);
}

export function cidrContains(cidr: Cidr, address: Address): boolean {
  return (
    cidr.family === address.family && cidr.first <= address.value && address.value <= cidr.last
  );
}

/** Tells whether one of the networks holds the address. */
export function anyContains(cidrs: readonly Cidr[], address: Address): boolean {
  return cidrs.some((cidr) => cidrContains(cidr, address));
}

/** Tells whether every address of `inner` is in `outer`. */
export function cidrCovers(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

/** Orders by family, first address, then the wider network first. */
export function compareCidrs(a: Cidr, b: Cidr): number {
  return (
    compareAddresses({ family: a.family, value: a.first }, { family: b.family, value: b.first }) ||
    a.prefix - b.prefix
  );
}

/** The range that the cloud's load balancers and private links call from; RFC 6598. */
export const LINK_NETWORK = '100.64.0.0/10';

/** Networks that are not routed on the internet: RFC 1918, RFC 6598 and RFC 4193. */
export const PRIVATE_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  LINK_NETWORK,
  'fc00::/7',
].map(parseCidr);

/** Networks that no list of a public service can hold. */
export const NOT_PUBLIC = [
  ...PRIVATE_NETWORKS,
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'].map(parseCidr),
];

/** Tells whether all addresses of a range are in one of those that are private. */
export function isPrivateRange({
  family,
  first,
  last,
}: Pick<Cidr, 'family' | 'first' | 'last'>): boolean {
  return PRIVATE_NETWORKS.some(
    (own) => own.family === family && own.first <= first && last <= own.last,
  );
}

export function isPrivateAddress(address: Address): boolean {
  return anyContains(PRIVATE_NETWORKS, address);
}
