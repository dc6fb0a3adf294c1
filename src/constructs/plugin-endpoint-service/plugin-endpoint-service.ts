import { type ITerraformDependable, Lazy } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { givenText } from '../../cloud/props/shape.js';
import type { Plugin } from '../../link/link.js';
import { nextSteps } from '../../link/next-steps.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import type { AcceptedLink, Connected } from '../linked.js';
import { collectProblems, NOT_MADE } from '../mistakes.js';
import { chooseProject, nameInStack, outputs } from '../props-and-outputs.js';
import { hashGeneration } from '../replacement.js';
import { acceptedConnection } from '../rules/accepted-connection.js';
import { reportProblems, StackAccess } from '../stack-access.js';
import type { BackendGuard } from '../user-id-header.js';
import {
  connectionRule,
  type MadePluginService,
  makePluginService,
  pluginServers,
} from './make-plugin-service.js';
import { pluginProblems } from './plugin-endpoint-service-problems.js';
import {
  endpointIdProblems,
  type PluginEndpointServiceProps,
} from './plugin-endpoint-service-props.js';

/**
 * Private-network access to a plugin: an endpoint service in front of the enterprise's backend.
 *
 * @example
 * ```ts
 * const plugin = new PluginEndpointService(stack, 'plugin', {
 *   name: 'order-lookup',
 *   backend: 'orders',
 *   serviceAccountId: '2100000001',
 *   payer: 'EndpointService',
 *   loadBalancer: { loadBalancerId: 'clb-1a2b', port: 443 },
 * });
 * // After the private connection was added in the service's console.
 * plugin.acceptConnection('ep-1a2b');
 * ```
 */
export class PluginEndpointService extends Construct implements BackendGuard, Connected {
  readonly serviceId: string = NOT_MADE;
  readonly serviceName: string = NOT_MADE;
  readonly backend: string;
  readonly callerNetworks: readonly string[] = [LINK_NETWORK];
  /** A group to attach to the servers of a new load balancer. */
  readonly backendSecurityGroupId: string | undefined;
  readonly #props: PluginEndpointServiceProps;
  readonly #made: MadePluginService | undefined;
  readonly #rules: AccessRule[] = [];
  readonly #connections: AcceptedLink[] = [];
  readonly #resources: ITerraformDependable[] = [];
  /** Rules for requesting a connection, for its acceptance, and for calls over it. */
  readonly accessRules: readonly AccessRule[] = this.#rules;
  readonly connections: readonly AcceptedLink[] = this.#connections;
  readonly resources: readonly ITerraformDependable[] = this.#resources;

  constructor(scope: Construct, id: string, props: PluginEndpointServiceProps) {
    super(scope, id);
    this.#props = props;
    this.backend = givenText(props, 'backend');
    if (reportProblems(this, pluginProblems(props))) return;
    const { loadBalancer } = props;
    if ('network' in loadBalancer && loadBalancer.network.subnets.size === 0) return;
    this.#made = makePluginService(this, props);
    this.serviceId = this.#made.service.attributes.serviceId;
    this.serviceName = this.#made.service.attributes.serviceName;
    this.backendSecurityGroupId = this.#made.group?.securityGroupId;
    this.#rules.push(...this.#made.rules);
    this.#resources.push(...this.#made.resources);
    for (const endpointId of (props.acceptedEndpointIds ?? []).toSorted()) this.#accept(endpointId);
    this.#outputs(this.#made);
  }

  /** The servers behind the load balancer, for the check. */
  get plugins(): readonly Plugin[] {
    if (this.#made === undefined) return [];
    return [pluginServers(nameInStack(this), this.serviceId, this.#props.loadBalancer)];
  }

  /**
   * Accepts the connection of one more endpoint, which the service's account must own.
   *
   * @param endpointId a literal
   */
  acceptConnection(endpointId: string): void {
    const isKnown = this.#connections.some((known) => known.endpointId === endpointId);
    const problems = collectProblems(
      endpointIdProblems('acceptConnection', endpointId),
      isKnown && `\`acceptConnection\` must name each endpoint once, got: ${endpointId} again`,
    );
    if (!reportProblems(this, problems)) this.#accept(endpointId);
  }

  #accept(endpointId: string): void {
    if (this.#made === undefined) return;
    const { serviceAccountId, bandwidthMbps, provider, payer } = this.#props;
    const rule = connectionRule(this.#props, endpointId);
    this.#rules.push(...StackAccess.of(this).add([rule]));
    const connection = acceptedConnection(this, {
      serviceId: this.serviceId,
      endpointId,
      generations: {
        service: hashGeneration(payer, chooseProject(this.#props)),
        loadBalancer: this.#made.balancerGeneration,
      },
      ownerAccountId: serviceAccountId,
      bandwidthMbps,
      provider,
    });
    StackAccess.of(this).carry([rule], connection);
    this.#resources.push(connection);
    this.#connections.push({
      name: nameInStack(this),
      serviceId: this.serviceId,
      endpointId,
      ownerAccountId: serviceAccountId,
      status: connection.attributes.connectionStatus,
    });
  }

  #outputs({ service, balancer }: MadePluginService): void {
    const steps = () => nextSteps(this.serviceId, this.#props.serviceAccountId, this.#connections);
    outputs(this, {
      id: {
        value: this.serviceId,
        about: "endpoint service id, to paste into the service's console",
      },
      name: { value: this.serviceName, about: 'endpoint service name' },
      domain: {
        value: service.attributes.serviceDomain,
        about: 'domain of the endpoint service, with which the domains of its endpoints end',
      },
      'load-balancer-id': {
        value: balancer?.loadBalancerId,
        about: 'load balancer in front of the backend',
      },
      'backend-security-group-id': {
        value: this.backendSecurityGroupId,
        about: 'security group to attach to the servers of the backend',
      },
      'next-steps': {
        value: Lazy.stringValue({ produce: steps }),
        about: 'next manual steps',
      },
    });
  }
}
