import { type AccessRule, peerCidrs } from '../../access/access-rule.js';
import { text } from '../../cloud/props/kinds.js';
import { isToken, propsProblems } from '../../cloud/props/shape.js';
import { REGION, SERVICE_ZONE } from '../../cloud/table/names.js';
import { tryAddress } from '../../net/address.js';
import { cidrContains, isPrivateRange, parseCidr } from '../../net/cidr.js';
import { isInZone } from '../../net/host-name.js';
import { MAX_MORE_GROUPS } from '../../settings/defaults.js';
import {
  cidrProblems,
  collectProblems,
  hostProblems,
  literalProblems,
  numberProblems,
  onceProblems,
  openProblems,
} from '../mistakes.js';
import { type BoundNetwork, boundNetwork, type IPrivateNetwork } from '../network-props.js';
import {
  DEFAULT_PORT,
  type ExistingZone,
  endpointSubnets,
  NAME_YOURS,
  type RecordsElsewhere,
  readServiceId,
  SERVICE_ENDPOINT,
  SERVICE_ID,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';

/** Every reason not to build an endpoint. */
export function endpointProblems(props: ServiceEndpointProps): string[] {
  return propsProblems(SERVICE_ENDPOINT, props, problemsTogether);
}

/** Problems of props that are each right by themselves. */
function problemsTogether(props: ServiceEndpointProps): string[] {
  const { network, scheme, tlsServerName, zones, addresses = {} } = props;
  const unknown = [
    ...literalProblems('zones', zones, ...(zones ?? [])),
    ...literalProblems('addresses', addresses, ...Object.values(addresses)),
    ...literalProblems('scheme', scheme),
  ];
  return collectProblems(
    unknown,
    serviceProblems(props),
    unknown.length === 0 && network.subnets.size > 0 && zoneProblems(props),
    scheme === 'http' && clearTextProblems(network),
    groupProblems(props.securityGroupIds ?? []),
    privateZoneProblems(props),
    scheme === 'http' &&
      tlsServerName !== undefined &&
      '`tlsServerName` has no meaning with scheme http; leave it out',
  );
}

/** Problems that depend on the network; one with mistakes has no subnets, and says so itself. */
function zoneProblems(props: ServiceEndpointProps): string[] {
  const { network, addresses = {} } = props;
  const { zones = [SERVICE_ZONE] } = props;
  const known = [...network.subnets.keys()].join(', ');
  if (!network.subnets.has(SERVICE_ZONE)) {
    return [
      `\`network\` must have a subnet in ${SERVICE_ZONE}, where the service is available, got: ${known}`,
    ];
  }
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
  const elsewhere = otherRegion(serviceName);
  if (elsewhere !== undefined) {
    return [
      `\`serviceName\` must be of the endpoint's region, ${REGION}: an endpoint reaches no other, got: "${serviceName}" of ${elsewhere}`,
    ];
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

/** A part of a service name that names a region: `cn-shanghai`, `ap-southeast-1`. */
const REGION_PART = /^[a-z]{2}-[a-z]+(-?\d+)?$/;

/** The region that a service name states, where it is another than that of the endpoint. */
function otherRegion(serviceName: string): string | undefined {
  const regions = serviceName.split('.').filter((part) => REGION_PART.test(part));
  return regions.includes(REGION) ? undefined : regions[0];
}

function groupProblems(groups: readonly string[]): string[] {
  return collectProblems(
    groups.length > MAX_MORE_GROUPS &&
      `\`securityGroupIds\` must be at most ${MAX_MORE_GROUPS}, beside the endpoint's own, got: ${groups.length}`,
    onceProblems('securityGroupIds', 'group', groups),
  );
}

function clearTextProblems(network: IPrivateNetwork): string[] {
  return [...network.subnets]
    .filter(([, { cidr }]) => !isPrivateRange(parseCidr(cidr)))
    .map(
      ([zone, { cidr }]) =>
        `\`scheme\` must be https where a subnet is not private: tokens would travel unencrypted, got: http with ${zone} "${cidr}"`,
    );
}

/**
 * Every reason not to let one more network call.
 *
 * @param reason as a caller gave it, who may use JavaScript
 */
export function clientsProblems(cidr: string, reason: unknown): string[] {
  return [
    ...cidrProblems('allowFrom', [cidr], NAME_YOURS),
    ...(reason === undefined ? [] : text.problems(reason, 'allowFrom.reason')),
  ];
}

/** Rules that let in most of the internet together: those of props, of the network and of later calls. */
export function openRuleProblems(rules: readonly AccessRule[]): string[] {
  return openProblems('allowedNetworks', peerCidrs(rules), NAME_YOURS);
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

/** Faults of a DNS zone, or records, that others manage. */
function ownerProblems(
  dnsZone: ExistingZone | RecordsElsewhere,
  { apiHost }: ServiceEndpointProps,
): string[] {
  if ('managedBy' in dnsZone) {
    const { managedBy: who } = dnsZone;
    const unknown = literalProblems('privateZone.managedBy', who);
    if (unknown.length > 0 || (who.trim() !== '' && !/[$%]\{/.test(who))) return unknown;
    return ['`privateZone.managedBy` must say who keeps the records, without ${ or %{'];
  }
  const { zoneId, zoneName } = dnsZone;
  const unknown = literalProblems('privateZone', zoneId, zoneName, apiHost);
  if (unknown.length > 0) return unknown;
  return collectProblems(
    numberProblems('privateZone.zoneId', [zoneId], [1, Number.MAX_SAFE_INTEGER]),
    hostProblems('privateZone.zoneName', zoneName),
    !isInZone(apiHost, zoneName) &&
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
export function boundProblems(property: string, network: BoundNetwork): string[] {
  const malformed = boundNetwork.problems(network, property);
  if (malformed.length > 0) return [...malformed];
  const { cidrs } = network;
  const unknown = literalProblems(`${property}.cidrs`, cidrs);
  return unknown.length > 0 ? unknown : cidrProblems(`${property}.cidrs`, cidrs);
}
