// A line for each type.
export { clbAcl } from './clb-acl.js';
export { clbClb } from './clb-clb.js';
export { clbListener } from './clb-listener.js';
export { clbServerGroup } from './clb-server-group.js';
export { fwcenterAddressBook } from './fwcenter-address-book.js';
export { fwcenterControlPolicy } from './fwcenter-control-policy.js';
export { privatelinkEndpointService } from './privatelink-endpoint-service.js';
export { privatelinkVpcEndpoint } from './privatelink-vpc-endpoint.js';
export {
  privatelinkVpcEndpointConnection,
  privatelinkVpcEndpointConnectionData,
} from './privatelink-vpc-endpoint-connection.js';
export { privatezonePrivateZone } from './privatezone-private-zone.js';
export { privatezoneRecord } from './privatezone-record.js';
export { vpcPrefixList } from './vpc-prefix-list.js';
export { vpcSecurityGroup } from './vpc-security-group.js';
export { vpcSubnet } from './vpc-subnet.js';
export { vpcVpc } from './vpc-vpc.js';
