import { cidrCovers, parseCidr } from '../net/cidr.js';
import { PRIVATE_NETWORKS } from '../net/private-networks.js';

/** Whether a network has addresses of the internet in it. */
export function isPublicNetwork(network: string): boolean {
  const cidr = parseCidr(network);
  return !PRIVATE_NETWORKS.some((other) => cidrCovers(other, cidr));
}
