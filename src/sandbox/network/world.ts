import {
  privatelinkVpcEndpoint,
  vpcPrefixList,
  vpcSecurityGroup,
} from '../../cloud/table/index.js';
import { type CloudState, resourcesOf } from '../cloud/cloud-state.js';
import type { FaultName } from '../faults/index.js';
import { SANDBOX_SERVICE, SERVICE_ADDRESSES, type ServiceNames } from '../internet.js';
import { objectsOf, textOf, textsOf } from '../json.js';
import { isGuarded, passesBorder } from './firewall.js';
import { decide } from './security-rules.js';
import { lastAddressOf, rulesOf, workloadGroups } from './workload.js';

/** Everything that decides who reaches whom. */
export interface World {
  readonly cloud: CloudState;
  readonly faults: ReadonlySet<FaultName>;
  /** @default - the sandbox's own */
  readonly service?: ServiceNames;
}

export type Route = 'open' | 'no-route' | 'dropped' | 'not-connected';

export interface TcpConnection {
  /** The client's address. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** An endpoint as the network sees it. */
export interface Endpoint {
  readonly id: string;
  readonly domain: string;
  readonly vpcId: string;
  readonly groupIds: readonly string[];
  readonly connected: boolean;
  readonly zones: readonly { readonly domain: string; readonly address: string }[];
}

/**
 * What becomes of a TCP connection of a workload: to an endpoint of its private network, as the
 * endpoint's groups say, or to the service's fixed addresses, as the workload's own groups and the
 * internet border firewall say. Where neither has a rule, the way to the internet is open.
 */
export function route(world: World, connection: TcpConnection): Route {
  const endpoint = endpointsOf(world).find(({ zones }) =>
    zones.some(({ address }) => address === connection.to),
  );
  if (endpoint) return routeToEndpoint(world, endpoint, connection);
  return SERVICE_ADDRESSES.includes(connection.to) ? routeOut(world, connection) : 'no-route';
}

/**
 * What becomes of a TCP connection from the internet to a workload: the workload's groups and the
 * internet border firewall both must let it in, and where neither has a rule it is closed.
 */
export function routeIn({ cloud }: World, connection: TcpConnection): Route {
  const groups = workloadGroups(cloud, 'ingress');
  if (groups.length === 0 && !isGuarded(cloud, 'in')) return 'dropped';
  if (!passesBorder(cloud, { ...connection, direction: 'in', names: [] })) return 'dropped';
  const rules = groups.flatMap((group) => rulesOf(group, 'ingress'));
  const peer = { ...describePeer(cloud, connection.from), port: connection.port };
  return groups.length === 0 || decide(rules, peer) === 'accept' ? 'open' : 'dropped';
}

function routeOut(
  { cloud, faults, service = SANDBOX_SERVICE }: World,
  connection: TcpConnection,
): Route {
  if (faults.has('egress-closed')) return 'dropped';
  const groups = workloadGroups(cloud, 'egress');
  const rules = groups.flatMap((group) => rulesOf(group, 'egress'));
  const peer = { ...describePeer(cloud, connection.to), port: connection.port };
  if (groups.length > 0 && decide(rules, peer) !== 'accept') return 'dropped';
  return passesBorder(cloud, { ...connection, direction: 'out', names: service.fixedIpHosts })
    ? 'open'
    : 'dropped';
}

function routeToEndpoint(world: World, endpoint: Endpoint, { from, port }: TcpConnection): Route {
  const { cloud, faults } = world;
  if (!endpoint.connected) return 'not-connected';
  if (faults.has('security-group-closed')) return 'dropped';
  const rules = resourcesOf(cloud, vpcSecurityGroup.cloudType)
    .filter((group) => endpoint.groupIds.includes(textOf(group, 'SecurityGroupId')))
    .flatMap((group) => rulesOf(group, 'ingress'));
  const peerGroups = endpointsOf(world)
    .filter(({ zones }) => zones.some(({ address }) => address === from))
    .flatMap(({ groupIds }) => groupIds);
  const peer = { ...describePeer(cloud, from), peerGroups, port };
  return decide(rules, peer) === 'accept' ? 'open' : 'dropped';
}

function describePeer(cloud: CloudState, peer: string) {
  const networksOf = (id: string) => {
    const list = cloud.resources[vpcPrefixList.cloudType]?.[id];
    return list ? objectsOf(list, 'PrefixListEntries').map((entry) => textOf(entry, 'Cidr')) : [];
  };
  return { peer, peerGroups: [], networksOf };
}

export function endpointsOf({ cloud, faults }: World): Endpoint[] {
  return resourcesOf(cloud, privatelinkVpcEndpoint.cloudType).map((endpoint) => ({
    id: textOf(endpoint, 'EndpointId'),
    domain: textOf(endpoint, 'EndpointDomain'),
    vpcId: textOf(endpoint, 'VpcId'),
    groupIds: textsOf(endpoint, 'SecurityGroupIds'),
    connected: !faults.has('pending-acceptance'),
    zones: objectsOf(endpoint, 'Zones').map((zone) => ({
      domain: textOf(zone, 'ZoneDomain'),
      address: textOf(zone, 'PrivateIpAddress'),
    })),
  }));
}

/** The address of a client of an endpoint by default: the last usable address of the VPC's first subnet. */
export function clientAddressOf({ cloud }: World, endpoint: Endpoint): string {
  return lastAddressOf(cloud, endpoint.vpcId) ?? '0.0.0.0';
}
