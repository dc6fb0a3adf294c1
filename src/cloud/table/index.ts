import { clbAcl } from './clb-acl.js';
import { clbClb } from './clb-clb.js';
import { clbListener } from './clb-listener.js';
import { clbServerGroup } from './clb-server-group.js';
import { fwcenterAddressBook } from './fwcenter-address-book.js';
import { fwcenterControlPolicy } from './fwcenter-control-policy.js';
import { fwcenterVpcFireWallAclRule } from './fwcenter-vpc-fire-wall-acl-rule.js';
import { privatelinkEndpointService } from './privatelink-endpoint-service.js';
import { privatelinkEndpointServiceData } from './privatelink-endpoint-service-data.js';
import { privatelinkVpcEndpoint } from './privatelink-vpc-endpoint.js';
import { privatelinkVpcEndpointConnection } from './privatelink-vpc-endpoint-connection.js';
import { privatelinkVpcEndpointConnectionData } from './privatelink-vpc-endpoint-connection-data.js';
import { privatelinkVpcEndpointData } from './privatelink-vpc-endpoint-data.js';
import { privatezonePrivateZone } from './privatezone-private-zone.js';
import { privatezoneRecord } from './privatezone-record.js';
import type { Row } from './row.js';
import { vpcPrefixList } from './vpc-prefix-list.js';
import { vpcSecurityGroup } from './vpc-security-group.js';
import { vpcSubnet } from './vpc-subnet.js';
import { vpcVpc } from './vpc-vpc.js';

export { cloudName } from './cloud-name.js';
export { CLOUD_PROVIDER, PROVIDER_CONFIGURATION } from './provider-configuration.js';
export type { Attribute, Attributes, Mode, Permissions, Row, Shape, TextRule } from './row.js';
export { measureText } from './row.js';

/** Every resource type and data source that this package uses. */
export const TABLE = [
  clbAcl,
  clbClb,
  clbListener,
  clbServerGroup,
  fwcenterAddressBook,
  fwcenterControlPolicy,
  fwcenterVpcFireWallAclRule,
  privatelinkEndpointService,
  privatelinkEndpointServiceData,
  privatelinkVpcEndpoint,
  privatelinkVpcEndpointConnection,
  privatelinkVpcEndpointConnectionData,
  privatelinkVpcEndpointData,
  privatezonePrivateZone,
  privatezoneRecord,
  vpcPrefixList,
  vpcSecurityGroup,
  vpcSubnet,
  vpcVpc,
] as const satisfies readonly Row[];

export {
  clbAcl,
  clbClb,
  clbListener,
  clbServerGroup,
  fwcenterAddressBook,
  fwcenterControlPolicy,
  fwcenterVpcFireWallAclRule,
  privatelinkEndpointService,
  privatelinkEndpointServiceData,
  privatelinkVpcEndpoint,
  privatelinkVpcEndpointConnection,
  privatelinkVpcEndpointConnectionData,
  privatelinkVpcEndpointData,
  privatezonePrivateZone,
  privatezoneRecord,
  vpcPrefixList,
  vpcSecurityGroup,
  vpcSubnet,
  vpcVpc,
};
