import { CloudError } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import * as endpointConnection from './endpoint-connection.js';
import * as endpointService from './endpoint-service.js';
import * as firewall from './firewall.js';
import * as listener from './listener.js';
import * as loadBalancer from './load-balancer.js';
import * as privateZone from './private-zone.js';
import * as readOnly from './read-only.js';
import * as securityGroup from './security-group.js';
import * as vpc from './vpc.js';
import * as vpcEndpoint from './vpc-endpoint.js';

/** Every resource type that the sandbox's cloud has: what the files export that has a row of the table. */
export const CLOUD_TYPES: readonly CloudType[] = Object.values({
  ...{ ...endpointConnection, ...endpointService, ...firewall, ...listener, ...loadBalancer },
  ...{ ...privateZone, ...readOnly, ...securityGroup, ...vpc, ...vpcEndpoint },
}).filter((exported) => typeof exported === 'object' && 'row' in exported);

/** @throws CloudError where there is no such type */
export function findType(typeName: string): CloudType {
  const type = CLOUD_TYPES.find(({ row }) => row.cloudType === typeName);
  if (!type) throw new CloudError('UnsupportedType', `there is no type "${typeName}"`);
  return type;
}
