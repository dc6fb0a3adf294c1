import type { Construct } from 'constructs';
import { type AccessRule, listenerSubject } from '../../access/access-rule.js';
import { cloud } from '../../cloud/resource.js';
import type { Plugin } from '../../link/link.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import { pickCommon, resourceProps } from '../props-and-outputs.js';
import { hashGeneration } from '../replacement.js';
import { RuledSecurityGroup } from '../rules/ruled-security-group.js';
import { StackAccess } from '../stack-access.js';
import type { PluginEndpointServiceProps } from './plugin-endpoint-service-props.js';
import {
  DEFAULT_HEALTH_CHECK_PATH,
  HEALTH_CHECK_TIMEOUT,
  privateLoadBalancer,
} from './private-load-balancer.js';

/** The resources of an endpoint service without mistakes. */
export type MadePluginService = ReturnType<typeof makePluginService>;

/** Makes the endpoint service, and with a new load balancer that one and the group of its servers. */
export function makePluginService(scope: Construct, props: PluginEndpointServiceProps) {
  const { loadBalancer } = props;
  const wanted = pluginRules(props);
  const access = StackAccess.of(scope);
  const rules = access.add(Object.values(wanted).flat());
  const front =
    'network' in loadBalancer ? makeFront(scope, props, loadBalancer, wanted) : undefined;
  const given = 'loadBalancerId' in loadBalancer ? loadBalancer.loadBalancerId : '';
  const service = new cloud.PrivatelinkEndpointService(scope, 'Default', {
    serviceType: 'Interface',
    serviceResourceType: 'CLB',
    resources: [{ resourceId: front?.balancer.loadBalancerId ?? given }],
    ipAddressVersions: ['ipv4'],
    autoAcceptEnabled: false,
    permitAccountIds: permittedAccounts(props),
    payer: props.payer,
    privateDnsEnabled: false,
    description: `private plugin ${props.name}`,
    dependsOn: [...(front?.balancer.resources ?? [])],
    lifecycle: { preventDestroy: props.preventDestroy ?? true },
    ...resourceProps(props),
  });
  access.carry(wanted.accounts, service);
  return {
    rules,
    service,
    balancer: front?.balancer,
    group: front?.group,
    /** Changes where the load balancer in front of the backend is another one. */
    balancerGeneration: front?.balancer.generation ?? hashGeneration(given),
    resources: [...(front ? [...front.balancer.resources, front.group.resource] : []), service],
  };
}

/** A new load balancer and the group of its servers. */
function makeFront(
  scope: Construct,
  props: PluginEndpointServiceProps,
  loadBalancer: Extract<PluginEndpointServiceProps['loadBalancer'], { network: unknown }>,
  { listener, servers }: ReturnType<typeof pluginRules>,
) {
  const { name } = props;
  const { network } = loadBalancer;
  const common = pickCommon(props);
  const group = new RuledSecurityGroup(scope, 'backend-security-group', {
    name: `${name}-backend`,
    description: 'calls of the load balancer to the backend',
    vpcId: network.vpcId,
    vpcGeneration: network.generation,
    rules: servers,
    ...common,
  });
  const balancer = privateLoadBalancer(scope, 'load-balancer', {
    name,
    balancer: loadBalancer,
    rules: listener,
    opensServers: group.resource,
    ...common,
  });
  return { balancer, group };
}

/** Returns the rule for an accepted connection. */
export function connectionRule(props: PluginEndpointServiceProps, endpoint: string): AccessRule {
  return {
    ...openedPort(props),
    peer: { kind: 'endpoint', endpoint },
    reason: 'the accepted connection to the endpoint service',
  };
}

/**
 * Returns the rules for requesting a connection, for calls to the listener, and for its calls to the
 * servers.
 */
export function pluginRules(
  props: PluginEndpointServiceProps,
): Readonly<Record<'accounts' | 'listener' | 'servers', AccessRule[]>> {
  const { loadBalancer, permittedAccountsException: exception, serviceAccountId } = props;
  const accounts = permittedAccounts(props).map((account) => ({
    ...openedPort(props),
    peer: { kind: 'account' as const, account },
    reason: 'the account that may connect to the endpoint service',
    ...(exception && account !== serviceAccountId && { exception }),
  }));
  if (!('network' in loadBalancer)) return { accounts, listener: [], servers: [] };
  const ports = [...new Set(loadBalancer.servers.map(({ port }) => port))];
  const peer = { kind: 'cidr', cidr: LINK_NETWORK } as const;
  return {
    accounts,
    listener: [
      {
        ...openedPort(props),
        subject: listenerSubject(props.backend),
        peer,
        reason: 'traffic over the private link comes from here',
      },
    ],
    servers: ports.map((port) => ({
      ...openedPort(props),
      peer,
      ports: { first: port, last: port },
      reason: 'the load balancer calls its servers from here',
    })),
  };
}

function permittedAccounts({
  serviceAccountId,
  permittedAccountIds = [serviceAccountId],
}: PluginEndpointServiceProps): string[] {
  return permittedAccountIds.toSorted();
}

function openedPort({ backend, loadBalancer: { port } }: PluginEndpointServiceProps) {
  return {
    via: 'plugin-endpoint-service',
    direction: 'ingress',
    subject: backend,
    protocol: 'tcp',
    ports: { first: port, last: port },
  } as const;
}

/**
 * The servers of a private plugin as the check sees them: those that calls are sent to, with the
 * health check of the load balancer. Of a load balancer that exists none is known.
 */
export function pluginServers(
  name: string,
  serviceId: string,
  loadBalancer: PluginEndpointServiceProps['loadBalancer'],
): Plugin {
  if (!('network' in loadBalancer)) return { name, serviceId, networks: [], servers: [] };
  const { network, protocol, healthCheckPath: path = DEFAULT_HEALTH_CHECK_PATH } = loadBalancer;
  return {
    name,
    serviceId,
    networks: network.cidrs.toSorted(),
    servers: loadBalancer.servers
      .filter(({ weight }) => weight !== 0)
      .map(({ ip, port }) => `${ip}:${port}`)
      .toSorted(),
    healthCheck: {
      protocol,
      ...(protocol === 'HTTP' && { path }),
      timeoutSeconds: HEALTH_CHECK_TIMEOUT,
    },
  };
}
