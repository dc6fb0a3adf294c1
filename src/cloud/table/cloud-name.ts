import type { Attribute } from './row.js';

/** The name of an attribute's property in the cloud's API: `ipv_4_gateway_id` is `Ipv4GatewayId`. */
export function cloudName(name: string, attribute: Attribute | undefined): string {
  if (attribute?.cloudName !== undefined) return attribute.cloudName;
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
