import { cidrCovers, PRIVATE_NETWORKS, parseCidr } from '../net/cidr.js';
import { FIXED_ADDRESSES } from '../net/fixed-addresses.js';
import { SERVICE_ACCOUNT_ID } from './cloud/region.js';

/** The service's public API host. */
export const API_HOST = 'api.sandbox.example';

/** The host of the service's fixed-IP API. */
export const STATIC_API_HOST = 'static-api.sandbox.example';

/** Who the service is to the world around the sandbox. */
export interface ServiceNames {
  /** Public hosts of the API: names in DNS, and audiences of a JWT. */
  readonly apiHosts: readonly string[];
  readonly fixedIpHosts: readonly string[];
  /** Other names that clients ask for in TLS. */
  readonly tlsNames: readonly string[];
  /** Accounts that own the endpoints of private plugins. */
  readonly accounts: readonly string[];
}

/** The sandbox's own. */
export const SANDBOX_SERVICE: ServiceNames = {
  apiHosts: [API_HOST],
  fixedIpHosts: [STATIC_API_HOST],
  tlsNames: [],
  accounts: [SERVICE_ACCOUNT_ID],
};

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
