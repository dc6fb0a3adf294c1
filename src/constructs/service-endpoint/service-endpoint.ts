import { type ITerraformDependable, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { recognizeInBothForms } from '../../package/shared.js';
import type { Linked, MadeLink } from '../linked.js';
import { collectProblems, NOT_MADE } from '../mistakes.js';
import type { BoundNetwork } from '../network-props.js';
import { outputs } from '../props-and-outputs.js';
import { reportProblems, StackAccess } from '../stack-access.js';
import { boundNetworkProblems, recordsExpression } from './api-host-zone.js';
import {
  endpointLinks,
  endpointRule,
  endpointUrl,
  type MadeEndpoint,
  makeEndpoint,
} from './make-endpoint.js';
import {
  boundProblems,
  clientsProblems,
  endpointProblems,
  openRuleProblems,
} from './service-endpoint-problems.js';
import { managedBy, type ServiceEndpointProps } from './service-endpoint-props.js';

/**
 * Private-network access to the service's API: an endpoint in the enterprise's VPC.
 *
 * @example
 * ```ts
 * const network = PrivateNetwork.fromAttributes(stack, 'network', {
 *   vpcId: 'vpc-1a2b',
 *   cidrs: ['10.40.0.0/16'],
 *   subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.40.1.0/24' } },
 * });
 * const endpoint = new ServiceEndpoint(stack, 'endpoint', {
 *   network,
 *   name: 'agent-service',
 *   serviceName: 'com.volces.privatelink.cn-beijing.epsvc-1a2b',
 *   apiHost: 'api.example.com',
 *   scheme: 'https',
 *   allowedNetworks: ['10.40.1.0/24'],
 * });
 * endpoint.allowFrom('10.50.0.0/24', 'the batch jobs');
 * ```
 */
export class ServiceEndpoint extends Construct implements Linked {
  static {
    recognizeInBothForms(ServiceEndpoint, 'ServiceEndpoint');
  }

  readonly endpointId: string = NOT_MADE;
  /** The name that clients call, known after the deploy. */
  readonly endpointDomain: string = NOT_MADE;
  /** Scheme, domain and port, without a path. */
  readonly baseUrl: string = NOT_MADE;
  /** The link over the endpoint's domain, and with `privateZone` the one over the API host itself. */
  readonly links: readonly MadeLink[] = [];
  readonly resources: readonly ITerraformDependable[] = [];
  readonly #props: ServiceEndpointProps;
  readonly #rules: AccessRule[] = [];
  /** The clients that may call the service through the endpoint. */
  readonly accessRules: readonly AccessRule[] = this.#rules;
  readonly #made: MadeEndpoint | undefined;

  constructor(scope: Construct, id: string, props: ServiceEndpointProps) {
    super(scope, id);
    this.#props = props;
    if (reportProblems(this, endpointProblems(props)) || props.network.subnets.size === 0) return;
    this.#made = makeEndpoint(this, props);
    const { attributes } = this.#made.endpoint;
    this.endpointId = attributes.endpointId;
    this.endpointDomain = attributes.endpointDomain;
    this.baseUrl = endpointUrl(props, this.endpointDomain);
    this.links = endpointLinks(this, props, this.#made.endpoint);
    this.resources = this.#made.resources;
    this.#rules.push(...this.#made.rules);
    this.node.addValidation({ validate: () => this.#problemsAtSynth() });
    outputs(this, {
      id: { value: this.endpointId, about: "endpoint id, as in the cloud's console" },
      domain: { value: this.endpointDomain, about: 'host that clients call' },
      'base-url': {
        value: this.baseUrl,
        about: 'base URL for clients, instead of the public one',
      },
      records: {
        value: managedBy(props) && recordsExpression(props.apiHost, this.#made.endpoint),
        about: `DNS records of the API host, to be entered by: ${managedBy(props)}`,
      },
    });
  }

  /** CIDRs that may call; not known if existing groups may allow more. */
  get callers(): readonly string[] | undefined {
    if (this.#made === undefined) return [];
    if (this.#props.securityGroupIds !== undefined) return undefined;
    return this.#rules.flatMap(({ peer }) => (peer.kind === 'cidr' ? [peer.cidr] : []));
  }

  /** Addresses of the endpoint in a subnet, by the subnet. */
  get addresses(): ReadonlyMap<string, string> {
    return new Map(this.#made?.zones.map((zone) => [zone.subnetId, zone.privateIpAddress]));
  }

  /**
   * Lets more clients call the service through the endpoint.
   *
   * @param cidr their network, a literal
   * @param reason as reviewers read it
   */
  allowFrom(cidr: string, reason?: string): void {
    if (reportProblems(this, clientsProblems(cidr, reason)) || this.#made === undefined) return;
    const rules = StackAccess.of(this).add([endpointRule(this.#props, cidr, reason)]);
    this.#rules.push(...rules);
    this.#made.group.add(rules);
  }

  /** Lets the API host resolve to the endpoint in one more VPC; `privateZone` must be on. */
  bindPrivateZone(network: BoundNetwork): void {
    if (this.#made === undefined) return;
    const { dnsZone } = this.#made;
    const got = JSON.stringify(this.#props.privateZone ?? false);
    const problems = dnsZone
      ? boundProblems('bindPrivateZone', network)
      : [`\`privateZone\` must be true to bind one more network to it, got: ${got}`];
    if (!reportProblems(this, problems)) dnsZone?.bind(network);
  }

  #problemsAtSynth(): string[] {
    return collectProblems(
      this.#rules.length === 0 &&
        '`allowedNetworks` must name at least one network, or `allowFrom` must be called',
      openRuleProblems(this.#rules),
      sharedAddressProblems(this),
      boundNetworkProblems(this.#rules, this.#made?.dnsZone?.networks ?? []),
    );
  }
}

/** Endpoints of one stack in one subnet, of which the later could not be made. */
function sharedAddressProblems(endpoint: ServiceEndpoint): string[] {
  return TerraformStack.of(endpoint)
    .node.findAll()
    .filter((other) => other instanceof ServiceEndpoint)
    .filter((other) => other !== endpoint)
    .flatMap((other) =>
      [...endpoint.addresses]
        .filter(([subnet, address]) => other.addresses.get(subnet) === address)
        .map(
          ([, address]) =>
            `\`addresses\` must differ from those of ${other.node.path}, got: "${address}"; choose a free one`,
        ),
    );
}
