import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { privatezoneRecord } from '../../cloud/table/privatezone.js';
import { vpcSecurityGroup, vpcVpc } from '../../cloud/table/vpc.js';
import type { Link, Links } from '../../link/link.js';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { isInZone } from '../../net/host-name.js';
import { networkPeer } from '../../reach/packet-rule.js';
import { toName } from '../../reach/read/cloud-state.js';
import type { AddressRange, OpenRanges } from '../../reach/sets/ranges.js';
import { toRange } from '../../reach/sets/region.js';
import { toServices } from '../../reach/sets/services.js';
import { passUnderDoubt } from '../../reach/ways/bounds.js';
import type { Reached } from '../../reach/ways/doors.js';
import { clientsOf, doorsOut } from '../../reach/ways/link-ways.js';
import { everyPacket } from '../../reach/ways/pass.js';
import { type Asking, resolveName } from '../../reach/ways/resolve-name.js';
import { type CloudState, findResource, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';
import { workloadGroups } from '../../sandbox/network/groups.js';
import { workloadVpcs } from '../../sandbox/network/places.js';
import { route, type World } from '../../sandbox/network/world.js';
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
  /** The clients whom rules may let in to them, as they tell them apart. */
  readonly letIn: readonly AddressRange[];
  /** Returns what becomes of a client's connection. */
  stateFor(client: string): WayState;
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
  const bounds = new Map(addresses.map((one) => [one, boundsAt(one, port, reached, world)]));
  const to = (from: string, address: string): WayState => {
    const { most, least } = bounds.get(address) ?? boundsAt(address, port, reached, world);
    if (holds(least, from)) return 'open';
    const routed = route(world, { from, to: address, port });
    // What depends on how the cloud decides, the sandbox assumes.
    return routed === 'open' && !holds(most, from) ? 'dropped' : routed;
  };
  return {
    addresses,
    letIn: [...bounds.values()].flatMap(({ most, least }) => [...most, ...least]),
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

/** The clients that are let in to an address, for certain or perhaps; everybody where workloads have a way out. */
function boundsAt(address: string, port: number, reached: Reached, world: World) {
  const inward = clientsOf(reached, address, port);
  if (inward !== undefined) return inward;
  if (!fixedAddressesOf(world.service).includes(address)) return NOBODY;
  const groups = workloadGroups(world, 'egress').map((group) => readText(group, 'SecurityGroupId'));
  const doors = doorsOut(
    reached,
    groups.map((id) => `${vpcSecurityGroup.type}.${toName(id)}`),
  );
  if (doors === undefined) return NOBODY;
  const services = toServices('tcp', { first: port, last: port });
  const packets = [toRange({ peer: networkPeer(address), services })];
  const { most, least } = passUnderDoubt(doors, { family: 4, packets });
  const all = everyPacket(4).packets;
  return { most: most.length > 0 ? all : [], least: least.length > 0 ? all : [] };
}

const NOBODY: { readonly most: OpenRanges; readonly least: OpenRanges } = { most: [], least: [] };

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
