import { privatelinkEndpointService } from '../../cloud/table/privatelink.js';
import { privatezoneRecord } from '../../cloud/table/privatezone.js';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress, LINK_NETWORK } from '../../net/cidr.js';
import { networkPeer } from '../../reach/packet-rule.js';
import type { Way as ReachWay } from '../../reach/questions/door.js';
import { type Reached, readReached } from '../../reach/questions/doors.js';
import { passUnderDoubt } from '../../reach/questions/pass.js';
import { asTerraform, toName } from '../../reach/read/cloud-state.js';
import { readTerraform } from '../../reach/read/terraform-json.js';
import { combine } from '../../reach/sets/ranges.js';
import { toRange } from '../../reach/sets/region.js';
import { intersect, subtract, toServices } from '../../reach/sets/services.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText } from '../../sandbox/json.js';
import { lookUp } from '../../sandbox/network/names.js';
import { route, type World } from '../../sandbox/network/world.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';
import { answersOf, answersOutput } from './owners-answers.js';
import type { WayState } from './way-state.js';

/** The way to a base URL in one state of the cloud. */
export interface Way {
  /** The addresses of its host. */
  readonly addresses: readonly string[];
  /** Returns what becomes of a client's connection. */
  stateFor(client: string): WayState;
  /** Tells whether one address is open to a client. */
  isOpen(client: string, address: string): boolean;
}

export function dialedPort(baseUrl: string): number {
  const { port, protocol } = new URL(baseUrl);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

export function linkWay(cloud: CloudState, baseUrl: string, service: ServiceNames): Way {
  const { hostname } = new URL(baseUrl);
  const world = toWorld(cloud, service);
  const { outcome, addresses } = lookUp(world, hostname);
  const dialed = dialedPort(baseUrl);
  const to = (from: string, address: string) => route(world, { from, to: address, port: dialed });
  return {
    addresses,
    isOpen: (from, address) => to(from, address) === 'open',
    stateFor(from) {
      if (outcome !== 'found') return 'no-name';
      const routes = addresses.map((address) => to(from, address));
      const [first = 'no-route'] = routes;
      if (!routes.every((one) => one === first)) return routes.includes('open') ? 'partly' : first;
      const isPublic = addresses.every((address) => !isPrivateAddress(parseAddress(address)));
      return first === 'no-route' && isPublic ? 'public' : first;
    },
  };
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

/** Reads the ways in one state of the cloud, under the names that the trees have for what is in it. */
export function readWays(state: CloudState, trees: readonly RehearsedTree[]): Reached {
  const resource = asTerraform(state);
  const output = answersOutput(answersOf(trees));
  const rules = trees.flatMap((tree) => tree.flatMap(({ access }) => access?.rules ?? []));
  const terraform = readTerraform({ resource, output });
  return readReached({ name: '', file: '', terraform, access: { rules }, unread: [] });
}

/**
 * Returns what becomes of a call of a private plugin, and to which port of its listener it goes.
 *
 * @param port the listener's; the lowest where none is given
 */
export function pluginWay(
  { privateLinks }: Pick<Reached, 'privateLinks'>,
  serviceId: string,
  port?: number,
): { readonly state: WayState; readonly port?: number } {
  const address = `${privatelinkEndpointService.type}.${toName(serviceId)}`;
  const link = privateLinks.find(({ service }) => service === address);
  if (link?.isConnected !== true) return { state: 'not-connected' };
  const [first] = link.listeners
    .flatMap((way) => tcpPorts(way).map((one) => ({ way, port: one })))
    .filter((one) => port === undefined || one.port === port)
    .sort((a, b) => a.port - b.port);
  return first === undefined
    ? { state: 'no-listener' }
    : { state: calledState(first.way, first.port), port: first.port };
}

/** The ports that listeners begin with: a listener for many ports is called at its first. */
function tcpPorts({ series }: ReachWay): number[] {
  const rules = series.flatMap(({ list }) => (list.kind === 'listener' ? list.rules : []));
  const spans = rules.flatMap(({ services }) => intersect(services, TCP));
  // Tcp has the first block of numbers, so its ports are its numbers.
  return [...new Set(spans.map(({ first }) => first))];
}

const TCP = toServices('tcp');

/** Finds the first door that stops calls out of the network of private links. */
function calledState({ series }: ReachWay, port: number): WayState {
  const services = toServices('tcp', { first: port, last: port });
  const packets = [toRange({ peer: networkPeer(LINK_NETWORK), services })];
  const stops = series.find((_, i) => {
    const { least } = passUnderDoubt(series.slice(0, i + 1), { family: 4, packets });
    return combine(packets, least, subtract).length > 0;
  });
  if (stops === undefined) return 'open';
  if (stops.list.kind === 'listener') return 'refused';
  const drop = stops.list.rules.find(({ isAccept }) => !isAccept);
  return drop?.resource === stops.list.carrier ? 'unreachable' : 'dropped';
}

export function toWorld(cloud: CloudState, service: ServiceNames): World {
  return { cloud, faults: new Set(), service };
}
