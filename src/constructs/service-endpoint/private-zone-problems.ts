import type { AccessRule } from '../../access/access-rule.js';
import { cidrsOverlap, parseCidr } from '../../net/cidr.js';
import { isToken, literalProblems, problemOf } from '../mistakes/literal.js';
import type { BoundNetwork, IPrivateNetwork } from '../network/network-props.js';
import { DEFAULT_PORT, type ServiceEndpointProps } from './service-endpoint-props.js';

/** Every reason not to make the private zone that an endpoint asks for. */
export function privateZoneProblems(props: ServiceEndpointProps): string[] {
  return [...(props.privateZone ? clientProblems(props) : []), ...networkProblems(props)];
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
    ...(privateZoneNetworks.length > 0 && !privateZone
      ? ['`privateZone` must be true to bind `privateZoneNetworks` to it, got: false']
      : []),
    ...(new Set(ids).size < ids.length
      ? [`\`privateZoneNetworks\` must name each VPC once, got: ${ids.join(', ')}`]
      : []),
    ...privateZoneNetworks.flatMap(({ vpcId, cidrs }) => cidrProblems(vpcId, cidrs)),
  ];
}

function cidrProblems(vpcId: string, cidrs: readonly string[]): string[] {
  const property = 'privateZoneNetworks.cidrs';
  const unknown = literalProblems(property, cidrs);
  if (unknown.length > 0) return unknown;
  if (cidrs.length === 0) return [`\`${property}\` must name the CIDRs of ${vpcId}`];
  return cidrs.flatMap((cidr) => problemOf(property, cidr, parseCidr));
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
        `\`privateZone\` leads the clients of ${describeNetwork(network)} to the endpoint, which lets none of them in; name their part of ${network.cidrs.join(', ')} in \`allowedNetworks\`, or call \`allowFrom\``,
    );
}

function describeNetwork(network: BoundNetwork | IPrivateNetwork): string {
  return 'node' in network ? network.node.path : network.vpcId;
}
