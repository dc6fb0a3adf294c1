export { CloudProvider, type CloudProviderProps } from './cloud-provider.js';
export {
  PrivatelinkVpcEndpoint,
  PrivatelinkVpcEndpointData,
  VpcSecurityGroup,
  VpcSubnet,
  VpcVpc,
} from './resource.js';
