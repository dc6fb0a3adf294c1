import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../cloud/table/index.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Cloud } from '../cloud/cloud.js';
import { CloudError } from '../cloud/cloud-error.js';
import { resourcesOf } from '../cloud/cloud-state.js';
import { type CloudScope, type ConnectionStatus, referenced } from '../cloud/cloud-type.js';
import { SERVICE_ACCOUNT_ID, ZONES } from '../cloud/region.js';
import { requestedConnection } from '../cloud/types/endpoint-connection.js';
import { permits } from '../cloud/types/endpoint-service.js';
import type { FaultName } from '../faults/index.js';
import { SANDBOX_SERVICE } from '../internet.js';
import { type JsonObject, objectsOf, textOf } from '../json.js';
import type { World } from '../network/world.js';

/** A connection of the service's account, as the world has it now. */
export interface Connection {
  readonly endpointId: string;
  readonly status: string;
  /** The load balancers that serve it, one for each zone. */
  readonly resourceIds: readonly string[];
}

/** Connections that work come first, then those that may. */
const ORDER = ['Connected', 'PendingAcceptance'];

/** The connections of the service's account to an endpoint service, the most hopeful first. */
export function connectionsTo(
  { cloud, faults, service = SANDBOX_SERVICE }: World,
  serviceId: string,
): Connection[] {
  const forced = forcedStatus(faults);
  return resourcesOf(cloud, privatelinkVpcEndpointConnection.cloudType)
    .filter((each) => each.ServiceId === serviceId)
    .filter((each) => service.accounts.includes(textOf(each, 'EndpointOwnerAccountId')))
    .map((each) => ({
      endpointId: textOf(each, 'EndpointId'),
      status: forced ?? textOf(each, 'ConnectionStatus'),
      resourceIds: objectsOf(each, 'Zones').map((zone) => textOf(zone, 'ResourceId')),
    }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** Whether nothing but a new connection helps. */
function isHopeless({ status }: Connection): boolean {
  return !ORDER.includes(status);
}

function rankOf(connection: Connection): number {
  return isHopeless(connection) ? ORDER.length : ORDER.indexOf(connection.status);
}

/** What a fault makes of every connection. */
export function forcedStatus(faults: ReadonlySet<FaultName>): ConnectionStatus | undefined {
  if (faults.has('connection-rejected')) return 'Rejected';
  return faults.has('connection-pending') ? 'PendingAcceptance' : undefined;
}

/**
 * What an administrator does in the service's console: adds a private connection to an endpoint
 * service. The service's account makes an endpoint that asks for the connection; asked again for the
 * same endpoint service, it answers the connection that is there, unless that was rejected or failed.
 *
 * @throws ConnectivityError `connection.refused` with the cloud's own words
 */
export function connectPlugin(cloud: Cloud, world: () => World, serviceId: string): Connection {
  const [existing] = connectionsTo(world(), serviceId);
  if (existing && !isHopeless(existing)) return existing;
  let identifier: string;
  try {
    identifier = cloud.receive(privatelinkVpcEndpointConnection.cloudType, (scope) =>
      request(scope, serviceId),
    );
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    throw new ConnectivityError(
      'connection.refused',
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
