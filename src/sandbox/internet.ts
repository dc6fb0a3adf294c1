import { cidrCovers, PRIVATE_NETWORKS, parseCidr } from '../net/cidr.js';
import { FIXED_ADDRESSES } from '../net/fixed-addresses.js';

/** The service's public API host. */
export const API_HOST = 'api.sandbox.example';

/** The host of the service's fixed-IP API. */
export const STATIC_API_HOST = 'static-api.sandbox.example';

/** What the host of the fixed-IP API resolves to: the true addresses. Dials never reach them. */
export const SERVICE_ADDRESSES: readonly string[] = FIXED_ADDRESSES.entries.map(
  ({ address }) => address,
);

/** An address of TEST-NET-3: public to whoever judges it, and nobody's. */
export const PUBLIC_STAND_IN = '203.0.113.10';

/** Whether a network has addresses of the internet in it. */
export function isPublicNetwork(network: string): boolean {
  const cidr = parseCidr(network);
  return !PRIVATE_NETWORKS.some((other) => cidrCovers(other, cidr));
}
