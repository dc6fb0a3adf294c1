import type { AccessException } from '../../access/access-rule.js';
import {
  either,
  flag,
  list,
  number,
  numberThat,
  oneOf,
  text,
  textThat,
} from '../../cloud/props/kinds.js';
import { isToken, object, optional, required, type Shape, wrong } from '../../cloud/props/shape.js';
import { ACCOUNT, ACCOUNT_RULE, idPattern } from '../../cloud/table/names.js';
import { isObject } from '../../files/json.js';
import { BANDWIDTH_MBPS } from '../../settings/defaults.js';
import { literalProblems } from '../mistakes.js';
import { type IPrivateNetwork, network } from '../network-props.js';
import { COMMON_PROPS, type CommonProps, exception, name, port } from '../props-and-outputs.js';
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
  /** Accounts that may connect. @default - only the service's account */
  readonly permittedAccountIds?: readonly string[];
  /** Allows accounts other than the service's. @default - refused */
  readonly permittedAccountsException?: AccessException;
  /**
   * The payer of the link; changing it later replaces the endpoint service and every connection.
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
   * True if Terraform refuses to destroy it; a new one has a new id that every plugin must switch
   * to.
   * @default true
   */
  readonly preventDestroy?: boolean;
}

const [MIN_MBPS, MAX_MBPS] = BANDWIDTH_MBPS;

const existingBalancer = object<ExistingLoadBalancer>('an existing load balancer', {
  loadBalancerId: required(text),
  port: required(port),
});

const newBalancer = object<NewLoadBalancer & { readonly network: IPrivateNetwork }>(
  'a new load balancer',
  {
    network: required(network),
    zone: optional(text),
    protocol: required(oneOf('TCP', 'HTTP')),
    port: required(port),
    servers: required(
      list(
        'servers',
        object<BackendServer>('an object with type, ip and port', {
          instanceId: optional(text),
          ip: required(text),
          type: required(oneOf('ecs', 'eni', 'ip')),
          port: required(port),
          weight: optional(number),
        }),
      ),
    ),
    healthCheckPath: optional(text),
    spec: optional(text),
  },
);

export const PLUGIN_ENDPOINT_SERVICE: Shape<PluginEndpointServiceProps> = {
  ...COMMON_PROPS,
  name: required(name),
  backend: required(text),
  loadBalancer: required(
    either(
      'an existing load balancer (loadBalancerId, port) or a new one (network, protocol, port, servers)',
      (value) => isObject(value) && 'loadBalancerId' in value,
      existingBalancer,
      newBalancer,
    ),
  ),
  serviceAccountId: required(textThat((id, path) => accountProblems(path, id))),
  permittedAccountIds: optional(list('account ids', text)),
  permittedAccountsException: optional(exception),
  payer: required(oneOf('Endpoint', 'EndpointService')),
  acceptedEndpointIds: optional(
    list<string>('endpoint ids', text, (ids, path) =>
      ids.flatMap((id) => endpointIdProblems(path, id)),
    ),
  ),
  bandwidthMbps: optional(
    numberThat((rate, path) =>
      isToken(rate) || (rate >= MIN_MBPS && rate <= MAX_MBPS)
        ? []
        : [`\`${path}\` must be ${MIN_MBPS} to ${MAX_MBPS}, got: ${rate}`],
    ),
  ),
  preventDestroy: optional(flag),
};

const ENDPOINT_ID = idPattern('ep');

/** Returns the problem of a text that is not an endpoint's id, as a list of none or one. */
export function endpointIdProblems(property: string, id: string): string[] {
  const unknown = literalProblems(property, id);
  if (unknown.length > 0) return unknown;
  return typeof id === 'string' && ENDPOINT_ID.test(id)
    ? []
    : [wrong(property, 'endpoint ids such as ep-1a2b', id)];
}

/** The problem of what is no account, as a list of none or one. */
export function accountProblems(property: string, account: string): string[] {
  const unknown = literalProblems(property, account);
  if (unknown.length > 0) return unknown;
  return ACCOUNT.test(account) ? [] : [`\`${property}\` ${ACCOUNT_RULE}, got: "${account}"`];
}
