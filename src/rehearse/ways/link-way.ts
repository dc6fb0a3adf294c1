import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { privatezoneRecord } from '../../cloud/table/privatezone.js';
import { vpcSecurityGroup, vpcVpc } from '../../cloud/table/vpc.js';
import type { Link, Links } from '../../link/link.js';
import { groupBy } from '../../lists/group-by.js';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { isInZone } from '../../net/host-name.js';
import { networkPeer } from '../../reach/packet-rule.js';
import { toName } from '../../reach/read/cloud-state.js';
import type { AddressRange, OpenRanges } from '../../reach/sets/ranges.js';
import { toRange } from '../../reach/sets/region.js';
import { toServices } from '../../reach/sets/services.js';
import { type Door, decideTogether } from '../../reach/ways/door.js';
import type { Reached } from '../../reach/ways/doors.js';
import { ACCEPTS, everyPacket, passAll, passSurely } from '../../reach/ways/pass.js';
import { type Asking, endpointAt, resolveName } from '../../reach/ways/resolve-name.js';
import { type CloudState, findResource, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';
import { workloadGroups } from '../../sandbox/network/groups.js';
import { workloadVpcs } from '../../sandbox/network/places.js';
import type { World } from '../../sandbox/network/world.js';
import {
  fixedAddressesOf,
  PUBLIC_STAND_IN,
  type ServiceNames,
} from '../../sandbox/surroundings.js';
import type { WayState } from './clients.js';

/** The outputs of stacks, by stack. */
export type LinksByStack = ReadonlyMap<string, Links>;

/** The outputs before and after. */
export interface NamedLinks {
  readonly before: LinksByStack;
  readonly after: LinksByStack;
}

/** One state of the cloud, with its ways. */
export interface SeenState {
  readonly cloud: CloudState;
  readonly reached: Reached;
}

/** The way to a base URL in one state of the cloud. */
export interface Way {
  /** The addresses of its host. */
  readonly addresses: readonly string[];
  /** The clients whom rules let in to one of them, as they tell them apart. */
  readonly letIn: readonly AddressRange[];
  /** Returns what becomes of a client's connection. */
  stateFor(client: string): WayState;
  /** Tells whether it depends on something in doubt that an address is not open to a client. */
  mayBeOpen(client: string): boolean;
  /** Tells whether one address is open to a client. */
  isOpen(client: string, address: string): boolean;
}

export function dialedPort(baseUrl: string): number {
  const { port, protocol } = new URL(baseUrl);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * Follows a link by the ways of a state: its name, then the doors in front of each address.
 *
 * @param clientVpcs where its name is asked for. @default - in all VPCs with workloads
 */
export function linkWay(
  { cloud, reached }: SeenState,
  baseUrl: string,
  service: ServiceNames,
  clientVpcs?: readonly string[],
): Way {
  const { hostname } = new URL(baseUrl);
  const world = { ...toWorld(cloud, service), clientVpcs };
  const asking = askingFrom(clientVpcs ?? workloadVpcs(world), service);
  const addresses = resolveName(reached.index, hostname, asking);
  const port = dialedPort(baseUrl);
  const clients = new Map<string, ReturnType<typeof letInTo>>();
  const clientsAt = (address: string) => {
    if (!clients.has(address)) clients.set(address, letInTo(address, port, reached, world));
    return clients.get(address);
  };
  const to = (from: string, address: string): WayState => {
    const open = clientsAt(address);
    return open === undefined ? 'no-route' : holds(open.least, from) ? 'open' : 'dropped';
  };
  return {
    addresses,
    letIn: addresses.flatMap((address) => clientsAt(address)?.least ?? []),
    mayBeOpen: (from) =>
      addresses.some((address) => {
        const { least = [], most = [] } = clientsAt(address) ?? {};
        return holds(most, from) && !holds(least, from);
      }),
    isOpen: (from, address) => to(from, address) === 'open',
    stateFor(from) {
      const routes = addresses.map((address) => to(from, address));
      const [first = 'no-name'] = routes;
      if (!routes.every((one) => one === first)) return routes.includes('open') ? 'partly' : first;
      const isPublic = addresses.every((address) => !isPrivateAddress(parseAddress(address)));
      return first === 'no-route' && isPublic ? 'public' : first;
    },
  };
}

/** The names that a VPC has in the ways: it may be one that nothing makes. */
function vpcNames(id: string): string[] {
  return [id, `${vpcVpc.type}.${toName(id)}`];
}

/** Clients of VPCs, with the names that others have. */
function askingFrom(ids: readonly string[], service: ServiceNames): Asking {
  const { apiHosts, fixedIpHosts, records, boundZones } = service;
  const isApi = (name: string) => apiHosts.some((host) => isInZone(name, host));
  const inPublic = (name: string) => {
    if (fixedIpHosts.includes(name)) return fixedAddressesOf(service);
    return isApi(name) ? [PUBLIC_STAND_IN] : undefined;
  };
  const elsewhere = (name: string) => records?.get(name) ?? inPublic(name);
  return { vpcs: ids.flatMap(vpcNames), boundZones, elsewhere };
}

/**
 * Finds the IPv4 clients that are let in to an address, surely or perhaps: by the doors of its endpoint, or all or none of those
 * whose groups let them out to a fixed address. Undefined where nothing is there.
 */
function letInTo(address: string, port: number, reached: Reached, world: World) {
  const services = toServices('tcp', { first: port, last: port });
  const everybody = everyPacket(4).packets.map((range) => ({ ...range, services }));
  const endpoint = endpointAt(reached.index, address);
  const isIts = ({ list: { carrier } }: Door) => carrier === endpoint?.address;
  const inward = reached.ways.find(
    ({ direction, series }) => direction === 'ingress' && series.some(isIts),
  );
  if (inward !== undefined) {
    return boundsOf(inward.series, everybody);
  }
  if (!fixedAddressesOf(world.service).includes(address)) return undefined;
  const packets = [toRange({ peer: networkPeer(address), services })];
  const { least, most } = boundsOf(doorsOut(reached, world), packets);
  return { least: least.length > 0 ? everybody : [], most: most.length > 0 ? everybody : [] };
}

/** Returns what passes all doors: for certain, whatever peers are known by name alone, and perhaps. */
function boundsOf(series: readonly Door[] | undefined, packets: OpenRanges) {
  const asked = { family: 4, packets } as const;
  return series === undefined
    ? { least: [], most: [] }
    : {
        least: passSurely(series, { ...asked, isWithoutNames: true }),
        most: passAll(series, asked, ACCEPTS).open,
      };
}

/** Finds the doors that workloads pass on their way out: their groups, and Cloud Firewall; undefined where all groups are gone. */
function doorsOut({ ways }: Reached, world: World): readonly Door[] | undefined {
  const ids = workloadGroups(world, 'egress').map((group) => readText(group, 'SecurityGroupId'));
  const groups = ids.map((id) => `${vpcSecurityGroup.type}.${toName(id)}`);
  const outward = ways.filter(({ direction }) => direction === 'egress');
  const carriers = groupBy(
    outward.flatMap(({ series }) => series),
    ({ list: { carrier } }) => carrier,
  );
  const all = [...carriers.values()].map(([door]) => door);
  const [first, ...others] = all.filter(({ list }) => groups.includes(list.carrier));
  // The address of a workload out there is not known, so any policy may be for it.
  const border = all.filter(({ list }) => list.kind === 'firewall');
  if (first === undefined) return groups.length > 0 ? undefined : border;
  return [decideTogether(first, others), ...border];
}

function holds(open: OpenRanges, client: string): boolean {
  const { value } = parseAddress(client);
  return open.some(({ first, last }) => first <= value && value <= last);
}

/**
 * Returns for how many seconds resolvers keep an address that a private zone gave; undefined if none did. Who
 * has asked before a step that shortens it keeps it as long as it was.
 */
export function longestTtl(states: readonly CloudState[], address: string): number | undefined {
  const records = states
    .flatMap((cloud) => listResources(cloud, privatezoneRecord))
    .filter((record) => readText(record, 'Value') === address);
  return records.length === 0 ? undefined : Math.max(...records.map(({ TTL }) => Number(TTL)));
}

export function toWorld(cloud: CloudState, service: ServiceNames): World {
  return { cloud, faults: new Set(), service };
}

/** A link, as far as it says whose clients call it. */
export type CalledLink = Pick<Link, 'via' | 'expectedAddresses'>;

/**
 * Finds the VPCs of a link's clients by what outputs name: that of its endpoint, or of the workloads' groups.
 * Undefined where no output says it.
 */
export function clientVpcs(
  cloud: CloudState,
  { via, expectedAddresses }: CalledLink,
  { workloadGroups }: Pick<ServiceNames, 'workloadGroups'>,
): readonly string[] | undefined {
  const addresses = expectedAddresses.map((cidr) => cidr.replace(/\/32$/, ''));
  const endpoints = listResources(cloud, privatelinkVpcEndpoint).filter((endpoint) =>
    readObjects(endpoint, 'Zones').some((zone) =>
      addresses.includes(readText(zone, 'PrivateIpAddress')),
    ),
  );
  const groups = (workloadGroups?.egress ?? []).map((id) =>
    findResource(cloud, vpcSecurityGroup, id),
  );
  const callers = via === 'service-endpoint' ? endpoints : groups;
  const vpcs = new Set(callers.map((one) => readText(one, 'VpcId')).filter((id) => id !== ''));
  return vpcs.size === 0 ? undefined : [...vpcs];
}
