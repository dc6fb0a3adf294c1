export type { AccessException, AccessRule } from './access/index.js';
export { CloudProvider, type CloudProviderProps } from './cloud/cloud-provider.js';
export type { CommonProps } from './constructs/common-props.js';
export { exitOnMistake } from './constructs/exit-on-mistake.js';
export type { Linked } from './constructs/linked.js';
export { PostDeployCheck, type PostDeployCheckProps } from './constructs/post-deploy-check.js';
export {
  type ExistingNetwork,
  type NewNetwork,
  PrivateNetwork,
  type PrivateNetworkProps,
} from './constructs/private-network.js';
export {
  SERVICE_ZONE,
  ServiceEndpoint,
  type ServiceEndpointProps,
} from './constructs/service-endpoint.js';
export { StackAccess } from './constructs/stack-access.js';
export { keepState } from './constructs/state-backend.js';
