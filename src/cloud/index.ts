export { CloudProvider, type CloudProviderProps } from './cloud-provider.js';
export { permissionsFor, type TypePermissions } from './permissions.js';
export {
  ClbAcl,
  ClbClb,
  ClbListener,
  ClbServerGroup,
  FwcenterAddressBook,
  FwcenterControlPolicy,
  PrivatelinkEndpointService,
  PrivatelinkVpcEndpoint,
  PrivatelinkVpcEndpointConnection,
  PrivatelinkVpcEndpointConnectionData,
  PrivatelinkVpcEndpointData,
  PrivatezonePrivateZone,
  PrivatezoneRecord,
  VpcPrefixList,
  VpcSecurityGroup,
  VpcSubnet,
  VpcVpc,
} from './resource.js';
