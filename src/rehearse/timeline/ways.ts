import { privatezoneRecord } from '../../cloud/table/privatezone.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText } from '../../sandbox/json.js';
import { lookUp } from '../../sandbox/network/names.js';
import { type Route, route, type World } from '../../sandbox/network/world.js';
import { pluginRoute } from '../../sandbox/plugin/connections.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';

/** `partly` where some addresses of a name, or some clients, are open and others are not. */
export type WayState = Route | 'partly' | 'no-name' | 'public' | 'unreachable';

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

/** Returns for how many seconds resolvers keep an address that a private zone gave; undefined if none did. */
export function recordTtl(cloud: CloudState, address: string): number | undefined {
  const records = listResources(cloud, privatezoneRecord);
  const record = records.find((one) => readText(one, 'Value') === address);
  return record === undefined ? undefined : Number(record.TTL);
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

export function toWorld(cloud: CloudState, service: ServiceNames): World {
  return { cloud, faults: new Set(), service };
}
