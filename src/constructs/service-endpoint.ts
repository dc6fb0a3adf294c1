import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../access/access-rule.js';
import { PrivatelinkVpcEndpoint } from '../cloud/resource.js';
import { cidrCovers, parseCidr } from '../net/cidr.js';
import { PRIVATE_NETWORKS } from '../net/private-networks.js';
import { ApiHostZone } from './api-host-zone.js';
import { type CommonProps, cloudTags, commonOf } from './common-props.js';
import { problemOf, refuse } from './invalid.js';
import type { Linked } from './linked.js';
import type { PrivateNetwork } from './private-network.js';
import { RuledSecurityGroup } from './rules/ruled-security-group.js';
import { StackAccess } from './stack-access.js';

export interface ServiceEndpointProps extends CommonProps {
  /** Where the endpoint stands. */
  readonly network: PrivateNetwork;
  /** Name of the endpoint and first part of the name of its security group. */
  readonly name: string;
  /** The service's fixed endpoint service name, as its documentation for enterprises gives it. */
  readonly serviceName: string;
  /** The service's public API host: the audience of every JWT. */
  readonly apiHost: string;
  /**
   * What the service speaks on the private path. With `http`, the JWT and the token travel in clear
   * inside the network; the check refuses it over any other address.
   */
  readonly scheme: 'https' | 'http';
  /** @default - 443 for https, 80 for http */
  readonly port?: number;
  /** Zones of the network to stand in; zone A of North China 2 must be one. @default - every zone of the network */
  readonly zones?: readonly string[];
  /** CIDRs that may call the service through the endpoint. @default - the CIDRs of the network */
  readonly allowedNetworks?: readonly string[];
  /** The name sent and verified in TLS. @default - the host of the base URL */
  readonly tlsServerName?: string;
  /**
   * Groups that exist, attached beside the endpoint's own and never edited: what any of them lets
   * through is let through.
   *
   * @default - none
   */
  readonly securityGroupIds?: readonly string[];
  /**
   * Whether the API host itself resolves to the endpoint inside the VPC, by a private zone of that
   * name. Only with https on port 443: clients of that name use nothing else.
   *
   * @default false
   */
  readonly privateZone?: boolean;
  /** Whether Terraform refuses to destroy it: a new endpoint has a new domain for every client. @default true */
  readonly preventDestroy?: boolean;
}

/** The zone that the service's endpoint service needs; specification, part 5. */
export const SERVICE_ZONE = 'cn-beijing-a';

/** Groups that an endpoint can have; see the cloud's limits. */
const MOST_GROUPS = 5;

const DEFAULT_PORT = { https: 443, http: 80 } as const;

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
      name: `${name}-endpoint`,
      description: 'who may call the service through the endpoint',
      rules: this.accessRules,
      ...commonOf(props),
    });
    const endpoint = new PrivatelinkVpcEndpoint(this, 'Default', {
      endpointName: name,
      serviceName: props.serviceName,
      vpcId: network.vpcId,
      securityGroupIds: [group.securityGroupId, ...(props.securityGroupIds ?? [])],
      zones: zones.map((zoneId) => ({ zoneId, subnetId: network.subnets.get(zoneId)?.subnetId })),
      projectName: props.projectName,
      tags: cloudTags(props.tags),
      lifecycle: { preventDestroy: props.preventDestroy ?? true },
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
      ...(tlsServerName !== undefined && { tlsServerName }),
    };
    this.resources = [...network.resources, group.resource, endpoint];
    this.apiHostLink = props.privateZone
      ? this.#apiHostLink(props, endpoint.fqn, zones)
      : undefined;
  }

  #apiHostLink(props: ServiceEndpointProps, endpoint: string, zones: readonly string[]): Linked {
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
      link: { ...link, name: `${link.name}-api-host`, baseUrl: `https://${apiHost}` },
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

function endpointProblems(props: ServiceEndpointProps): string[] {
  const { network, scheme, port, tlsServerName } = props;
  const zones = props.zones ?? [...network.subnets.keys()];
  const allowed = props.allowedNetworks ?? network.cidrs;
  const known = [...network.subnets.keys()].join(', ');
  return [
    ...(zones.includes(SERVICE_ZONE)
      ? []
      : [
          `\`zones\` must include ${SERVICE_ZONE}, where the service stands, got: ${zones.join(', ')}`,
        ]),
    ...zones
      .filter((zone) => !network.subnets.has(zone))
      .map((zone) => `\`zones\` must be zones of the network (${known}), got: "${zone}"`),
    ...(new Set(zones).size < zones.length
      ? [`\`zones\` must name each zone once, got: ${zones.join(', ')}`]
      : []),
    ...(allowed.length === 0 ? ['`allowedNetworks` must name at least one network'] : []),
    ...allowed.flatMap(allowedProblems),
    ...(port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65535)
      ? [`\`port\` must be 1 to 65535, got: ${port}`]
      : []),
    ...(scheme === 'http' ? clearTextProblems(network) : []),
    ...groupProblems(props.securityGroupIds ?? []),
    ...(props.privateZone ? privateZoneProblems(props) : []),
    ...(scheme === 'http' && tlsServerName !== undefined
      ? ['`tlsServerName` has no meaning with scheme http; leave it out']
      : []),
  ];
}

function groupProblems(groups: readonly string[]): string[] {
  return [
    ...(groups.length + 1 > MOST_GROUPS
      ? [
          `\`securityGroupIds\` must be at most ${MOST_GROUPS - 1}, beside the endpoint's own, got: ${groups.length}`,
        ]
      : []),
    ...(new Set(groups).size < groups.length
      ? [`\`securityGroupIds\` must name each group once, got: ${groups.join(', ')}`]
      : []),
  ];
}

function privateZoneProblems({ scheme, port }: ServiceEndpointProps): string[] {
  if (scheme === 'http') {
    return [
      '`privateZone` needs scheme https, got: http; https clients of the API host would break',
    ];
  }
  return port === undefined || port === DEFAULT_PORT.https
    ? []
    : [`\`privateZone\` needs port 443, which clients of the API host use, got: ${port}`];
}

function clearTextProblems(network: PrivateNetwork): string[] {
  return [...network.subnets]
    .filter(([, { cidr }]) => !PRIVATE_NETWORKS.some((range) => cidrCovers(range, parseCidr(cidr))))
    .map(
      ([zone, { cidr }]) =>
        `\`scheme\` must be https where a subnet is not private: tokens would travel in clear, got: http with ${zone} "${cidr}"`,
    );
}

function allowedProblems(cidr: string): string[] {
  const malformed = problemOf('allowedNetworks', cidr, parseCidr);
  if (malformed.length > 0) return malformed;
  return parseCidr(cidr).prefix === 0
    ? [`\`allowedNetworks\` must not be every address, got: "${cidr}"; name your networks`]
    : [];
}
