import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../cloud/table/index.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Cloud } from '../cloud/cloud.js';
import { CloudError } from '../cloud/cloud-error.js';
import type { CloudScope } from '../cloud/cloud-type.js';
import { referenced } from '../cloud/references.js';
import { SERVICE_ACCOUNT_ID, ZONES } from '../cloud/region.js';
import { requestedConnection } from '../cloud/types/endpoint-connection.js';
import { permits } from '../cloud/types/endpoint-service.js';
import type { JsonObject } from '../json.js';
import type { World } from '../world.js';
import { type Connection, connectionsTo, isHopeless } from './connections.js';

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
