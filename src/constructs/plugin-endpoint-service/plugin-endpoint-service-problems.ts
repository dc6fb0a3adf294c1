import { exceptionProblems } from '../../access/access-rule.js';
import { isToken, propsProblems } from '../../cloud/props/shape.js';
import { HEALTH_CHECK_PATH } from '../../link/link.js';
import { cidrCovers, hostCidr, parseCidr } from '../../net/cidr.js';
import { MAX_SERVER_WEIGHT, SERVER_WEIGHT } from '../../settings/defaults.js';
import { collectProblems, formatProblems, literalProblems, onceProblems } from '../mistakes.js';
import type { IPrivateNetwork } from '../network-props.js';
import {
  accountProblems,
  PLUGIN_ENDPOINT_SERVICE,
  type PluginEndpointServiceProps,
} from './plugin-endpoint-service-props.js';
import type { BackendServer, NewLoadBalancer } from './private-load-balancer.js';

/** Every reason not to build an endpoint service for a private plugin. */
export function pluginProblems(props: PluginEndpointServiceProps): string[] {
  return propsProblems(PLUGIN_ENDPOINT_SERVICE, props, problemsTogether);
}

/** Problems of props that are each right by themselves. */
function problemsTogether(props: PluginEndpointServiceProps): string[] {
  const { loadBalancer, permittedAccountIds = [], acceptedEndpointIds = [] } = props;
  const unknown = literalProblems('permittedAccountIds', ...permittedAccountIds);
  return collectProblems(
    unknown.length > 0 ? unknown : permitProblems(props),
    'network' in loadBalancer && balancerProblems(loadBalancer.network, loadBalancer),
    onceProblems('acceptedEndpointIds', 'endpoint', acceptedEndpointIds),
  );
}

function permitProblems(props: PluginEndpointServiceProps): string[] {
  const { serviceAccountId, permittedAccountsException: exception } = props;
  const accounts = props.permittedAccountIds ?? [serviceAccountId];
  const isExact = accounts.length === 1 && accounts[0] === serviceAccountId;
  if (exception === undefined) {
    return collectProblems(
      !isExact &&
        `\`permittedAccountIds\` must be exactly the service's account, got: ${accounts.join(', ') || 'none'}; if this is intended, add a \`permittedAccountsException\` with reason, owner and expiry`,
    );
  }
  return collectProblems(
    exceptionProblems('permittedAccountsException', exception),
    isExact &&
      '`permittedAccountsException` has nothing to allow: only the service may connect; leave it out',
    accounts.length === 0 && '`permittedAccountIds` must name at least one account',
    accounts
      .filter((account) => account !== '*')
      .flatMap((account) => accountProblems('permittedAccountIds', account)),
  );
}

/** Every reason not to build a load balancer in a network. */
function balancerProblems(network: IPrivateNetwork, balancer: NewLoadBalancer): string[] {
  const { zone, servers, protocol, healthCheckPath } = balancer;
  const unknown = [
    ...literalProblems('loadBalancer.zone', zone),
    ...literalProblems('loadBalancer.servers', servers),
    ...literalProblems('loadBalancer.protocol', protocol),
  ];
  if (unknown.length > 0) return unknown;
  const zones = [...network.subnets.keys()];
  const isAddress = new Set(servers.map(({ type }) => type === 'ip'));
  return collectProblems(
    zone !== undefined &&
      zones.length > 0 &&
      !network.subnets.has(zone) &&
      `\`loadBalancer.zone\` must be a zone of the network (${zones.join(', ')}), got: "${zone}"`,
    servers.length === 0 && '`loadBalancer.servers` must name at least one server',
    isAddress.size > 1 &&
      '`loadBalancer.servers` must all be addresses (ip) or all be instances and interfaces (ecs, eni)',
    servers.flatMap((server, index) =>
      serverProblems(server, `loadBalancer.servers[${index}]`, network),
    ),
    healthCheckPath !== undefined &&
      protocol !== 'HTTP' &&
      '`loadBalancer.healthCheckPath` has a meaning only with protocol HTTP; leave it out',
    healthCheckPath !== undefined &&
      !isToken(healthCheckPath) &&
      !HEALTH_CHECK_PATH.test(healthCheckPath) &&
      `\`loadBalancer.healthCheckPath\` must start with / and have only printable ASCII without blanks, got: "${healthCheckPath}"`,
  );
}

function serverProblems(server: BackendServer, path: string, network: IPrivateNetwork): string[] {
  const { instanceId, ip, type, weight = SERVER_WEIGHT } = server;
  return collectProblems(
    instanceId === undefined &&
      type !== 'ip' &&
      `\`${path}.instanceId\` is required for type ${type}`,
    addressProblems(ip, `${path}.ip`, network),
    !isToken(weight) &&
      !(weight >= 0 && weight <= MAX_SERVER_WEIGHT) &&
      `\`${path}.weight\` must be 0 to ${MAX_SERVER_WEIGHT}, got: ${weight}`,
  );
}

function addressProblems(ip: string, path: string, { cidrs }: IPrivateNetwork): string[] {
  const malformed = formatProblems(path, ip, hostCidr);
  // A network of none is one with a mistake of its own.
  if (malformed.length > 0 || cidrs.length === 0) return malformed;
  return collectProblems(
    !cidrs.some((cidr) => cidrCovers(parseCidr(cidr), hostCidr(ip))) &&
      `\`${path}\` must lie in the network ${cidrs.join(', ')}, got: "${ip}"`,
  );
}
