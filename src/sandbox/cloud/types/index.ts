import type { CloudType } from '../cloud-type.js';
import { securityGroup } from './security-group.js';
import { subnet } from './subnet.js';
import { vpc } from './vpc.js';
import { vpcEndpoint } from './vpc-endpoint.js';

/** Every resource type that the sandbox's cloud has. */
export const CLOUD_TYPES: readonly CloudType[] = [securityGroup, subnet, vpc, vpcEndpoint];
