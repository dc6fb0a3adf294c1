import type { ITerraformDependable, TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../access/access-rule.js';
import { PrivatelinkVpcEndpoint } from '../cloud/resource.js';
import { ApiHostZone } from './api-host-zone.js';
import { cloudTags, commonOf, projectOf } from './common-props.js';
import { endpointAddress } from './endpoint-address.js';
import { generationName, generationOf, REPLACED_FIRST } from './generation.js';
import { refuse } from './invalid.js';
import type { Linked } from './linked.js';
import { RuledSecurityGroup } from './rules/ruled-security-group.js';
import { endpointProblems } from './service-endpoint-problems.js';
import {
  DEFAULT_PORT,
  readServiceId,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';
import { StackAccess } from './stack-access.js';

export { SERVICE_ZONE, type ServiceEndpointProps } from './service-endpoint-props.js';

/** Private-network access to the service's API: an endpoint in the enterprise's VPC. */
export class ServiceEndpoint extends Construct implements Linked {
  readonly endpointId: string;
  /** The name that clients call, known after the deploy. */
  readonly endpointDomain: string;
  /** Scheme, domain and port; the service's paths follow it. */
  readonly baseUrl: string;
  readonly accessRules: readonly AccessRule[];
  readonly link: Linked['link'];
  readonly resources: readonly ITerraformDependable[];
  /** The link over the API host itself, where `privateZone` asks for it. */
  readonly apiHostLink: Linked | undefined;

  constructor(scope: Construct, id: string, props: ServiceEndpointProps) {
    super(scope, id);
    refuse(scope, id, endpointProblems(props));
    const { network, name, scheme, tlsServerName } = props;
    const port = props.port ?? DEFAULT_PORT[scheme];
    const zones = [...(props.zones ?? network.subnets.keys())].sort();
    this.accessRules = StackAccess.of(this).add(endpointRules(props, port));
    const group = new RuledSecurityGroup(this, 'security-group', {
      vpcId: network.vpcId,
      vpcGeneration: network.generation,
      name: `${name}-endpoint`,
      description: 'who may call the service through the endpoint',
      rules: this.accessRules,
      // Given groups stand on the same interface, and what they accept stays accepted.
      closed: props.securityGroupIds === undefined ? ['ingress', 'egress'] : ['egress'],
      ...commonOf(props),
    });
    const projectName = projectOf(props);
    const { serviceName } = props;
    const generation = generationOf(network.generation, serviceName, props.serviceId, projectName);
    const place = generationOf(this.node.path, generation);
    const endpoint = new PrivatelinkVpcEndpoint(this, 'Default', {
      endpointName: generationName(name, generation),
      serviceName,
      serviceId: props.serviceId ?? readServiceId(serviceName),
      vpcId: network.vpcId,
      securityGroupIds: [group.securityGroupId, ...(props.securityGroupIds ?? []).toSorted()],
      zones: zones.flatMap((zoneId) => {
        const subnet = network.subnets.get(zoneId);
        if (subnet === undefined) return [];
        const address = props.addresses?.[zoneId] ?? endpointAddress(subnet.cidr, place);
        return [{ zoneId, subnetId: subnet.subnetId, privateIpAddress: address }];
      }),
      projectName,
      tags: cloudTags(props.tags),
      lifecycle: { ...REPLACED_FIRST, preventDestroy: props.preventDestroy ?? true },
      ...(props.provider && { provider: props.provider }),
    });
    this.endpointId = endpoint.attributes.endpointId;
    this.endpointDomain = endpoint.attributes.endpointDomain;
    this.baseUrl = `${scheme}://${this.endpointDomain}${port === DEFAULT_PORT[scheme] ? '' : `:${port}`}`;
    this.link = {
      name: id,
      via: 'private-network',
      baseUrl: this.baseUrl,
      apiHost: props.apiHost,
      expectedAddresses: {
        expression: `sort([for zone in ${endpoint.fqn}.zones : "\${zone.private_ip_address}/32"])`,
      },
      expectedNetworks: zones.flatMap((zone) => network.subnets.get(zone)?.cidr ?? []),
      zones: zones.flatMap((zone) => {
        const cidr = network.subnets.get(zone)?.cidr;
        return cidr === undefined ? [] : [{ name: zone, network: cidr }];
      }),
      ...(tlsServerName !== undefined && { tlsServerName }),
    };
    this.resources = [...network.resources, group.resource, endpoint];
    this.apiHostLink = props.privateZone ? this.#apiHostLink(props, endpoint, zones) : undefined;
  }

  #apiHostLink(
    props: ServiceEndpointProps,
    endpoint: TerraformResource,
    zones: readonly string[],
  ): Linked {
    const { apiHost, network } = props;
    const zone = new ApiHostZone(this, 'private-zone', {
      apiHost,
      vpcId: network.vpcId,
      endpoint,
      zones,
      ...commonOf(props),
    });
    const { tlsServerName: _, ...link } = this.link;
    return {
      link: {
        ...link,
        name: `${link.name}-api-host`,
        baseUrl: `https://${apiHost}`,
        privateZone: true,
      },
      resources: [...this.resources, ...zone.resources],
    };
  }
}

function endpointRules(props: ServiceEndpointProps, port: number): AccessRule[] {
  return (props.allowedNetworks ?? props.network.cidrs).map((cidr) => ({
    via: 'private-network',
    direction: 'ingress',
    subject: props.name,
    peer: { kind: 'cidr', cidr },
    protocol: 'tcp',
    ports: { first: port, last: port },
    reason: 'calls to the service through its endpoint',
  }));
}
