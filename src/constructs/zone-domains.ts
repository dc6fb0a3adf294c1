import type { Construct } from 'constructs';
import { type PrivatelinkVpcEndpoint, PrivatelinkVpcEndpointData } from '../cloud/resource.js';
import type { CommonProps } from './common-props.js';

/** The host of an endpoint in each zone, as JSON; the resource itself does not tell them. */
export function zoneDomains(
  scope: Construct,
  endpoint: PrivatelinkVpcEndpoint,
  { provider }: CommonProps,
): string {
  const read = new PrivatelinkVpcEndpointData(scope, 'deployed', {
    id: endpoint.attributes.endpointId,
    ...(provider && { provider }),
  });
  return `\${jsonencode({for zone in ${read.fqn}.zones : zone.zone_id => zone.zone_domain})}`;
}
