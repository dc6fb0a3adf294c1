import { type AccessRule, listenerSubject } from '../../access/access-rule.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import type { PluginEndpointServiceProps } from './plugin-endpoint-service-props.js';

/** Who may ask for a connection. */
export function pluginRules(
  props: PluginEndpointServiceProps,
  accounts: readonly string[],
): AccessRule[] {
  const { permittedAccountsException: exception, serviceAccountId } = props;
  return accounts.map((account) => ({
    ...ruleOf(props),
    peer: { kind: 'account', account },
    reason: 'the account that may connect to the endpoint service',
    ...(exception && account !== serviceAccountId && { exception }),
  }));
}

/** Whose connection is accepted. */
export function connectionRule(props: PluginEndpointServiceProps, endpoint: string): AccessRule {
  return {
    ...ruleOf(props),
    peer: { kind: 'endpoint', endpoint },
    reason: 'the accepted connection to the endpoint service',
  };
}

/** Where calls come from once they are inside: to the listener, and from it to the servers. */
export function callerRules(props: PluginEndpointServiceProps): {
  readonly listener: AccessRule[];
  readonly servers: AccessRule[];
} {
  const { loadBalancer } = props;
  if (!('network' in loadBalancer)) return { listener: [], servers: [] };
  const ports = [...new Set(loadBalancer.servers.map(({ port }) => port))];
  const peer = { kind: 'cidr', cidr: LINK_NETWORK } as const;
  return {
    listener: [
      {
        ...ruleOf(props),
        subject: listenerSubject(props.backend),
        peer,
        reason: 'traffic over the private link comes from here',
      },
    ],
    servers: ports.map((port) => ({
      ...ruleOf(props),
      peer,
      ports: { first: port, last: port },
      reason: 'the load balancer calls its servers from here',
    })),
  };
}

function ruleOf({ backend, loadBalancer: { port } }: PluginEndpointServiceProps) {
  return {
    via: 'private-plugin',
    direction: 'ingress',
    subject: backend,
    protocol: 'tcp',
    ports: { first: port, last: port },
  } as const;
}
