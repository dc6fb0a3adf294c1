import { exceptionProblems } from '../../access/access-rule.js';
import { portProblems } from '../listed-addresses.js';
import { isToken, literalProblems } from '../mistakes/literal.js';
import { balancerProblems } from './balancer-problems.js';
import type { PluginEndpointServiceProps } from './plugin-endpoint-service-props.js';

/** Every reason not to build an endpoint service for a private plugin. */
export function pluginProblems(props: PluginEndpointServiceProps): string[] {
  const { loadBalancer, serviceAccountId, bandwidthMbps, acceptedEndpointIds = [] } = props;
  const { permittedAccountIds = [] } = props;
  const unknown = [
    ...literalProblems('serviceAccountId', serviceAccountId),
    ...literalProblems('permittedAccountIds', permittedAccountIds, ...permittedAccountIds),
    ...literalProblems('acceptedEndpointIds', acceptedEndpointIds),
  ];
  return [
    ...unknown,
    ...(unknown.length > 0
      ? []
      : [...accountProblems('serviceAccountId', serviceAccountId), ...permitProblems(props)]),
    ...('network' in loadBalancer
      ? balancerProblems(loadBalancer.network, loadBalancer)
      : portProblems('loadBalancer.port', [loadBalancer.port])),
    ...acceptedEndpointIds.flatMap((id) => endpointIdProblems('acceptedEndpointIds', id)),
    ...(new Set(acceptedEndpointIds).size < acceptedEndpointIds.length
      ? [
          `\`acceptedEndpointIds\` must name each endpoint once, got: ${acceptedEndpointIds.join(', ')}`,
        ]
      : []),
    ...(bandwidthMbps !== undefined &&
    !isToken(bandwidthMbps) &&
    !(bandwidthMbps >= 100 && bandwidthMbps <= 20000)
      ? [`\`bandwidthMbps\` must be 100 to 20000, got: ${bandwidthMbps}`]
      : []),
  ];
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
    return isExact
      ? []
      : [
          `\`permittedAccountIds\` must be exactly the service's account, got: ${accounts.join(', ') || 'none'}; name a \`permittedAccountsException\` with reason, owner and expiry if it is meant`,
        ];
  }
  return [
    ...exceptionProblems('permittedAccountsException', exception),
    ...(isExact
      ? [
          '`permittedAccountsException` has nothing to allow: only the service may connect; leave it out',
        ]
      : []),
    ...(accounts.length === 0 ? ['`permittedAccountIds` must name at least one account'] : []),
    ...accounts
      .filter((account) => account !== '*')
      .flatMap((account) => accountProblems('permittedAccountIds', account)),
  ];
}
