import { type Address, formatAddress } from './address.js';
import { cidrContains, isPrivateAddress, parseCidr } from './cidr.js';

/** Ranges that are neither private nor routed on the internet, the narrower first: RFC 6890 and later. */
const SPECIAL = (
  [
    ['0.0.0.0/8', '"this network", RFC 791'],
    ['127.0.0.0/8', 'loopback, RFC 1122'],
    ['169.254.0.0/16', 'link-local, RFC 3927'],
    ['192.0.0.0/24', 'protocol assignments, RFC 6890'],
    ['192.0.2.0/24', 'documentation, RFC 5737'],
    ['192.88.99.0/24', 'former 6to4 relays, RFC 7526'],
    ['198.18.0.0/15', 'benchmarks, RFC 2544'],
    ['198.51.100.0/24', 'documentation, RFC 5737'],
    ['203.0.113.0/24', 'documentation, RFC 5737'],
    ['224.0.0.0/4', 'multicast, RFC 5771'],
    ['240.0.0.0/4', 'reserved, RFC 1112'],
    ['::/128', 'unspecified, RFC 4291'],
    ['::1/128', 'loopback, RFC 4291'],
    ['::ffff:0:0:0/96', 'IPv4-translated, RFC 2765'],
    ['::/96', 'former IPv4-compatible, RFC 4291'],
    ['64:ff9b:1::/48', 'local NAT64, RFC 8215'],
    ['100::/64', 'discarded, RFC 6666'],
    ['2001::/32', 'Teredo, RFC 4380'],
    ['2001:2::/48', 'benchmarks, RFC 5180'],
    ['2001:db8::/32', 'documentation, RFC 3849'],
    ['2002::/16', '6to4, RFC 3056'],
    ['3fff::/20', 'documentation, RFC 9637'],
    ['5f00::/16', 'segment routing, RFC 9602'],
    ['fe80::/10', 'link-local, RFC 4291'],
    ['fec0::/10', 'former site-local, RFC 3879'],
    ['ff00::/8', 'multicast, RFC 4291'],
  ] as const
).map(([text, name]) => ({ cidr: parseCidr(text), name }));

/** Addresses of the networks for documentation, RFC 5737 and RFC 3849: nothing has them. */
export const NOBODY = ['192.0.2.0/32', '2001:db8::/128'] as const;

/** All of IPv6 that is routed on the internet. */
const GLOBAL_IPV6 = parseCidr('2000::/3');

const NAT64 = parseCidr('64:ff9b::/96');
const SIX_TO_FOUR = parseCidr('2002::/16');

/**
 * Names the range of an address that is neither private nor routed on the internet: `169.254.0.0/16,
 * link-local, RFC 3927`. An address that carries an IPv4 address is as routed as that is.
 *
 * @returns undefined for a private or a globally routed address
 */
export function specialRange(address: Address): string | undefined {
  if (isPrivateAddress(address)) return undefined;
  const carried = carriedIpv4(address);
  if (carried !== undefined) return describeCarried(address, carried);
  const found = SPECIAL.find(({ cidr }) => cidrContains(cidr, address));
  if (found !== undefined) return `${found.cidr.text}, ${found.name}`;
  const isRouted = address.family === 4 || cidrContains(GLOBAL_IPV6, address);
  return isRouted ? undefined : 'outside 2000::/3, not assigned, RFC 4291';
}

/** The IPv4 address that NAT64 or 6to4 writes into an IPv6 address. */
function carriedIpv4(address: Address): Address | undefined {
  if (cidrContains(NAT64, address)) return { family: 4, value: address.value & 0xffffffffn };
  if (!cidrContains(SIX_TO_FOUR, address)) return undefined;
  return { family: 4, value: (address.value >> 80n) & 0xffffffffn };
}

function describeCarried(address: Address, carried: Address): string | undefined {
  const isNat64 = cidrContains(NAT64, address);
  const own = isNat64 ? '64:ff9b::/96, NAT64, RFC 6052' : '2002::/16, 6to4, RFC 3056';
  if (isPrivateAddress(carried)) return `${own}, of the private address ${formatAddress(carried)}`;
  const special = specialRange(carried);
  if (special !== undefined) return `${own}, of ${formatAddress(carried)} (${special})`;
  return isNat64 ? undefined : own;
}
