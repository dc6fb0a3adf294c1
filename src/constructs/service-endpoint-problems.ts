import { cidrCovers, PRIVATE_NETWORKS, parseCidr } from '../net/cidr.js';
import { addressProblems } from './endpoint-address.js';
import { problemOf } from './invalid.js';
import type { PrivateNetwork } from './private-network.js';
import {
  DEFAULT_PORT,
  readServiceId,
  SERVICE_ID,
  SERVICE_ZONE,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';

/** Groups that an endpoint can have; see the cloud's limits. */
const MOST_GROUPS = 5;

/** Every reason not to build an endpoint. */
export function endpointProblems(props: ServiceEndpointProps): string[] {
  const { network, scheme, port, tlsServerName } = props;
  const zones = props.zones ?? [...network.subnets.keys()];
  const allowed = props.allowedNetworks ?? network.cidrs;
  const known = [...network.subnets.keys()].join(', ');
  return [
    ...serviceProblems(props),
    ...(zones.includes(SERVICE_ZONE)
      ? []
      : [
          `\`zones\` must include ${SERVICE_ZONE}, where the service stands, got: ${zones.join(', ')}`,
        ]),
    ...zones
      .filter((zone) => !network.subnets.has(zone))
      .map((zone) => `\`zones\` must be zones of the network (${known}), got: "${zone}"`),
    ...addressProblems(props.addresses ?? {}, zoneSubnets(props)),
    ...(new Set(zones).size < zones.length
      ? [`\`zones\` must name each zone once, got: ${zones.join(', ')}`]
      : []),
    ...(allowed.length === 0 ? ['`allowedNetworks` must name at least one network'] : []),
    ...allowed.flatMap(allowedProblems),
    ...(port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65535)
      ? [`\`port\` must be 1 to 65535, got: ${port}`]
      : []),
    ...(scheme === 'http' ? clearTextProblems(network) : []),
    ...groupProblems(props.securityGroupIds ?? []),
    ...(props.privateZone ? privateZoneProblems(props) : []),
    ...(scheme === 'http' && tlsServerName !== undefined
      ? ['`tlsServerName` has no meaning with scheme http; leave it out']
      : []),
  ];
}

function serviceProblems({ serviceName, serviceId }: ServiceEndpointProps): string[] {
  const named = readServiceId(serviceName);
  if (serviceId === undefined) {
    return named === undefined
      ? [
          `\`serviceId\` is required where \`serviceName\` does not end in an id such as epsvc-1a2b, got: "${serviceName}"; ask the service for the id of its endpoint service`,
        ]
      : [];
  }
  if (!SERVICE_ID.test(serviceId)) {
    return [`\`serviceId\` must be an id such as epsvc-1a2b, got: "${serviceId}"`];
  }
  return named === undefined || named === serviceId
    ? []
    : [`\`serviceId\` must be the id in \`serviceName\`, ${named}, got: "${serviceId}"`];
}

function zoneSubnets({ network: { subnets }, zones }: ServiceEndpointProps) {
  return new Map([...subnets].filter(([zone]) => zones === undefined || zones.includes(zone)));
}

function groupProblems(groups: readonly string[]): string[] {
  return [
    ...(groups.length + 1 > MOST_GROUPS
      ? [
          `\`securityGroupIds\` must be at most ${MOST_GROUPS - 1}, beside the endpoint's own, got: ${groups.length}`,
        ]
      : []),
    ...(new Set(groups).size < groups.length
      ? [`\`securityGroupIds\` must name each group once, got: ${groups.join(', ')}`]
      : []),
  ];
}

function privateZoneProblems({ scheme, port }: ServiceEndpointProps): string[] {
  if (scheme === 'http') {
    return [
      '`privateZone` needs scheme https, got: http; https clients of the API host would break',
    ];
  }
  return port === undefined || port === DEFAULT_PORT.https
    ? []
    : [`\`privateZone\` needs port 443, which clients of the API host use, got: ${port}`];
}

function clearTextProblems(network: PrivateNetwork): string[] {
  return [...network.subnets]
    .filter(([, { cidr }]) => !PRIVATE_NETWORKS.some((range) => cidrCovers(range, parseCidr(cidr))))
    .map(
      ([zone, { cidr }]) =>
        `\`scheme\` must be https where a subnet is not private: tokens would travel in clear, got: http with ${zone} "${cidr}"`,
    );
}

function allowedProblems(cidr: string): string[] {
  const malformed = problemOf('allowedNetworks', cidr, parseCidr);
  if (malformed.length > 0) return malformed;
  return parseCidr(cidr).prefix === 0
    ? [`\`allowedNetworks\` must not be every address, got: "${cidr}"; name your networks`]
    : [];
}
