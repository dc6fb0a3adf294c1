import { type AccessException, exceptionProblems } from '../../access/access-rule.js';
import { cidrCovers, hostCidr, parseCidr } from '../../net/cidr.js';
import { SERVER_WEIGHT } from '../../settings/defaults.js';
import {
  collectProblems,
  formatProblems,
  isToken,
  literalProblems,
  onceProblems,
  portProblems,
} from '../mistakes.js';
import type { IPrivateNetwork } from '../network-props.js';
import type { CommonProps } from '../props-and-outputs.js';
import type { BackendServer, NewLoadBalancer } from './private-load-balancer.js';

/** An existing private load balancer; nothing in it is changed, including its listener. */
export interface ExistingLoadBalancer {
  readonly loadBalancerId: string;
  /** The listener's port that plugin calls go to; the listener's ACL must allow 100.64.0.0/10. */
  readonly port: number;
}

export interface PluginEndpointServiceProps extends CommonProps {
  /** Prefix for the names of the resources. */
  readonly name: string;
  /** The plugin's backend, in the words of the settings. */
  readonly backend: string;
  readonly loadBalancer:
    | ExistingLoadBalancer
    | (NewLoadBalancer & { readonly network: IPrivateNetwork });
  /** The service's cloud account, as its documentation for enterprises gives it. */
  readonly serviceAccountId: string;
  /** Who may connect. @default - the service's account and nobody else */
  readonly permittedAccountIds?: readonly string[];
  /** Allows accounts other than the service's. @default - refused */
  readonly permittedAccountsException?: AccessException;
  /**
   * Who pays for the link; changing it later replaces the endpoint service and every connection.
   */
  readonly payer: 'Endpoint' | 'EndpointService';
  /**
   * Endpoints whose connections are accepted, as literals; `acceptConnection` adds to them, and
   * removing one disconnects it.
   * @default - none yet
   */
  readonly acceptedEndpointIds?: readonly string[];
  /** Megabits per second for each connection, 100 to 20000. @default - the cloud's */
  readonly bandwidthMbps?: number;
  /**
   * Whether Terraform refuses to destroy it; a new one has a new id that every plugin must switch
   * to.
   * @default true
   */
  readonly preventDestroy?: boolean;
}

/** Every reason not to build an endpoint service for a private plugin. */
export function pluginProblems(props: PluginEndpointServiceProps): string[] {
  const { loadBalancer, serviceAccountId, bandwidthMbps, acceptedEndpointIds = [] } = props;
  const { permittedAccountIds = [] } = props;
  const unknown = [
    ...literalProblems('serviceAccountId', serviceAccountId),
    ...literalProblems('permittedAccountIds', permittedAccountIds, ...permittedAccountIds),
  ];
  return collectProblems(
    unknown,
    unknown.length === 0 && accountProblems('serviceAccountId', serviceAccountId),
    unknown.length === 0 && permitProblems(props),
    'network' in loadBalancer
      ? balancerProblems(loadBalancer.network, loadBalancer)
      : portProblems('loadBalancer.port', [loadBalancer.port]),
    acceptedEndpointIds.flatMap((id) => endpointIdProblems('acceptedEndpointIds', id)),
    onceProblems('acceptedEndpointIds', 'endpoint', acceptedEndpointIds),
    bandwidthMbps !== undefined &&
      !isToken(bandwidthMbps) &&
      !(bandwidthMbps >= 100 && bandwidthMbps <= 20000) &&
      `\`bandwidthMbps\` must be 100 to 20000, got: ${bandwidthMbps}`,
  );
}

/** Why an endpoint's connection cannot be accepted. */
export function endpointIdProblems(property: string, id: string): string[] {
  const unknown = literalProblems(property, id);
  if (unknown.length > 0) return unknown;
  return /^ep-[a-zA-Z0-9]+$/.test(id)
    ? []
    : [`\`${property}\` must be endpoint ids such as ep-1a2b, got: "${id}"`];
}

function accountProblems(property: string, account: string): string[] {
  return /^\d{6,20}$/.test(account)
    ? []
    : [`\`${property}\` must be the digits of an account id, got: "${account}"`];
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
    ...literalProblems('zone', zone),
    ...literalProblems('servers', servers),
    ...literalProblems('protocol', protocol),
  ];
  if (unknown.length > 0) return unknown;
  const zones = [...network.subnets.keys()];
  const isAddress = new Set(servers.map(({ type }) => type === 'ip'));
  return collectProblems(
    zone !== undefined &&
      !network.subnets.has(zone) &&
      `\`zone\` must be a zone of the network (${zones.join(', ')}), got: "${zone}"`,
    portProblems('port', [balancer.port]),
    servers.length === 0 && '`servers` must name at least one server',
    isAddress.size > 1 &&
      '`servers` must all be addresses (ip) or all be instances and interfaces (ecs, eni)',
    servers.flatMap((server, index) => serverProblems(server, `servers[${index}]`, network)),
    healthCheckPath !== undefined &&
      protocol !== 'HTTP' &&
      '`healthCheckPath` has a meaning only with protocol HTTP; leave it out',
    healthCheckPath !== undefined &&
      !isToken(healthCheckPath) &&
      !healthCheckPath.startsWith('/') &&
      `\`healthCheckPath\` must start with /, got: "${healthCheckPath}"`,
  );
}

function serverProblems(server: BackendServer, path: string, network: IPrivateNetwork): string[] {
  const { instanceId, ip, type, port, weight = SERVER_WEIGHT } = server;
  return collectProblems(
    instanceId === undefined &&
      type !== 'ip' &&
      `\`${path}.instanceId\` is required for type ${type}`,
    addressProblems(ip, `${path}.ip`, network),
    portProblems(`${path}.port`, [port]),
    !isToken(weight) &&
      !(weight >= 0 && weight <= 100) &&
      `\`${path}.weight\` must be 0 to 100, got: ${weight}`,
  );
}

function addressProblems(ip: string, path: string, { cidrs }: IPrivateNetwork): string[] {
  const malformed = formatProblems(path, ip, hostCidr);
  if (malformed.length > 0) return malformed;
  return collectProblems(
    !cidrs.some((cidr) => cidrCovers(parseCidr(cidr), hostCidr(ip))) &&
      `\`${path}\` must lie in the network ${cidrs.join(', ')}, got: "${ip}"`,
  );
}
