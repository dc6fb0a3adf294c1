import type { Address } from './address.js';
import { cidrContains, parseCidr } from './cidr.js';

/** Networks that are not routed on the internet: RFC 1918, RFC 6598 and RFC 4193. */
export const PRIVATE_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
].map(parseCidr);

export function isPrivateAddress(address: Address): boolean {
  return PRIVATE_NETWORKS.some((network) => cidrContains(network, address));
}
