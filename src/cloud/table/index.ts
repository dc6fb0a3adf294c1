import { privatelinkVpcEndpoint } from './privatelink-vpc-endpoint.js';
import { privatelinkVpcEndpointData } from './privatelink-vpc-endpoint-data.js';
import type { Row } from './row.js';
import { vpcSecurityGroup } from './vpc-security-group.js';
import { vpcSubnet } from './vpc-subnet.js';
import { vpcVpc } from './vpc-vpc.js';

export { cloudName } from './cloud-name.js';
export { CLOUD_PROVIDER, PROVIDER_CONFIGURATION } from './provider-configuration.js';
export type { Attribute, Attributes, Mode, Permissions, Row, Shape, TextRule } from './row.js';

/** Every resource type and data source that this package uses. */
export const TABLE = [
  privatelinkVpcEndpoint,
  privatelinkVpcEndpointData,
  vpcSecurityGroup,
  vpcSubnet,
  vpcVpc,
] as const satisfies readonly Row[];

export { privatelinkVpcEndpoint, privatelinkVpcEndpointData, vpcSecurityGroup, vpcSubnet, vpcVpc };
