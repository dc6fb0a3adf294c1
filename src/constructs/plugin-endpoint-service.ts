import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../access/access-rule.js';
import { PrivatelinkEndpointService } from '../cloud/resource.js';
import { LINK_NETWORK } from '../net/cidr.js';
import type { BackendGuard } from './backend-guard.js';
import { cloudTags, commonOf, projectOf } from './common-props.js';
import { generationOf } from './generation.js';
import { refuse } from './invalid.js';
import type { AcceptedLink, Connected } from './linked.js';
import { outputs } from './outputs.js';
import type { PluginEndpointServiceProps } from './plugin-endpoint-service-props.js';
import { nextSteps } from './plugin-next-steps.js';
import { pluginProblems } from './plugin-problems.js';
import { callerRules, connectionRules, pluginRules } from './plugin-rules.js';
import { PrivateLoadBalancer } from './private-load-balancer.js';
import { AcceptedConnection } from './rules/accepted-connection.js';
import { RuledSecurityGroup } from './rules/ruled-security-group.js';
import { StackAccess } from './stack-access.js';

/** Private-network access to a plugin: an endpoint service in front of the enterprise's backend. */
export class PluginEndpointService extends Construct implements BackendGuard, Connected {
  readonly serviceId: string;
  readonly serviceName: string;
  readonly backend: string;
  readonly callerNetworks: readonly string[] = [LINK_NETWORK];
  readonly accessRules: readonly AccessRule[];
  /** A group to attach to the servers of a new load balancer. */
  readonly backendSecurityGroupId: string | undefined;
  readonly connections: readonly AcceptedLink[];
  readonly resources: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: PluginEndpointServiceProps) {
    super(scope, id);
    refuse(scope, id, pluginProblems(props));
    const { name, backend, loadBalancer, serviceAccountId, provider } = props;
    const accounts = (props.permittedAccountIds ?? [serviceAccountId]).toSorted();
    const access = StackAccess.of(this);
    const rules = [...pluginRules(props, accounts), ...connectionRules(props)];
    const callers = callerRules(props);
    this.accessRules = access.add([...rules, ...callers.listener, ...callers.servers]);
    const balancer =
      'network' in loadBalancer
        ? new PrivateLoadBalancer(this, 'load-balancer', {
            name,
            network: loadBalancer.network,
            balancer: loadBalancer,
            rules: callers.listener,
            ...commonOf(props),
          })
        : undefined;
    const group =
      'network' in loadBalancer
        ? new RuledSecurityGroup(this, 'backend-security-group', {
            name: `${name}-backend`,
            description: 'calls of the load balancer to the backend',
            vpcId: loadBalancer.network.vpcId,
            vpcGeneration: loadBalancer.network.generation,
            rules: callers.servers,
            ...commonOf(props),
          })
        : undefined;
    const service = new PrivatelinkEndpointService(this, 'Default', {
      serviceType: 'Interface',
      serviceResourceType: 'CLB',
      resources: [{ resourceId: balancerId(balancer, loadBalancer) }],
      ipAddressVersions: ['ipv4'],
      autoAcceptEnabled: false,
      permitAccountIds: accounts,
      payer: props.payer,
      privateDnsEnabled: false,
      description: `private plugin ${name}`,
      projectName: projectOf(props),
      tags: cloudTags(props.tags),
      dependsOn: [...(balancer?.resources ?? [])],
      lifecycle: { preventDestroy: props.preventDestroy ?? true },
      ...(provider && { provider }),
    });
    this.serviceId = service.attributes.serviceId;
    this.serviceName = service.attributes.serviceName;
    this.backend = backend;
    this.backendSecurityGroupId = group?.securityGroupId;
    const accepted = (props.acceptedEndpointIds ?? []).toSorted().map((endpointId) => ({
      endpointId,
      connection: new AcceptedConnection(this, endpointId, {
        serviceId: this.serviceId,
        endpointId,
        generations: {
          service: generationOf(props.payer, projectOf(props)),
          loadBalancer: balancer?.generation ?? generationOf(balancerId(undefined, loadBalancer)),
        },
        ownerAccountId: serviceAccountId,
        ...(props.bandwidthMbps !== undefined && { bandwidthMbps: props.bandwidthMbps }),
        ...(provider && { provider }),
      }),
    }));
    this.connections = accepted.map(({ endpointId, connection }) => ({
      name: id,
      serviceId: this.serviceId,
      endpointId,
      ownerAccountId: serviceAccountId,
      status: connection.status,
    }));
    this.resources = [
      ...(balancer?.resources ?? []),
      ...(group ? [group.resource] : []),
      service,
      ...accepted.map(({ connection }) => connection.resource),
    ];
    outputs(this, {
      'service-id': {
        value: this.serviceId,
        about: "endpoint service id, to paste into the service's console",
      },
      'backend-security-group-id': {
        value: this.backendSecurityGroupId,
        about: 'security group to attach to the servers of the backend',
      },
      'next-steps': {
        value: nextSteps(this.serviceId, serviceAccountId, this.connections),
        about: 'what a person does next',
      },
    });
  }
}

function balancerId(
  made: PrivateLoadBalancer | undefined,
  given: PluginEndpointServiceProps['loadBalancer'],
): string {
  if (made !== undefined) return made.loadBalancerId;
  return 'loadBalancerId' in given ? given.loadBalancerId : '';
}
