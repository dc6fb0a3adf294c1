import type { AccessRule } from '../../access/access-rule.js';
import { cidrsOverlap, parseCidr } from '../../net/cidr.js';
import {
  formatProblems,
  hostProblems,
  isToken,
  literalProblems,
  numberProblems,
  onceProblems,
  problemIf,
} from '../mistakes.js';
import type { BoundNetwork, IPrivateNetwork } from '../network-props.js';
import {
  DEFAULT_PORT,
  type ExistingZone,
  type RecordsElsewhere,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';

/** Every reason not to make the private zone that an endpoint asks for. */
export function privateZoneProblems(props: ServiceEndpointProps): string[] {
  const { privateZone = false } = props;
  return [
    ...(privateZone === false ? [] : clientProblems(props)),
    ...(typeof privateZone === 'object' ? ownerProblems(privateZone, props) : []),
    ...networkProblems(props),
  ];
}

/** What is wrong with a zone, or records, that others manage. */
function ownerProblems(
  zone: ExistingZone | RecordsElsewhere,
  { apiHost }: ServiceEndpointProps,
): string[] {
  if ('keptElsewhere' in zone) {
    const { keptElsewhere: who } = zone;
    const unknown = literalProblems('privateZone.keptElsewhere', who);
    if (unknown.length > 0 || (who.trim() !== '' && !/[$%]\{/.test(who))) return unknown;
    return ['`privateZone.keptElsewhere` must say who keeps the records, without ${ or %{'];
  }
  const { zoneId, zoneName } = zone;
  const unknown = literalProblems('privateZone', zoneId, zoneName, apiHost);
  if (unknown.length > 0) return unknown;
  const holds = apiHost === zoneName || apiHost.endsWith(`.${zoneName}`);
  return [
    ...numberProblems('privateZone.zoneId', [zoneId], [1, Number.MAX_SAFE_INTEGER]),
    ...hostProblems('privateZone.zoneName', zoneName),
    ...problemIf(
      !holds,
      `\`privateZone.zoneName\` must be ${apiHost} or a domain above it, got: "${zoneName}"`,
    ),
  ];
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
  return [
    ...problemIf(
      privateZoneNetworks.length > 0 && privateZone !== true,
      `\`privateZone\` must be true to bind \`privateZoneNetworks\` to it, got: ${JSON.stringify(privateZone)}`,
    ),
    ...onceProblems('privateZoneNetworks', 'VPC', ids),
    ...privateZoneNetworks.flatMap(({ vpcId, cidrs }) => cidrProblems(vpcId, cidrs)),
  ];
}

function cidrProblems(vpcId: string, cidrs: readonly string[]): string[] {
  const property = 'privateZoneNetworks.cidrs';
  const unknown = literalProblems(property, cidrs);
  if (unknown.length > 0) return unknown;
  if (cidrs.length === 0) return [`\`${property}\` must name the CIDRs of ${vpcId}`];
  return cidrs.flatMap((cidr) => formatProblems(property, cidr, parseCidr));
}

/** Networks in which the API host resolves to the endpoint, but that it lets nobody in from. */
export function boundNetworkProblems(
  rules: readonly AccessRule[],
  networks: readonly BoundNetwork[],
): string[] {
  const allowed = rules.flatMap(({ peer }) => (peer.kind === 'cidr' ? [parseCidr(peer.cidr)] : []));
  return networks
    .filter(({ cidrs }) => cidrs.length > 0)
    .filter(
      ({ cidrs }) =>
        !cidrs.map(parseCidr).some((cidr) => allowed.some((one) => cidrsOverlap(cidr, one))),
    )
    .map(
      (network) =>
        `\`privateZone\` leads the clients of ${describeNetwork(network)} to the endpoint, which allows none of them; add their part of ${network.cidrs.join(', ')} to \`allowedNetworks\`, or call \`allowFrom\``,
    );
}

function describeNetwork(network: BoundNetwork | IPrivateNetwork): string {
  return 'node' in network ? network.node.path : network.vpcId;
}
