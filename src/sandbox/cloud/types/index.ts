import { CloudError } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import { addressBook } from './address-book.js';
import { controlPolicy } from './control-policy.js';
import { endpointConnection } from './endpoint-connection.js';
import { endpointService } from './endpoint-service.js';
import { listener } from './listener.js';
import { listenerAcl } from './listener-acl.js';
import { loadBalancer } from './load-balancer.js';
import { prefixList } from './prefix-list.js';
import { privateZone } from './private-zone.js';
import { privateZoneRecord } from './private-zone-record.js';
import { securityGroup } from './security-group.js';
import { serverGroup } from './server-group.js';
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
export function typeOf(typeName: string): CloudType {
  const type = CLOUD_TYPES.find(({ row }) => row.cloudType === typeName);
  if (!type) throw new CloudError('UnsupportedType', `there is no type "${typeName}"`);
  return type;
}
