import { clbAcl, clbClb, clbListener, clbServerGroup } from '../../cloud/table/clb.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../cloud/table/privatelink.js';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type Cidr, cidrsOverlap, LINK_NETWORK, parseCidr } from '../../net/cidr.js';
import type { Cloud } from '../cloud/cloud.js';
import { CloudError } from '../cloud/cloud-error.js';
import { type CloudState, findResource, listResources } from '../cloud/cloud-state.js';
import { type CloudScope, type ConnectionStatus, referenced } from '../cloud/cloud-type.js';
import { requestedConnection } from '../cloud/types/endpoint-connection.js';
import { permits } from '../cloud/types/endpoint-service.js';
import type { FaultName } from '../faults/index.js';
import { isObject, type JsonObject, readObjects, readText, readTexts } from '../json.js';
import { routeBehind, type World } from '../network/world.js';
import { SERVICE_ACCOUNT_ID, ZONES } from '../surroundings.js';

/** The sources of calls over a private connection, at the load balancer and behind it. */
const PRIVATE_LINK_SOURCES = parseCidr(LINK_NETWORK);

/** Addresses of the load balancer out of that network, near both of its ends: a call may come from any. */
const PRIVATE_LINK_CALLERS = ['100.64.0.1', '100.127.255.254'] as const;

const CODE_OF_STATUS: { readonly [status: string]: Code } = {
  PendingAcceptance: 'connection.pending',
  Rejected: 'connection.lost',
  Failed: 'connection.lost',
};

type Connection = ReturnType<typeof connectionsTo>[number];

/** Connections that work come first, then those that may; any other has to be replaced. */
const ORDER = ['Connected', 'PendingAcceptance'];

/** The connections of the service's account to an endpoint service, the most hopeful first. */
export function connectionsTo({ cloud, faults, service }: World, serviceId: string) {
  const forced = forcedStatus(faults);
  return listResources(cloud, privatelinkVpcEndpointConnection)
    .filter((each) => each.ServiceId === serviceId)
    .filter((each) => service.accounts.includes(readText(each, 'EndpointOwnerAccountId')))
    .map((each) => ({
      endpointId: readText(each, 'EndpointId'),
      status: forced ?? readText(each, 'ConnectionStatus'),
      /** The load balancers that serve it, one for each zone. */
      resourceIds: readObjects(each, 'Zones').map((zone) => readText(zone, 'ResourceId')),
    }))
    .sort((a, b) => connectionRank(a.status) - connectionRank(b.status));
}

function connectionRank(status: string): number {
  return ORDER.includes(status) ? ORDER.indexOf(status) : ORDER.length;
}

/** Returns what a fault makes of every connection. */
export function forcedStatus(faults: ReadonlySet<FaultName>): ConnectionStatus | undefined {
  if (faults.has('connection-rejected')) return 'Rejected';
  return faults.has('connection-pending') ? 'PendingAcceptance' : undefined;
}

/**
 * Adds a private connection to an endpoint service, as an administrator does in the service's console. The service's account makes an endpoint that asks for the connection; asked again for the
 * same endpoint service, it answers the connection that is there, unless that was rejected or failed.
 *
 * @throws ConnectivityError `connection.lost` with the cloud's own words
 */
export function connectPlugin(cloud: Cloud, world: () => World, serviceId: string): Connection {
  const [existing] = connectionsTo(world(), serviceId);
  if (existing && ORDER.includes(existing.status)) return existing;
  let identifier: string;
  try {
    identifier = cloud.receive(privatelinkVpcEndpointConnection.cloudType, (scope) =>
      request(scope, serviceId),
    );
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    throw new ConnectivityError(
      'connection.lost',
      `the cloud refuses the private connection: ${error.code}: ${error.message}`,
      { cause: error },
    );
  }
  const made = connectionsTo(world(), serviceId).find(
    ({ endpointId }) => identifier === `${serviceId}|${endpointId}`,
  );
  if (made) return made;
  throw new ConnectivityError('internal.bug', `${identifier} is not there after it was made`);
}

function request(cloud: CloudScope, serviceId: string): JsonObject {
  const service = referenced(cloud, privatelinkEndpointService, 'ServiceId', serviceId);
  if (!permits(service, SERVICE_ACCOUNT_ID)) {
    throw new CloudError(
      'Forbidden.AccountNotPermitted',
      `${serviceId} does not permit account ${SERVICE_ACCOUNT_ID}`,
      403,
    );
  }
  const facts = {
    endpointId: cloud.newId('ep'),
    accountId: SERVICE_ACCOUNT_ID,
    vpcId: 'vpc-of-the-service',
    zoneId: ZONES[0] ?? '',
  };
  return requestedConnection(service, facts, cloud);
}

/**
 * The way of a plugin call over a private connection: connection, load balancer, listener, its ACL,
 * a server with a weight, whose security groups let it take the call.
 *
 * @param port the listener's; without it, the lowest that there is
 * @throws ConnectivityError `connection.*` or `backend.unhealthy`, naming what stops it
 */
export function pluginRoute(world: World, serviceId: string, port?: number) {
  const { cloud } = world;
  const [connection] = connectionsTo(world, serviceId);
  if (!connection) {
    throw new ConnectivityError(
      'connection.pending: not requested',
      `\`serviceId\` has no private connection of the service, got: "${serviceId}"; add one first`,
    );
  }
  const { endpointId, status } = connection;
  if (status !== 'Connected') {
    const code = CODE_OF_STATUS[status] ?? 'connection.lost';
    const message = `the connection of ${endpointId} is ${status}, not Connected`;
    throw new ConnectivityError(code, message);
  }
  const balancerId = findBalancer(cloud, serviceId, connection);
  const listener = listenerOn(cloud, balancerId, port);
  if (!letsIn(cloud, listener)) {
    throw unreachable(
      `the ACL of ${readText(listener, 'ListenerId')} does not let ${PRIVATE_LINK_SOURCES.text} in`,
    );
  }
  const vpcId = readText(findResource(cloud, clbClb, balancerId), 'VpcId');
  const server = findServer(world, listener, vpcId);
  return {
    endpointId,
    from: PRIVATE_LINK_CALLERS[0],
    listenerPort: Number(listener.Port),
    ...server,
  };
}

function findBalancer(cloud: CloudState, serviceId: string, connection: Connection): string {
  const service = findResource(cloud, privatelinkEndpointService, serviceId);
  const attached = readObjects(service, 'Resources').map(({ ResourceId }) => ResourceId);
  const id = connection.resourceIds.find(
    (each) => attached.includes(each) && findResource(cloud, clbClb, each),
  );
  if (id === undefined) throw unreachable(`${serviceId} has no load balancer for the connection`);
  return id;
}

function listenerOn(cloud: CloudState, balancerId: string, port: number | undefined): JsonObject {
  const [listener] = listResources(cloud, clbListener)
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
  const networks = readTexts(listener, 'AclIds')
    .flatMap((id) => readObjects(findResource(cloud, clbAcl, id), 'AclEntries'))
    .map((entry) => parseCidr(readText(entry, 'Entry')));
  return listener.AclType === 'white'
    ? coverTogether(networks, PRIVATE_LINK_SOURCES)
    : !networks.some((network) => cidrsOverlap(network, PRIVATE_LINK_SOURCES));
}

/** Tells whether networks together have every address of another. */
function coverTogether(networks: readonly Cidr[], { family, first, last }: Cidr): boolean {
  const own = networks.filter((network) => network.family === family);
  const next = own
    .sort((a, b) => (a.first < b.first ? -1 : 1))
    .reduce((from, one) => (one.first <= from && from <= one.last ? one.last + 1n : from), first);
  return next > last;
}

interface Server {
  readonly address: string;
  readonly port: number;
}

/**
 * Finds the first server that gets calls: one with a weight, which lets the load balancer in to call it and
 * to look after it.
 *
 * @throws ConnectivityError `backend.unhealthy` naming what stops the first one
 */
function findServer(world: World, listener: JsonObject, vpcId: string): Server {
  const groupId = readText(listener, 'ServerGroupId');
  const group = findResource(world.cloud, clbServerGroup, groupId);
  const servers = readObjects(group, 'Servers').filter(({ Weight }) => Number(Weight) > 0);
  const checked = checkedPort(listener);
  const judged = servers.map(({ Ip, Port }) => {
    const server = { address: String(Ip), port: Number(Port) };
    const ports = [server.port, ...(checked === undefined ? [] : [checked])];
    const [stop] = ports.flatMap((port) => stopOf(world, { ...server, port }, vpcId) ?? []);
    return { server, stop };
  });
  const open = judged.find(({ stop }) => stop === undefined);
  if (open !== undefined) return open.server;
  throw unreachable(judged[0]?.stop ?? `${groupId} has no server with a weight above 0`);
}

/** The port of health checks; undefined where it is the server's own, or there are none. */
function checkedPort({ HealthCheck: check }: JsonObject): number | undefined {
  const { Enabled, Port } = isObject(check) ? check : {};
  return Enabled === 'off' || Number(Port ?? 0) === 0 ? undefined : Number(Port);
}

/** Says what stops the load balancer at a port of a server; undefined where nothing does. */
function stopOf(world: World, { address: to, port }: Server, vpcId: string): string | undefined {
  const stopped = PRIVATE_LINK_CALLERS.find(
    (from) => routeBehind(world, { from, to, port }, vpcId) !== 'open',
  );
  if (stopped === undefined) return undefined;
  return `the security groups of ${to} do not let ${stopped} in on port ${port}`;
}

function unreachable(reason: string): ConnectivityError {
  return new ConnectivityError('backend.unhealthy', reason);
}
