import { CloudError } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import { endpointConnection } from './endpoint-connection.js';
import { endpointService } from './endpoint-service.js';
import { addressBook, controlPolicy } from './firewall.js';
import { listener, listenerAcl } from './listener.js';
import { loadBalancer, serverGroup } from './load-balancer.js';
import { privateZone, privateZoneRecord } from './private-zone.js';
import { prefixList, securityGroup } from './security-group.js';
import { subnet } from './subnet.js';
import { vpc } from './vpc.js';
import { vpcEndpoint } from './vpc-endpoint.js';

/** Every resource type that the sandbox's cloud has. */
export const CLOUD_TYPES: readonly CloudType[] = [
  addressBook,
  controlPolicy,
  endpointConnection,
  endpointService,
  listener,
  listenerAcl,
  loadBalancer,
  prefixList,
  privateZone,
  privateZoneRecord,
  securityGroup,
  serverGroup,
  subnet,
  vpc,
  vpcEndpoint,
];

/** @throws CloudError where there is no such type */
export function findType(typeName: string): CloudType {
  const type = CLOUD_TYPES.find(({ row }) => row.cloudType === typeName);
  if (!type) throw new CloudError('UnsupportedType', `there is no type "${typeName}"`);
  return type;
}
