import { clbClb, clbServerGroup } from '../../cloud/table/clb.js';
import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcEni } from '../../cloud/table/read-only.js';
import { vpcSubnet } from '../../cloud/table/vpc.js';
import { type CloudState, findResource, listResources } from '../cloud/cloud-state.js';
import type { FaultName } from '../faults/index.js';
import { type JsonObject, readObjects, readText, readTexts } from '../json.js';
import { fixedAddressesOf, type ServiceNames } from '../surroundings.js';
import { isGuarded, passesAcls, passesBorder, within } from './firewalls.js';
import {
  accept,
  groupsAccept,
  isAboutInternet,
  networksIn,
  readRules,
  serverGroups,
  workloadGroups,
} from './groups.js';

/** Everything that decides who reaches whom. */
export interface World {
  readonly cloud: CloudState;
  readonly faults: ReadonlySet<FaultName>;
  readonly service: ServiceNames;
  /** The VPCs of those who ask for names. @default - those with workloads */
  readonly clientVpcs?: readonly string[] | undefined;
}

export type Route = 'open' | 'no-route' | 'dropped' | 'not-connected';

export interface TcpConnection {
  /** The client's address. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** An endpoint as the network sees it. */
export type Endpoint = ReturnType<typeof findEndpoints>[number];

/**
 * Decides the outcome of a TCP connection from a workload: to an endpoint of its private network, as the
 * endpoint's groups say; to a server behind a load balancer, as the server's groups say; or to the
 * service's fixed addresses, as the workload's own groups and the internet border firewall say. Where
 * neither has a rule, the way to the internet is open.
 */
export function route(world: World, connection: TcpConnection): Route {
  const endpoint = findEndpoints(world).find(({ zones }) =>
    zones.some(({ address }) => address === connection.to),
  );
  if (endpoint) return routeToEndpoint(world, endpoint, connection);
  const server = findServers(world).find(
    ({ address, port }) => address === connection.to && port === connection.port,
  );
  if (server) return routeToServer(world, server, connection);
  const [own] = interfacesAt(world.cloud, connection.to);
  if (own) return routeToInterface(world, own, connection);
  return fixedAddressesOf(world.service).includes(connection.to)
    ? routeOut(world, connection)
    : 'no-route';
}

/**
 * Decides the outcome of a TCP connection from the internet to a workload: the workload's groups and the
 * internet border firewall both must let it in, and where neither has a rule it is closed.
 */
export function routeIn(world: World, connection: TcpConnection): Route {
  const { cloud } = world;
  const groups = workloadGroups(world, 'ingress');
  if (groups.length === 0 && !isGuarded(cloud, 'in')) return 'dropped';
  if (!passesBorder(cloud, { ...connection, direction: 'in', names: [] })) return 'dropped';
  const { from: peer, port } = connection;
  const isOpen = groups.length === 0 || accept(cloud, groups, 'ingress', { peer, port });
  return isOpen ? 'open' : 'dropped';
}

/**
 * Finds the source of the service's calls to a plugin over the internet: the first single address that a workload's
 * groups let in, with the port. Undefined where no group is about such calls.
 */
export function fixedIpCaller(world: World): { from: string; port: number } | undefined {
  const rules = workloadGroups(world, 'ingress').flatMap((group) => readRules(group, 'ingress'));
  const accepts = rules.filter((rule) => rule.Policy === 'accept' && isAboutInternet(rule));
  return accepts.flatMap((rule) =>
    [readText(rule, 'CidrIp') || networksIn(world.cloud, readText(rule, 'PrefixListId'))]
      .flat()
      .filter((network) => network.endsWith('/32'))
      .map((network) => ({ from: network.slice(0, -3), port: Number(rule.PortStart) })),
  )[0];
}

function routeOut(world: World, connection: TcpConnection): Route {
  const { cloud, faults, service } = world;
  if (faults.has('egress-closed')) return 'dropped';
  const groups = workloadGroups(world, 'egress');
  const [{ to: peer, port }, { fixedIpHosts: names }] = [connection, service];
  if (groups.length > 0 && !accept(cloud, groups, 'egress', { peer, port })) return 'dropped';
  return passesBorder(cloud, { ...connection, direction: 'out', names }) ? 'open' : 'dropped';
}

const DROPPING = ['security-group-closed', 'rules-not-enforced'] as const;

function routeToEndpoint(
  world: World,
  endpoint: Endpoint,
  { from, to, port }: TcpConnection,
): Route {
  const { cloud, faults } = world;
  if (!endpoint.connected) return 'not-connected';
  if (DROPPING.some((fault) => faults.has(fault))) return 'dropped';
  const peerGroups = findEndpoints(world)
    .filter(({ zones }) => zones.some(({ address }) => address === from))
    .flatMap(({ groupIds }) => groupIds);
  const isOpen =
    groupsAccept(
      cloud,
      [
        ...endpoint.groupIds,
        ...interfacesAt(cloud, to).flatMap((one) => readTexts(one, 'SecurityGroupIds')),
      ],
      'ingress',
      { peer: from, port, peerGroups },
    ) &&
    passesAcls(
      world.cloud,
      endpoint.zones.map(({ subnetId }) => subnetId),
      { from, port },
    );
  return isOpen ? 'open' : 'dropped';
}

/** The interfaces that an account shows at an address. */
function interfacesAt(cloud: CloudState, address: string): JsonObject[] {
  return listResources(cloud, vpcEni).filter(({ PrimaryIpAddress: primary }) =>
    readObjects({ all: [primary ?? {}] }, 'all').some((one) => one.PrivateIpAddress === address),
  );
}

function routeToInterface(world: World, own: JsonObject, { from, port }: TcpConnection): Route {
  const groups = readTexts(own, 'SecurityGroupIds');
  const isOpen =
    groupsAccept(world.cloud, groups, 'ingress', { peer: from, port }) &&
    passesAcls(world.cloud, [readText(own, 'SubnetId')], { from, port });
  return isOpen ? 'open' : 'dropped';
}

function routeToServer(world: World, server: Server, connection: TcpConnection): Route {
  const { cloud } = world;
  const { from, port } = connection;
  const [own] = interfacesAt(cloud, server.address);
  if (own) return routeToInterface(world, own, connection);
  const groups = serverGroups(world, server);
  if (groups.length > 0 && !accept(cloud, groups, 'ingress', { peer: from, port }))
    return 'dropped';
  const subnets = listResources(cloud, vpcSubnet)
    .filter(({ VpcId }) => VpcId === server.vpcId)
    .filter((subnet) => within(server.address, [readText(subnet, 'CidrBlock')]))
    .map((subnet) => readText(subnet, 'SubnetId'));
  return passesAcls(world.cloud, subnets, { from, port }) ? 'open' : 'dropped';
}

export function findEndpoints({ cloud, faults }: World) {
  return listResources(cloud, privatelinkVpcEndpoint).map((endpoint) => ({
    domain: readText(endpoint, 'EndpointDomain'),
    vpcId: readText(endpoint, 'VpcId'),
    groupIds: readTexts(endpoint, 'SecurityGroupIds'),
    connected: !faults.has('pending-acceptance'),
    zones: readObjects(endpoint, 'Zones').map((zone) => ({
      subnetId: readText(zone, 'SubnetId'),
      domain: readText(zone, 'ZoneDomain'),
      address: readText(zone, 'PrivateIpAddress'),
    })),
  }));
}

/**
 * Decides whether a call that a load balancer forwards reaches one of its servers: the groups of the
 * servers see the address that it comes from there.
 */
export function routeBehind(world: World, connection: TcpConnection, vpcId: string): Route {
  const { to: address, port } = connection;
  return routeToServer(world, { address, port, vpcId, balancerId: '' }, connection);
}

/** A server that a load balancer sends calls to. */
type Server = ReturnType<typeof findServers>[number];

export function findServers({ cloud }: Pick<World, 'cloud'>) {
  return listResources(cloud, clbServerGroup).flatMap((group) => {
    const balancerId = readText(group, 'LoadBalancerId');
    const balancer = findResource(cloud, clbClb, balancerId);
    return readObjects(group, 'Servers')
      .filter(({ Weight }) => Number(Weight) > 0)
      .map((server) => ({
        address: readText(server, 'Ip'),
        port: Number(server.Port),
        vpcId: readText(balancer, 'VpcId'),
        balancerId,
      }));
  });
}
