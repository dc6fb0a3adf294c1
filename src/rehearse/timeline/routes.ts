import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Link } from '../../link/link.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { SANDBOX_SERVICE, type ServiceNames } from '../../sandbox/internet.js';
import { lookUp } from '../../sandbox/network/names.js';
import { type Route, route, routeIn, type World } from '../../sandbox/network/world.js';
import { pluginRoute } from '../../sandbox/plugin/plugin-route.js';

/** A way that clients, or the service, use, with all that they know of it. */
export type Way =
  | {
      readonly kind: 'link';
      readonly name: string;
      readonly link: Pick<Link, 'baseUrl'>;
      /** The client's address. */
      readonly from: string;
    }
  | {
      readonly kind: 'private-plugin';
      readonly name: string;
      readonly serviceId: string;
      /** The listener's. @default - the lowest */
      readonly port?: number | undefined;
    }
  | {
      readonly kind: 'fixed-ip-plugin';
      readonly name: string;
      readonly from: string;
      readonly to: string;
      readonly port: number;
    };

/** `partly` where some addresses of a name are open and others are not. */
export type WayState = Route | 'partly' | 'no-name' | 'unreachable';

/** What becomes of a connection over each way in one state of the cloud, by the way's name. */
export function wayStates(
  cloud: CloudState,
  ways: readonly Way[],
  service: ServiceNames = SANDBOX_SERVICE,
): Map<string, WayState> {
  const world: World = { cloud, faults: new Set(), service };
  return new Map(ways.map((way) => [way.name, stateOf(world, way)]));
}

function stateOf(world: World, way: Way): WayState {
  switch (way.kind) {
    case 'link':
      return linkState(world, new URL(way.link.baseUrl), way.from);
    case 'private-plugin':
      return pluginState(world, way);
    case 'fixed-ip-plugin':
      return routeIn(world, way);
  }
}

function linkState(world: World, { hostname, port, protocol }: URL, from: string): WayState {
  const { outcome, addresses } = lookUp(world, hostname);
  if (outcome !== 'found') return 'no-name';
  const dialed = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const routes = addresses.map((to) => route(world, { from, to, port: dialed }));
  const [first = 'no-route'] = routes;
  if (routes.every((one) => one === first)) return first;
  return routes.includes('open') ? 'partly' : first;
}

function pluginState(
  world: World,
  { serviceId, port }: Extract<Way, { kind: 'private-plugin' }>,
): WayState {
  try {
    pluginRoute(world, serviceId, port);
    return 'open';
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    return error.code === 'plugin.unreachable' ? 'unreachable' : 'not-connected';
  }
}

/** The listener's port that calls of a plugin go to; undefined where they go nowhere. */
export function listenerPort(
  cloud: CloudState,
  serviceId: string,
  service: ServiceNames,
): number | undefined {
  try {
    return pluginRoute({ cloud, faults: new Set(), service }, serviceId).listenerPort;
  } catch (error) {
    if (error instanceof ConnectivityError) return undefined;
    throw error;
  }
}
