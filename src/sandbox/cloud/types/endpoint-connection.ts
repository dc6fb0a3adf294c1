import { clbClb } from '../../../cloud/table/clb.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../../cloud/table/privatelink.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, danglingReference } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';

const ACCEPTABLE = ['PendingAcceptance', 'Rejected', 'Failed'];
const DEFAULT_MBPS = 1000;

/**
 * An endpoint's connection to an endpoint service. The endpoint's owner brings it about; to create
 * it here is to accept it, and to delete it is to cut it, after which it stays as rejected.
 */
export const endpointConnection: CloudType = {
  row: privatelinkVpcEndpointConnection,

  make(input, { prior }, cloud) {
    const [serviceId, endpointId] = [readText(input, 'ServiceId'), readText(input, 'EndpointId')];
    const service = referenced(cloud, privatelinkEndpointService, 'ServiceId', serviceId);
    const known = cloud.find(privatelinkVpcEndpointConnection, `${serviceId}|${endpointId}`);
    if (!known) throw danglingReference('EndpointId', endpointId);
    if (prior) return { ...prior, ...input, UpdateTime: cloud.now() };
    const status = readText(known, 'ConnectionStatus');
    if (!ACCEPTABLE.includes(status)) {
      throw new CloudError(
        'InvalidOperation.ConnectionStatus',
        `the connection of ${endpointId} is ${status}: only ${ACCEPTABLE.join(', ')} can be accepted`,
      );
    }
    return { ...accepted(known, service, input, cloud), ...input };
  },

  afterDelete(properties, cloud) {
    return { ...properties, ConnectionStatus: 'Rejected', UpdateTime: cloud.now(), Zones: [] };
  },

  read(properties, cloud) {
    const status = cloud.connectionStatus ?? readText(properties, 'ConnectionStatus');
    return describeStatus(properties, status);
  },
};

/** The status of a connection, which each of its zones has too. */
export function describeStatus(properties: JsonObject, status: string): JsonObject {
  const zones = readObjects(properties, 'Zones').map((zone) => ({ ...zone, ZoneStatus: status }));
  return { ConnectionStatus: status, Zones: zones };
}

/** A connection as its service has it at first. @param request what the endpoint's owner asks for */
export function requestedConnection(
  service: JsonObject,
  request: Readonly<Record<'endpointId' | 'accountId' | 'vpcId' | 'zoneId', string>>,
  cloud: CloudScope,
): JsonObject {
  const connection: JsonObject = {
    Bps: DEFAULT_MBPS,
    ConnectionStatus: 'PendingAcceptance',
    CreationTime: cloud.now(),
    EndpointId: request.endpointId,
    EndpointOwnerAccountId: request.accountId,
    EndpointVpcId: request.vpcId,
    ReplaceResourceId: '',
    ReplacingResource: '',
    ServiceId: readText(service, 'ServiceId'),
    UpdateTime: cloud.now(),
    ZoneId: request.zoneId,
    Zones: [],
  };
  if (service.AutoAcceptEnabled !== true) return connection;
  const hasResources = readObjects(service, 'Resources').length > 0;
  return hasResources
    ? accepted(connection, service, {}, cloud)
    : { ...connection, ConnectionStatus: 'Failed' };
}

function accepted(
  connection: JsonObject,
  service: JsonObject,
  input: JsonObject,
  cloud: CloudScope,
): JsonObject {
  const zoneId = readText(input, 'ZoneId') || readText(connection, 'ZoneId');
  const endpointId = readText(connection, 'EndpointId');
  return {
    ...connection,
    ConnectionStatus: 'Connected',
    UpdateTime: cloud.now(),
    Zones: [
      {
        NetworkInterfaceId: cloud.newId('eni'),
        NetworkInterfaceIP: '10.0.0.10',
        NetworkInterfaceIpv6: '',
        ResourceId: resourceFor(zoneId, service, input, cloud),
        ServiceStatus: 'Available',
        SubnetId: 'subnet-of-the-service',
        ZoneDomain: `${endpointId}-${zoneId}.${readText(service, 'ServiceDomain')}`,
        ZoneId: zoneId,
      },
    ],
  };
}

/** The load balancer that serves a zone: the one that was asked for, or the first. */
function resourceFor(
  zoneId: string,
  service: JsonObject,
  input: JsonObject,
  cloud: CloudScope,
): string {
  const own = readObjects(service, 'Resources').map((resource) => readText(resource, 'ResourceId'));
  const [first] = own;
  if (first === undefined) {
    throw new CloudError(
      'InvalidOperation.NoServiceResource',
      `${readText(service, 'ServiceId')} has no load balancer that could serve a connection`,
    );
  }
  const wanted = readObjects(input, 'ResourcesAllocate')
    .filter((each) => readText(each, 'ZoneId') === '' || each.ZoneId === zoneId)
    .map((each) => readText(each, 'ResourceId'));
  for (const id of wanted) {
    referenced(cloud, clbClb, 'ResourceId', id);
    if (!own.includes(id)) throw danglingReference('ResourcesAllocate', id);
  }
  return wanted[0] ?? first;
}
