import { cidrCovers, PRIVATE_NETWORKS, parseCidr } from '../net/cidr.js';

/** Whether a network has addresses of the internet in it. */
export function isPublicNetwork(network: string): boolean {
  const cidr = parseCidr(network);
  return !PRIVATE_NETWORKS.some((other) => cidrCovers(other, cidr));
}
