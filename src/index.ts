export type { AccessException, AccessRule } from './access/access-rule.js';
export { CloudProvider, type CloudProviderProps } from './cloud/cloud-provider.js';
export { SERVICE_ZONE } from './cloud/table/names.js';
export { FixedIpEgress, type FixedIpEgressProps } from './constructs/fixed-ip/fixed-ip-egress.js';
export type {
  FixedIpTargets,
  ListedAddresses,
} from './constructs/fixed-ip/fixed-ip-enforcement.js';
export {
  FixedIpIngress,
  type FixedIpIngressProps,
} from './constructs/fixed-ip/fixed-ip-ingress.js';
export type { AcceptedLink, Connected, Linked, MadeLink } from './constructs/linked.js';
export { exitOnMistake } from './constructs/mistakes.js';
export type {
  BoundNetwork,
  IPrivateNetwork,
  NetworkSubnet,
  NewNetwork,
  PrivateNetworkAttributes,
} from './constructs/network-props.js';
export { PluginEndpointService } from './constructs/plugin-endpoint-service/plugin-endpoint-service.js';
export type {
  ExistingLoadBalancer,
  PluginEndpointServiceProps,
} from './constructs/plugin-endpoint-service/plugin-endpoint-service-props.js';
export type {
  BackendServer,
  NewLoadBalancer,
} from './constructs/plugin-endpoint-service/private-load-balancer.js';
export { PostDeployCheck } from './constructs/post-deploy-check/post-deploy-check.js';
export type {
  KeyPair,
  PostDeployCheckProps,
} from './constructs/post-deploy-check/verifier-call.js';
export { PrivateNetwork, type PrivateNetworkProps } from './constructs/private-network.js';
export type { CommonProps } from './constructs/props-and-outputs.js';
export type { FirewallTarget } from './constructs/rules/ruled-firewall.js';
export { ServiceEndpoint } from './constructs/service-endpoint/service-endpoint.js';
export type {
  ExistingZone,
  RecordsElsewhere,
  ServiceEndpointProps,
} from './constructs/service-endpoint/service-endpoint-props.js';
export { keepIntents, StackAccess } from './constructs/stack-access.js';
export { keepState } from './constructs/state-backend.js';
export type { BackendGuard } from './constructs/user-id-header.js';
export { UserIdHeader, type UserIdHeaderProps } from './constructs/user-id-header.js';
export type { Intent, Intents } from './intents/intents-file.js';
export type { AddressList, AddressState, ListedAddress } from './net/address-list.js';
export { LINK_NETWORK } from './net/cidr.js';
export { FIXED_ADDRESSES } from './net/fixed-addresses.js';
