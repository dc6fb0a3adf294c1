import {
  clbAcl,
  clbClb,
  clbListener,
  clbServerGroup,
  privatelinkEndpointService,
} from '../../cloud/table/index.js';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { cidrCovers, cidrsOverlap, LINK_NETWORK, parseCidr } from '../../net/cidr.js';
import { type CloudState, resourcesOf } from '../cloud/cloud-state.js';
import { type JsonObject, objectsOf, textOf, textsOf } from '../json.js';
import type { World } from '../network/world.js';
import { type Connection, connectionsTo } from './connections.js';

/** Where a call over a private connection arrives from, at the load balancer and behind it. */
const PRIVATE_LINK_SOURCES = parseCidr(LINK_NETWORK);

const CODE_OF_STATUS: { readonly [status: string]: Code } = {
  PendingAcceptance: 'connection.pending',
  Rejected: 'connection.rejected',
  Failed: 'connection.failed',
};

/** The way of a plugin call that arrives. */
interface PluginRoute {
  readonly endpointId: string;
  /** Which the call goes to. */
  readonly listenerPort: number;
  /** The server that takes the call. */
  readonly address: string;
  readonly port: number;
}

/**
 * The way of a plugin call over a private connection: connection, load balancer, listener, its ACL,
 * a server with a weight.
 *
 * @param port the listener's; without it, the lowest that there is
 * @throws ConnectivityError `connection.*` or `plugin.unreachable`, naming what stops it
 */
export function pluginRoute(world: World, serviceId: string, port?: number): PluginRoute {
  const { cloud } = world;
  const [connection] = connectionsTo(world, serviceId);
  if (!connection) {
    throw new ConnectivityError(
      'connection.missing',
      `\`serviceId\` has no private connection of the service, got: "${serviceId}"; add one first`,
    );
  }
  if (connection.status !== 'Connected') throw notConnected(connection);
  const balancerId = balancerOf(cloud, serviceId, connection);
  const listener = listenerOn(cloud, balancerId, port);
  if (!letsIn(cloud, listener)) {
    throw unreachable(
      `the ACL of ${textOf(listener, 'ListenerId')} does not let ${PRIVATE_LINK_SOURCES.text} in`,
    );
  }
  return {
    endpointId: connection.endpointId,
    listenerPort: Number(listener.Port),
    ...serverOf(cloud, textOf(listener, 'ServerGroupId')),
  };
}

function notConnected({ endpointId, status }: Connection): ConnectivityError {
  const code = CODE_OF_STATUS[status] ?? 'connection.failed';
  return new ConnectivityError(code, `the connection of ${endpointId} is ${status}, not Connected`);
}

function balancerOf(cloud: CloudState, serviceId: string, connection: Connection): string {
  const service = cloud.resources[privatelinkEndpointService.cloudType]?.[serviceId];
  const attached = service ? objectsOf(service, 'Resources') : [];
  const id = connection.resourceIds.find(
    (each) =>
      attached.some(({ ResourceId }) => ResourceId === each) &&
      cloud.resources[clbClb.cloudType]?.[each] !== undefined,
  );
  if (id === undefined) throw unreachable(`${serviceId} has no load balancer for the connection`);
  return id;
}

function listenerOn(cloud: CloudState, balancerId: string, port: number | undefined): JsonObject {
  const [listener] = resourcesOf(cloud, clbListener.cloudType)
    .filter(({ LoadBalancerId }) => LoadBalancerId === balancerId)
    .filter(({ Enabled, Protocol }) => Enabled === 'on' && Protocol !== 'UDP')
    .filter(({ Port }) => port === undefined || Port === port)
    .sort((a, b) => Number(a.Port) - Number(b.Port));
  const wanted = port === undefined ? '' : ` on port ${port}`;
  if (!listener) throw unreachable(`${balancerId} has no listener${wanted}`);
  return listener;
}

function letsIn(cloud: CloudState, listener: JsonObject): boolean {
  if (listener.AclStatus !== 'on') return true;
  const networks = textsOf(listener, 'AclIds')
    .map((id) => cloud.resources[clbAcl.cloudType]?.[id])
    .flatMap((acl) => (acl ? objectsOf(acl, 'AclEntries') : []))
    .map((entry) => parseCidr(textOf(entry, 'Entry')));
  return listener.AclType === 'white'
    ? networks.some((network) => cidrCovers(network, PRIVATE_LINK_SOURCES))
    : !networks.some((network) => cidrsOverlap(network, PRIVATE_LINK_SOURCES));
}

function serverOf(cloud: CloudState, groupId: string): { address: string; port: number } {
  const group = cloud.resources[clbServerGroup.cloudType]?.[groupId];
  const servers = group ? objectsOf(group, 'Servers') : [];
  const server = servers.find(({ Weight }) => Number(Weight) > 0);
  if (!server) throw unreachable(`${groupId} has no server with a weight above 0`);
  return { address: textOf(server, 'Ip'), port: Number(server.Port) };
}

function unreachable(reason: string): ConnectivityError {
  return new ConnectivityError('plugin.unreachable', reason);
}
