import type { Code } from '../../codes/codes.js';

/** The beginning of codes. */
type Prefix = Code extends `${infer Start}.${string}` ? `${Start}.` : never;

const PACKETS = ['tcp.', 'route.', 'host.egress', 'host.outside-network'] as const;
const GROUPS = [...PACKETS, 'endpoint.security-group', 'endpoint.not-accepted'] as const;

/** What can be ruled out, each with the causes that it cannot stand beside. */
export const EXCLUDED_CAUSES = {
  'the network between here and the service': [
    ...PACKETS,
    ...['dns.', 'address.', 'tls.', 'path.', 'proxy.', 'endpoint.'],
  ],
  'the network, for small requests': [
    ...PACKETS,
    ...['dns.', 'tls.', 'proxy.', 'endpoint.'],
    ...['path.inspection', 'path.name-filter', 'path.large-hello', 'path.one-address'],
  ],
  'the route, security groups and certificate': [
    ...GROUPS,
    ...['tls.', 'path.private-authority', 'path.inspection'],
  ],
  'the route and the security groups': GROUPS,
  'the path to the proxy': ['tcp.', 'proxy.refused', 'proxy.unreachable'],
  'DNS server failure': ['dns.timeout', 'dns.server-failed', 'dns.other-resolver'],
  'the endpoint, its security group and the route to it': [
    ...GROUPS,
    ...['endpoint.missing', 'endpoint.no-listener', 'endpoint.no-target'],
    ...['endpoint.wrong-service', 'endpoint.zone', 'endpoint.address-gone'],
  ],
  'the server name that is sent in TLS': ['tls.server-name', 'path.name-filter'],
  'the path MTU': ['path.mtu'],
  'this machine’s clock': ['host.clock'],
  'this machine’s clock alone': ['host.clock'],
} as const satisfies Readonly<Record<string, readonly (Code | Prefix)[]>>;

export type What = keyof typeof EXCLUDED_CAUSES;
