import { tryAddress } from '../../net/address.js';
import { cidrContains, cidrCovers, PRIVATE_NETWORKS, parseCidr } from '../../net/cidr.js';
import {
  cidrProblems,
  collectProblems,
  formatProblems,
  hostProblems,
  isToken,
  literalProblems,
  numberProblems,
  onceProblems,
  portProblems,
} from '../mistakes.js';
import type { BoundNetwork, IPrivateNetwork } from '../network-props.js';
import {
  DEFAULT_PORT,
  type ExistingZone,
  endpointSubnets,
  type RecordsElsewhere,
  readServiceId,
  SERVICE_ID,
  SERVICE_ZONE,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';

/** Groups that an endpoint can have; see the cloud's limits. */
const MOST_GROUPS = 5;

/** Every reason not to build an endpoint. */
export function endpointProblems(props: ServiceEndpointProps): string[] {
  const { network, scheme, port, tlsServerName, zones, addresses = {} } = props;
  const unknown = [
    ...literalProblems('zones', zones, ...(zones ?? [])),
    ...literalProblems('addresses', addresses, ...Object.values(addresses)),
    ...literalProblems('scheme', scheme),
  ];
  return collectProblems(
    unknown,
    serviceProblems(props),
    hostProblems('apiHost', props.apiHost),
    unknown.length === 0 && network.subnets.size > 0 && zoneProblems(props),
    allowedProblems('allowedNetworks', props.allowedNetworks ?? []),
    port !== undefined && portProblems('port', [port]),
    scheme === 'http' && clearTextProblems(network),
    groupProblems(props.securityGroupIds ?? []),
    privateZoneProblems(props),
    tlsServerName !== undefined && hostProblems('tlsServerName', tlsServerName),
    scheme === 'http' &&
      tlsServerName !== undefined &&
      '`tlsServerName` has no meaning with scheme http; leave it out',
  );
}

/** Problems that depend on the network; one with mistakes has no subnets, and says so itself. */
function zoneProblems(props: ServiceEndpointProps): string[] {
  const { network, addresses = {} } = props;
  const zones = props.zones ?? [...network.subnets.keys()];
  const known = [...network.subnets.keys()].join(', ');
  return collectProblems(
    !zones.includes(SERVICE_ZONE) &&
      `\`zones\` must include ${SERVICE_ZONE}, where the service is available, got: ${zones.join(', ')}`,
    zones
      .filter((zone) => !network.subnets.has(zone))
      .map((zone) => `\`zones\` must be zones of the network (${known}), got: "${zone}"`),
    addressProblems(addresses, new Map(endpointSubnets(props))),
    onceProblems('zones', 'zone', zones),
  );
}

/** Every reason why addresses of the settings cannot be taken. */
function addressProblems(
  addresses: Readonly<Record<string, string>>,
  subnets: ReadonlyMap<string, { readonly cidr: string }>,
): string[] {
  return Object.entries(addresses).flatMap(([zone, address]) => {
    const subnet = subnets.get(zone);
    if (subnet === undefined) {
      const zones = [...subnets.keys()].join(', ');
      return [`\`addresses\` must be of zones of the endpoint (${zones}), got: "${zone}"`];
    }
    const own = tryAddress(address);
    return own !== undefined && cidrContains(parseCidr(subnet.cidr), own)
      ? []
      : [`\`addresses.${zone}\` must lie in the subnet ${subnet.cidr}, got: "${address}"`];
  });
}

function serviceProblems({ serviceName, serviceId }: ServiceEndpointProps): string[] {
  if (isToken(serviceName) || isToken(serviceId)) {
    return collectProblems(
      serviceId === undefined &&
        '`serviceId` is required if `serviceName` is a token, because the id cannot be read from it',
    );
  }
  const named = readServiceId(serviceName);
  if (serviceId === undefined) {
    return collectProblems(
      named === undefined &&
        `\`serviceId\` is required where \`serviceName\` does not end in an id such as epsvc-1a2b, got: "${serviceName}"; ask the service for the id of its endpoint service`,
    );
  }
  if (!SERVICE_ID.test(serviceId)) {
    return [`\`serviceId\` must be an id such as epsvc-1a2b, got: "${serviceId}"`];
  }
  return collectProblems(
    named !== undefined &&
      named !== serviceId &&
      `\`serviceId\` must be the id in \`serviceName\`, ${named}, got: "${serviceId}"`,
  );
}

function groupProblems(groups: readonly string[]): string[] {
  return collectProblems(
    groups.length + 1 > MOST_GROUPS &&
      `\`securityGroupIds\` must be at most ${MOST_GROUPS - 1}, beside the endpoint's own, got: ${groups.length}`,
    onceProblems('securityGroupIds', 'group', groups),
  );
}

function clearTextProblems(network: IPrivateNetwork): string[] {
  return [...network.subnets]
    .filter(([, { cidr }]) => !PRIVATE_NETWORKS.some((range) => cidrCovers(range, parseCidr(cidr))))
    .map(
      ([zone, { cidr }]) =>
        `\`scheme\` must be https where a subnet is not private: tokens would travel unencrypted, got: http with ${zone} "${cidr}"`,
    );
}

/** Every reason not to let networks call. */
export function allowedProblems(property: string, cidrs: readonly string[]): string[] {
  return cidrProblems(property, cidrs, '; name your networks');
}

/** Every reason not to make the private zone that an endpoint asks for. */
function privateZoneProblems(props: ServiceEndpointProps): string[] {
  const { privateZone = false } = props;
  return [
    ...(privateZone === false ? [] : clientProblems(props)),
    ...(typeof privateZone === 'object' ? ownerProblems(privateZone, props) : []),
    ...networkProblems(props),
  ];
}

/** What is wrong with a DNS zone, or records, that others manage. */
function ownerProblems(
  dnsZone: ExistingZone | RecordsElsewhere,
  { apiHost }: ServiceEndpointProps,
): string[] {
  if ('keptElsewhere' in dnsZone) {
    const { keptElsewhere: who } = dnsZone;
    const unknown = literalProblems('privateZone.keptElsewhere', who);
    if (unknown.length > 0 || (who.trim() !== '' && !/[$%]\{/.test(who))) return unknown;
    return ['`privateZone.keptElsewhere` must say who keeps the records, without ${ or %{'];
  }
  const { zoneId, zoneName } = dnsZone;
  const unknown = literalProblems('privateZone', zoneId, zoneName, apiHost);
  if (unknown.length > 0) return unknown;
  const holds = apiHost === zoneName || apiHost.endsWith(`.${zoneName}`);
  return collectProblems(
    numberProblems('privateZone.zoneId', [zoneId], [1, Number.MAX_SAFE_INTEGER]),
    hostProblems('privateZone.zoneName', zoneName),
    !holds &&
      `\`privateZone.zoneName\` must be ${apiHost} or a domain above it, got: "${zoneName}"`,
  );
}

function clientProblems({ scheme, port }: ServiceEndpointProps): string[] {
  if (isToken(port)) return [];
  if (scheme === 'http') {
    return [
      '`privateZone` needs scheme https, got: http; https clients of the API host would break',
    ];
  }
  return port === undefined || port === DEFAULT_PORT.https
    ? []
    : [`\`privateZone\` needs port 443, which clients of the API host use, got: ${port}`];
}

function networkProblems(props: ServiceEndpointProps): string[] {
  const { privateZone = false, privateZoneNetworks = [] } = props;
  const ids = privateZoneNetworks.map(({ vpcId }) => vpcId);
  return collectProblems(
    privateZoneNetworks.length > 0 &&
      privateZone !== true &&
      `\`privateZone\` must be true to bind \`privateZoneNetworks\` to it, got: ${JSON.stringify(privateZone)}`,
    onceProblems('privateZoneNetworks', 'VPC', ids),
    privateZoneNetworks
      .filter(({ cidrs }) => cidrs.length === 0)
      .map(({ vpcId }) => `\`privateZoneNetworks.cidrs\` must name the CIDRs of ${vpcId}`),
    privateZoneNetworks.flatMap((network) => boundProblems('privateZoneNetworks', network)),
  );
}

/** Every reason not to bind a private zone to a network. */
export function boundProblems(property: string, { cidrs }: BoundNetwork): string[] {
  const unknown = literalProblems(`${property}.cidrs`, cidrs);
  if (unknown.length > 0) return unknown;
  return cidrs.flatMap((cidr) => formatProblems(`${property}.cidrs`, cidr, parseCidr));
}
