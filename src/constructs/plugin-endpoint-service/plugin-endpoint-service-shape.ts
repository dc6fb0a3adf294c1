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
import {
  isRecord,
  object,
  optional,
  required,
  type Shape,
  wrong,
} from '../../cloud/props/shape.js';
import { isToken } from '../../cloud/token.js';
import { literalProblems } from '../mistakes.js';
import { type IPrivateNetwork, network } from '../network-props.js';
import { COMMON_PROPS, exception, name, port } from '../prop-kinds.js';
import type {
  ExistingLoadBalancer,
  PluginEndpointServiceProps,
} from './plugin-endpoint-service-props.js';
import type { BackendServer, NewLoadBalancer } from './private-load-balancer.js';

const MIN_MBPS = 100;
const MAX_MBPS = 20_000;

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
      (value) => isRecord(value) && 'loadBalancerId' in value,
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

/** Returns the problem of a text that is not an endpoint's id, as a list of none or one. */
export function endpointIdProblems(property: string, id: string): string[] {
  const unknown = literalProblems(property, id);
  if (unknown.length > 0) return unknown;
  return typeof id === 'string' && /^ep-[a-zA-Z0-9]+$/.test(id)
    ? []
    : [wrong(property, 'endpoint ids such as ep-1a2b', id)];
}

/** The problem of what is no account, as a list of none or one. */
export function accountProblems(property: string, account: string): string[] {
  const unknown = literalProblems(property, account);
  if (unknown.length > 0) return unknown;
  return /^\d{6,20}$/.test(account)
    ? []
    : [`\`${property}\` must be the digits of an account id, got: "${account}"`];
}
