import { privatelinkVpcEndpointConnection } from '../../cloud/table/index.js';
import { resourcesOf } from '../cloud/cloud-state.js';
import type { ConnectionStatus } from '../cloud/connection-status.js';
import { SERVICE_ACCOUNT_ID } from '../cloud/region.js';
import type { FaultName } from '../faults.js';
import { objectsOf, textOf } from '../json.js';
import type { World } from '../world.js';

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
export function connectionsTo({ cloud, faults }: World, serviceId: string): Connection[] {
  const forced = forcedStatus(faults);
  return resourcesOf(cloud, privatelinkVpcEndpointConnection.cloudType)
    .filter((each) => each.ServiceId === serviceId)
    .filter((each) => each.EndpointOwnerAccountId === SERVICE_ACCOUNT_ID)
    .map((each) => ({
      endpointId: textOf(each, 'EndpointId'),
      status: forced ?? textOf(each, 'ConnectionStatus'),
      resourceIds: objectsOf(each, 'Zones').map((zone) => textOf(zone, 'ResourceId')),
    }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** Whether nothing but a new connection helps. */
export function isHopeless({ status }: Connection): boolean {
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
