import { isPrivateRange, parseCidr } from '../net/cidr.js';
import { FIXED_ADDRESSES } from '../net/fixed-addresses.js';

/** The one region that the sandbox has, unless it is given another place. */
export const REGION = 'cn-beijing';

export const ZONES: readonly string[] = ['cn-beijing-a', 'cn-beijing-b', 'cn-beijing-c'];

/** The account that owns everything in the sandbox. */
export const ACCOUNT_ID = '2100000000';

/** The account of the AI-agent service: it owns the endpoints of private plugins. */
export const SERVICE_ACCOUNT_ID = '2100000001';

export interface CatalogueService {
  readonly serviceId: string;
  readonly serviceName: string;
  /** Follows the endpoint's id in the endpoint's domain. */
  readonly domainSuffix: string;
  readonly zones: readonly string[];
}

/** The AI-agent service's own endpoint service. It belongs to the same account, so it accepts at once. */
const AGENT_SERVICE: CatalogueService = {
  serviceId: 'epsvc-sandbox',
  serviceName: `com.volces.privatelink.${REGION}.epsvc-sandbox`,
  domainSuffix: `epsvc-sandbox.${REGION}.privatelink.volces.com`,
  zones: ZONES,
};

/** The region of a cloud, and the services that it offers there. */
export interface CloudPlace {
  readonly region: string;
  readonly zones: readonly string[];
  /** Services that endpoints can connect to, beside the enterprise's own endpoint services. */
  readonly catalogue: readonly CatalogueService[];
}

export const SANDBOX_PLACE: CloudPlace = {
  region: REGION,
  zones: ZONES,
  catalogue: [AGENT_SERVICE],
};

export const API_HOST = 'api.sandbox.example';

export const STATIC_API_HOST = 'static-api.sandbox.example';

export type Direction = 'ingress' | 'egress';

/** The names of the service in the world around the sandbox. */
export interface ServiceNames {
  /** Public hosts of the API: names in DNS, and audiences of a JWT. */
  readonly apiHosts: readonly string[];
  readonly fixedIpHosts: readonly string[];
  /** Other names that clients ask for in TLS. */
  readonly tlsNames: readonly string[];
  /** Accounts that own the endpoints of private plugins. */
  readonly accounts: readonly string[];
  /** The addresses of its fixed-IP hosts. @default - the dated list */
  readonly fixedAddresses?: readonly string[] | undefined;
  /** Its further ports besides 80 and 443. @default - none */
  readonly ports?: Readonly<Record<number, 'http' | 'https'>>;
  /** Private zones that are bound to every VPC, whichever they list. @default - none */
  readonly boundZones?: readonly string[];
  /** The addresses of names that others lead to endpoints, by their own DNS. @default - none */
  readonly records?: ReadonlyMap<string, readonly string[]>;
  /** The security groups of workloads, as outputs of stacks name them. @default - assumed */
  readonly workloadGroups?: Readonly<Partial<Record<Direction, readonly string[]>>>;
  /** The security group of the servers behind each load balancer, as outputs of stacks name it. @default - assumed */
  readonly backendGroups?: ReadonlyMap<string, string>;
}

export const SANDBOX_SERVICE: ServiceNames = {
  apiHosts: [API_HOST],
  fixedIpHosts: [STATIC_API_HOST],
  tlsNames: [],
  accounts: [SERVICE_ACCOUNT_ID],
};

/** The addresses of the fixed-IP API's host: the true ones. Dials never reach them. */
export const SERVICE_ADDRESSES: readonly string[] = FIXED_ADDRESSES.entries.map(
  ({ address }) => address,
);

export function fixedAddressesOf({ fixedAddresses }: ServiceNames): readonly string[] {
  return fixedAddresses ?? SERVICE_ADDRESSES;
}

/** An address of the anycast network of AS112 (RFC 7535): routed on the internet, and of no service. */
export const PUBLIC_STAND_IN = '192.31.196.10';

export function isPublicNetwork(network: string): boolean {
  return !isPrivateRange(parseCidr(network));
}
