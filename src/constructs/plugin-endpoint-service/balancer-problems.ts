import { cidrCovers, hostCidr, parseCidr } from '../../net/cidr.js';
import { portProblems } from '../listed-addresses.js';
import { isToken, literalProblems } from '../mistakes/literal.js';
import type { IPrivateNetwork } from '../network/network-props.js';
import type { BackendServer, NewLoadBalancer } from './private-load-balancer.js';

/** Every reason not to build a load balancer in a network. */
export function balancerProblems(network: IPrivateNetwork, balancer: NewLoadBalancer): string[] {
  const { zone, servers, protocol, healthCheckPath } = balancer;
  const unknown = [
    ...literalProblems('zone', zone),
    ...literalProblems('servers', servers),
    ...literalProblems('protocol', protocol),
  ];
  if (unknown.length > 0) return unknown;
  const zones = [...network.subnets.keys()];
  const isAddress = new Set(servers.map(({ type }) => type === 'ip'));
  return [
    ...(zone !== undefined && !network.subnets.has(zone)
      ? [`\`zone\` must be a zone of the network (${zones.join(', ')}), got: "${zone}"`]
      : []),
    ...portProblems('port', [balancer.port]),
    ...(servers.length === 0 ? ['`servers` must name at least one server'] : []),
    ...(isAddress.size > 1
      ? ['`servers` must all be addresses (ip) or all be instances and interfaces (ecs, eni)']
      : []),
    ...servers.flatMap((server, index) => serverProblems(server, `servers[${index}]`, network)),
    ...(healthCheckPath !== undefined && protocol !== 'HTTP'
      ? ['`healthCheckPath` has a meaning only with protocol HTTP; leave it out']
      : []),
    ...(healthCheckPath !== undefined &&
    !isToken(healthCheckPath) &&
    !healthCheckPath.startsWith('/')
      ? [`\`healthCheckPath\` must start with /, got: "${healthCheckPath}"`]
      : []),
  ];
}

function serverProblems(server: BackendServer, path: string, network: IPrivateNetwork): string[] {
  const { instanceId, ip, type, port, weight = 100 } = server;
  return [
    ...(instanceId === undefined && type !== 'ip'
      ? [`\`${path}.instanceId\` is required for type ${type}`]
      : []),
    ...addressProblems(ip, `${path}.ip`, network),
    ...portProblems(`${path}.port`, [port]),
    ...(isToken(weight) || (weight >= 0 && weight <= 100)
      ? []
      : [`\`${path}.weight\` must be 0 to 100, got: ${weight}`]),
  ];
}

function addressProblems(ip: string, path: string, { cidrs }: IPrivateNetwork): string[] {
  const unknown = literalProblems(path, ip);
  if (unknown.length > 0) return unknown;
  try {
    const host = hostCidr(ip);
    if (cidrs.some((cidr) => cidrCovers(parseCidr(cidr), host))) return [];
    return [`\`${path}\` must lie in the network ${cidrs.join(', ')}, got: "${ip}"`];
  } catch (error) {
    return [`\`${path}\` ${(error as Error).message}, got: "${ip}"`];
  }
}
