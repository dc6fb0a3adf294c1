import { privatelinkVpcEndpointConnection } from '../../cloud/table/privatelink.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Links } from '../../link/link.js';
import { formatAddress } from '../../net/address.js';
import { combine } from '../../reach/sets/ranges.js';
import { subtract } from '../../reach/sets/services.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText } from '../../sandbox/json.js';
import { lookUp } from '../../sandbox/network/names.js';
import { type Route, route, type World, workloadAddress } from '../../sandbox/network/world.js';
import { pluginRoute } from '../../sandbox/plugin/connections.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { CloudAccess } from './cloud-access.js';

/** A way that clients or the service use, in each state of the cloud: before the first step, then after each. */
export interface Lane {
  readonly stack: string;
  readonly name: string;
  readonly kind: 'link' | 'plugin';
  /** Clients that were looked at: one in each network that may use the link. */
  readonly clients: readonly { readonly address: string; readonly states: readonly WayState[] }[];
  readonly baseUrl?: string;
  /** The base URL of the link from now on, if it changes. */
  readonly newBaseUrl?: string | undefined;
  /** The step from which the new base URL works for these clients until the end; none where it does not. */
  readonly newWorksFrom?: number | undefined;
  /** The listener that calls of a plugin go to. */
  readonly port?: number;
  /** It alone, to be checked: whatever addresses it has at that moment are the right ones. */
  readonly target: Links;
  /** Of all clients together. */
  readonly states: readonly WayState[];
}

/** Clients beyond so many are not dialled from; the sets of packets have all of them. */
const MAX_CLIENTS = 16;
/** So many of them are clients that something lets in at first and not in the end. */
const MAX_LOST = 8;

/** The outputs of stacks, by stack. */
export type LinksByStack = ReadonlyMap<string, Links>;

/** The outputs before and after. */
export interface NamedLinks {
  readonly before: LinksByStack;
  readonly after: LinksByStack;
}

/**
 * The lanes of everything that the outputs of stacks name: links for a client in each network that may
 * use them at first, and private connections of the service.
 */
export function makeLanes(
  { before, after }: NamedLinks,
  states: readonly CloudState[],
  access: readonly CloudAccess[],
  service: ServiceNames,
): Lane[] {
  const [first] = states;
  if (first === undefined) return [];
  const connected = connectedServices(first);
  const ends = [access[0], access.at(-1)].filter((end) => end !== undefined);
  const lost = lostClients(access).slice(0, MAX_LOST);
  const candidates = [...new Set([...lost, ...ends.flatMap(clientsIn)])].slice(0, MAX_CLIENTS);
  return [...before].flatMap(([stack, { links, plugins = [] }]) => [
    ...links.map((link): Lane => {
      const { name, baseUrl } = link;
      const now = after.get(stack)?.links.find((one) => one.name === name)?.baseUrl;
      const stateFor = (from: string, state: CloudState) =>
        linkState(state, baseUrl, from, service);
      const open = candidates.filter((from) => stateFor(from, first) === 'open');
      const from = open.length > 0 ? open : [workloadAddress(first, 'egress')];
      const clients = from.map((address) => ({
        address,
        states: states.map((state) => stateFor(address, state)),
      }));
      const newBaseUrl = now === baseUrl ? undefined : now;
      return {
        stack,
        name,
        kind: 'link',
        clients,
        baseUrl,
        newBaseUrl,
        newWorksFrom:
          newBaseUrl === undefined ? undefined : worksFrom(newBaseUrl, from, states, service),
        target: {
          accessDigest: '',
          links: [{ ...link, expectedAddresses: [], expectedNetworks: [] }],
        },
        states: states.map((_, i) => joined(clients.map((client) => client.states[i]))),
      };
    }),
    ...plugins
      .filter(({ serviceId }) => connected.has(serviceId))
      .map((plugin): Lane => {
        const { name, serviceId } = plugin;
        const { port } = pluginWay(first, serviceId, undefined, service);
        return {
          stack,
          name,
          kind: 'plugin',
          clients: [],
          ...(port !== undefined && { port }),
          target: { accessDigest: '', links: [], plugins: [plugin] },
          states: states.map((state) => pluginWay(state, serviceId, port, service).state),
        };
      }),
  ]);
}

/** The first state of those at the end in which each client reaches a base URL. */
function worksFrom(
  baseUrl: string,
  clients: readonly string[],
  states: readonly CloudState[],
  service: ServiceNames,
): number | undefined {
  const from =
    states.findLastIndex((state) =>
      clients.some((client) => linkState(state, baseUrl, client, service) !== 'open'),
    ) + 1;
  return from < states.length ? from : undefined;
}

/** A client for a dial: the one that may use the most links. */
export function commonestClient(lanes: readonly Lane[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { address } of lanes.flatMap(({ clients }) => clients)) {
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function joined(states: readonly (WayState | undefined)[]): WayState {
  const [first = 'no-route'] = states;
  return states.every((state) => state === first) ? first : 'partly';
}

/** An address of each IPv4 range that something lets in at first and not in the end. */
function lostClients(access: readonly CloudAccess[]): string[] {
  const [first, last] = [access[0]?.certain.region, access.at(-1)?.certain.region];
  return [...(first ?? [])].flatMap(([key, { direction, peer, ranges }]) => {
    if (direction !== 'ingress' || peer.kind !== 'addresses' || peer.family !== 4) return [];
    const lost = combine(ranges, last?.get(key)?.ranges ?? [], subtract);
    return lost.map((range) => {
      const value = range.last > range.first ? range.first + 1n : range.first;
      return formatAddress({ family: 4, value });
    });
  });
}

/** The last usable address of each IPv4 network that something lets in. */
function clientsIn({ rules }: CloudAccess): string[] {
  return rules.flatMap(({ direction, peer }) => {
    if (direction !== 'ingress' || peer.kind !== 'addresses' || peer.family !== 4) return [];
    const value = peer.last - peer.first > 1n ? peer.last - 1n : peer.last;
    return [formatAddress({ family: 4, value })];
  });
}

/** Endpoint services to which the service is connected. */
export function connectedServices(cloud: CloudState): ReadonlySet<string> {
  const all = listResources(cloud, privatelinkVpcEndpointConnection);
  const connected = all.filter(({ ConnectionStatus: status }) => status === 'Connected');
  return new Set(connected.map((connection) => readText(connection, 'ServiceId')));
}

/** Each thing by its key, with the step from which it holds, and the one that ends it if one does. */
export function findSpans<T>(steps: readonly (readonly T[])[], keyOf: (thing: T) => string) {
  const spans: { readonly thing: T; readonly from: number; until?: number }[] = [];
  const open = new Map<string, (typeof spans)[number]>();
  for (const [i, things] of steps.entries()) {
    const now = new Map(things.map((thing) => [keyOf(thing), thing]));
    for (const [key, span] of open) {
      if (now.has(key)) continue;
      span.until = i;
      open.delete(key);
    }
    for (const [key, thing] of now) {
      if (open.has(key)) continue;
      const span = { thing, from: i };
      open.set(key, span);
      spans.push(span);
    }
  }
  return spans;
}

/** The spans in which a lane is not open, after it was. */
export function findCuts({ states }: { readonly states: readonly string[] }) {
  const down = states.map((state) => (state === 'open' ? [] : ['down']));
  return findSpans(down, String).filter(({ from }) => from > 0);
}

/** `partly` where some addresses of a name are open and others are not. */
export type WayState = Route | 'partly' | 'no-name' | 'unreachable';

/** Returns what becomes of a client's connection to a base URL in one state of the cloud. */
export function linkState(
  cloud: CloudState,
  baseUrl: string,
  from: string,
  service: ServiceNames,
): WayState {
  const { hostname, port, protocol } = new URL(baseUrl);
  const world = toWorld(cloud, service);
  const { outcome, addresses } = lookUp(world, hostname);
  if (outcome !== 'found') return 'no-name';
  const dialed = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const routes = addresses.map((to) => route(world, { from, to, port: dialed }));
  const [first = 'no-route'] = routes;
  if (routes.every((one) => one === first)) return first;
  return routes.includes('open') ? 'partly' : first;
}

/**
 * Returns what becomes of a call of a private plugin, and to which port of its listener it goes.
 *
 * @param port the listener's; the lowest where none is given
 */
export function pluginWay(
  cloud: CloudState,
  serviceId: string,
  port: number | undefined,
  service: ServiceNames,
): { readonly state: WayState; readonly port?: number } {
  try {
    return {
      state: 'open',
      port: pluginRoute(toWorld(cloud, service), serviceId, port).listenerPort,
    };
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    return { state: error.code === 'plugin.unreachable' ? 'unreachable' : 'not-connected' };
  }
}

function toWorld(cloud: CloudState, service: ServiceNames): World {
  return { cloud, faults: new Set(), service };
}
