import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import type { MadeLink } from '../linked.js';
import { nameInStack } from '../outputs.js';
import {
  DEFAULT_PORT,
  keptElsewhere,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';

/** Scheme, domain and port, the port only where it is not the scheme's own. */
export function endpointUrl(
  { scheme, port = DEFAULT_PORT[scheme] }: ServiceEndpointProps,
  domain: string,
): string {
  return `${scheme}://${domain}${port === DEFAULT_PORT[scheme] ? '' : `:${port}`}`;
}

/** The links of an endpoint: over its domain, and with `privateZone` over the API host itself. */
export function endpointLinks(
  construct: Construct & { readonly baseUrl: string },
  props: ServiceEndpointProps,
  endpoint: TerraformResource,
): MadeLink[] {
  const { apiHost, network, tlsServerName, privateZone } = props;
  const records = keptElsewhere(props);
  const zones = [...(props.zones ?? network.subnets.keys())].sort().flatMap((name) => {
    const cidr = network.subnets.get(name)?.cidr;
    return cidr === undefined ? [] : [{ name, network: cidr }];
  });
  const link: MadeLink = {
    name: nameInStack(construct),
    via: 'private-network',
    baseUrl: construct.baseUrl,
    apiHost,
    expectedAddresses: {
      expression: `sort([for zone in ${endpoint.fqn}.zones : "\${zone.private_ip_address}/32"])`,
    },
    expectedNetworks: zones.map((zone) => zone.network),
    zones,
  };
  const ofApiHost = {
    ...link,
    name: `${link.name}-api-host`,
    baseUrl: `https://${apiHost}`,
    privateZone: true,
    ...(records !== undefined && { recordsElsewhere: records }),
  };
  return [
    { ...link, ...(tlsServerName !== undefined && { tlsServerName }) },
    ...(privateZone ? [ofApiHost] : []),
  ];
}
