import { privatelinkVpcEndpointConnection } from '../../cloud/table/privatelink.js';
import type { Link } from '../../link/link.js';
import { parseAddress } from '../../net/address.js';
import type { AddressRange } from '../../reach/sets/ranges.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText } from '../../sandbox/json.js';
import { workloadAddress } from '../../sandbox/network/places.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import { type Clients, followClients, splitClients, type WayState } from '../ways/clients.js';
import {
  clientVpcs,
  linkWay,
  longestTtl,
  type NamedLinks,
  type SeenState,
  toWorld,
  type Way,
} from '../ways/link-way.js';
import { pluginWay } from '../ways/ways.js';

/** A way that clients or the service use, in each state of the cloud: before the first step, then after each. */
export interface Lane {
  readonly stack: string;
  readonly name: string;
  readonly kind: 'link' | 'plugin';
  /** Everybody who may use the link at first, or a workload where nobody may; none of a plugin. */
  readonly clients: readonly Clients[];
  readonly baseUrl?: string;
  /** The base URL of the link from now on, if it changes. */
  readonly newBaseUrl?: string | undefined;
  /** The step from which the new base URL works for these clients until the end; none where it does not. */
  readonly newWorksFrom?: number | undefined;
  /** Addresses that clients keep in their caches after the name has others. */
  readonly cached?: readonly CachedAddress[];
  /** The people who manage the records of its host from now on. */
  readonly recordsElsewhere?: string | undefined;
  /** The listener that calls of a plugin go to, and where there will be one if that changes. */
  readonly port?: number;
  readonly newPort?: number | undefined;
  /** The way of a link; undefined of a plugin. */
  readonly via?: Link['via'];
  /** True in each state in which it is not open for everybody, and would be under other answers to what is in doubt. */
  readonly unclear: readonly boolean[];
  /** The states of all clients together. */
  readonly states: readonly WayState[];
}

/** An address that a name no longer has, and that does not answer any more. */
export interface CachedAddress {
  readonly address: string;
  /** The step that gives the name other addresses. */
  readonly renamed: number;
  /** The step from which it does not answer. */
  readonly from: number;
  readonly ttlSeconds: number;
}

/**
 * The lanes of everything that the outputs of stacks name: links for all clients that may use them at
 * first, and private connections of the service.
 */
export function makeLanes(
  { before, after }: NamedLinks,
  states: readonly SeenState[],
  service: ServiceNames,
): Lane[] {
  const [first, last] = [states[0], states.at(-1)];
  if (first === undefined || last === undefined) return [];
  const connected = connectedServices(first.cloud);
  return [...before].flatMap(([stack, { links, plugins = [] }]) => [
    ...links.map((link): Lane => {
      const now = after.get(stack)?.links.find(({ name }) => name === link.name);
      return { stack, ...followLink({ link, now, states, service }) };
    }),
    ...plugins
      .filter(({ serviceId }) => connected.has(serviceId))
      .map((plugin): Lane => {
        const { name, serviceId } = plugin;
        const { port } = pluginWay(first.reached, serviceId);
        const now = after.get(stack)?.plugins?.find((one) => one.name === name);
        const called = states.map(({ reached }) => pluginWay(reached, serviceId, port));
        const newPort = now && pluginWay(last.reached, now.serviceId).port;
        return {
          stack,
          name,
          kind: 'plugin',
          clients: [],
          ...(port !== undefined && { port }),
          newPort: newPort === port ? undefined : newPort,
          unclear: called.map(({ isUnclear }) => isUnclear === true),
          states: called.map(({ state }) => state),
        };
      }),
  ]);
}

interface FollowedLink {
  readonly link: Link;
  readonly now: Link | undefined;
  readonly states: readonly SeenState[];
  readonly service: ServiceNames;
}

function followLink({ link, now, states, service }: FollowedLink): Omit<Lane, 'stack'> {
  const { name, baseUrl } = link;
  const vpcs = followVpcs({ link, now, states, service });
  const known = new Map<string, Way>();
  const waysTo = (url: string) =>
    states.map((state, i) => {
      const key = JSON.stringify([url, states.indexOf(state), vpcs[i]]);
      const way = known.get(key) ?? linkWay(state, url, service, vpcs[i]);
      known.set(key, way);
      return way;
    });
  const ways = waysTo(baseUrl);
  const newBaseUrl = now?.baseUrl === baseUrl ? undefined : now?.baseUrl;
  const newWays = newBaseUrl === undefined ? [] : waysTo(newBaseUrl);
  const parts = splitClients([...ways, ...newWays].map(({ letIn }) => letIn));
  const clients = clientsOf({ link, ways, parts, states, service });
  const joined = states.map((_, i) => joinStates(clients.map((client) => client.states[i])));
  const newWorksFrom = newBaseUrl === undefined ? undefined : worksFrom(newWays, clients);
  return {
    name,
    kind: 'link',
    clients,
    baseUrl,
    newBaseUrl,
    newWorksFrom,
    cached: cachedAddresses(ways, states, clients),
    recordsElsewhere: now?.recordsElsewhere,
    via: link.via,
    unclear: ways.map((way) => clients.some(({ address }) => way.mayBeOpen(address))),
    states: joined,
  };
}

/** Clients are where the endpoint is that they call, and stay there while there is none. */
function followVpcs({ link, now, states, service }: FollowedLink) {
  const expectedAddresses = [link, now].flatMap((one) => one?.expectedAddresses ?? []);
  let last: readonly string[] | undefined;
  return states.map(({ cloud }) => {
    last = clientVpcs(cloud, { via: link.via, expectedAddresses }, service) ?? last;
    return last;
  });
}

function clientsOf({
  link: { via },
  ways,
  parts,
  states: [first],
  service,
}: Omit<FollowedLink, 'now'> & {
  readonly ways: readonly Way[];
  readonly parts: readonly AddressRange[];
}): Clients[] {
  const statesOf = (address: string) => ways.map((way) => way.stateFor(address));
  // Workloads that call fixed addresses have the same groups, whatever their addresses.
  const all = via === 'service-endpoint' ? followClients(parts, statesOf) : [];
  const open = all.filter(({ states }) => states[0] === 'open');
  if (open.length > 0 || first === undefined) return open;
  const workload = workloadAddress(toWorld(first.cloud, service), 'egress');
  const { value } = parseAddress(workload);
  return [{ first: value, last: value, address: workload, states: statesOf(workload) }];
}

/** The first state of those at the end in which each client reaches a base URL. */
function worksFrom(ways: readonly Way[], clients: readonly Clients[]): number | undefined {
  const isClosed = (way: Way) => clients.some(({ address }) => way.stateFor(address) !== 'open');
  const from = ways.findLastIndex(isClosed) + 1;
  return from < ways.length ? from : undefined;
}

/** Finds addresses that resolvers may still give for a while, and that no longer answer whoever is let in. */
function cachedAddresses(
  ways: readonly Way[],
  states: readonly SeenState[],
  clients: readonly Clients[],
): CachedAddress[] {
  return ways.flatMap((way, i) => {
    const before = ways[i - 1];
    if (before === undefined) return [];
    const gone = before.addresses.filter((address) => !way.addresses.includes(address));
    return gone.flatMap((address): CachedAddress[] => {
      const ttlSeconds = longestTtl(
        states.slice(0, i).map(({ cloud }) => cloud),
        address,
      );
      if (ttlSeconds === undefined) return [];
      const froms = clients.flatMap((client) => {
        const later = ways.slice(i).findIndex((one) => !one.isOpen(client.address, address));
        // A client for whom the name leads nowhere is cut off already.
        const isCut = client.states.slice(i, i + later + 1).some((one) => one !== 'open');
        return later < 0 || isCut ? [] : i + later;
      });
      return froms.length === 0
        ? []
        : [{ address, renamed: i, from: Math.min(...froms), ttlSeconds }];
    });
  });
}

export function joinStates(states: readonly (WayState | undefined)[]): WayState {
  const [first = 'no-route'] = states;
  return states.every((state) => state === first) ? first : 'partly';
}

/** Endpoint services to which the service is connected. */
export function connectedServices(cloud: CloudState): ReadonlySet<string> {
  const all = listResources(cloud, privatelinkVpcEndpointConnection);
  const connected = all.filter(({ ConnectionStatus: status }) => status === 'Connected');
  return new Set(connected.map((connection) => readText(connection, 'ServiceId')));
}
