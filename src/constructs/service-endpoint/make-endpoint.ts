import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { type CloudResource, cloud } from '../../cloud/resource.js';
import { formatAddress } from '../../net/address.js';
import { parseCidr } from '../../net/cidr.js';
import type { MadeLink } from '../linked.js';
import { chooseProject, nameInStack, pickCommon, resourceProps } from '../props-and-outputs.js';
import { generationName, hashGeneration, REPLACED_FIRST } from '../replacement.js';
import { RuledSecurityGroup } from '../rules/ruled-security-group.js';
import { StackAccess } from '../stack-access.js';
import { ApiHostZone, existingZoneRecords } from './api-host-zone.js';
import {
  DEFAULT_PORT,
  endpointSubnets,
  managedBy,
  readServiceId,
  type ServiceEndpointProps,
} from './service-endpoint-props.js';

/** The cloud keeps the first address of a subnet and the last three for itself. */
const KEPT_AT_START = 1n;
const KEPT_AT_END = 3n;

/** The resources of an endpoint without mistakes. */
export type MadeEndpoint = ReturnType<typeof makeEndpoint>;

/** Creates the endpoint, the group with its rules, and the DNS records of the API host. */
export function makeEndpoint(scope: Construct, props: ServiceEndpointProps) {
  const { network, name, serviceName, allowedNetworks = network.cidrs } = props;
  const rules = StackAccess.of(scope).add(allowedNetworks.map((cidr) => endpointRule(props, cidr)));
  const group = new RuledSecurityGroup(scope, 'security-group', {
    vpcId: network.vpcId,
    vpcGeneration: network.generation,
    name: `${name}-endpoint`,
    description: 'who may call the service through the endpoint',
    rules,
    // Existing groups are attached to the same interface, and what they accept stays accepted.
    closed: props.securityGroupIds === undefined ? ['ingress', 'egress'] : ['egress'],
    ...pickCommon(props),
  });
  const fixed = [network.generation, serviceName, props.serviceId, chooseProject(props)];
  const generation = hashGeneration(...fixed);
  const zones = toZones(props, hashGeneration(scope.node.path, generation));
  StackAccess.of(scope).addEndpoint({
    subject: name,
    addresses: zones.map(({ privateIpAddress }) => privateIpAddress),
  });
  const endpoint = new cloud.PrivatelinkVpcEndpoint(scope, 'Default', {
    endpointName: generationName(name, generation),
    serviceName,
    serviceId: props.serviceId ?? readServiceId(serviceName),
    vpcId: network.vpcId,
    securityGroupIds: [group.securityGroupId, ...(props.securityGroupIds ?? []).toSorted()],
    zones,
    lifecycle: { ...REPLACED_FIRST, preventDestroy: props.preventDestroy ?? true },
    ...resourceProps(props),
  });
  const { dnsZone, records } = makeNames(scope, props, endpoint);
  const resources = [...network.resources, group.resource, endpoint, ...records];
  return { rules, group, endpoint, zones, dnsZone, resources };
}

/** The rule that lets a network call through the endpoint. */
export function endpointRule(
  { name, scheme, port = DEFAULT_PORT[scheme] }: ServiceEndpointProps,
  cidr: string,
  reason = 'calls to the service through its endpoint',
): AccessRule {
  return {
    via: 'service-endpoint',
    direction: 'ingress',
    subject: name,
    peer: { kind: 'cidr', cidr },
    protocol: 'tcp',
    ports: { first: port, last: port },
    reason,
  };
}

/**
 * The interfaces of the endpoint, one a zone.
 *
 * @param place makes the addresses of this endpoint others than those of another one
 */
function toZones(props: ServiceEndpointProps, place: string) {
  return endpointSubnets(props).map(([zoneId, { subnetId, cidr }]) => ({
    zoneId,
    subnetId,
    privateIpAddress: props.addresses?.[zoneId] ?? endpointAddress(cidr, place),
  }));
}

/**
 * The address that an endpoint takes in a subnet. It is written out, for the provider would hand the
 * address of one zone to another when zones change. It lies in the upper half of the subnet, away from
 * where addresses are given out first, and another generation of the endpoint has another one.
 */
export function endpointAddress(subnet: string, generation: string): string {
  const { first, last } = parseCidr(subnet);
  const [low, high] = [first + KEPT_AT_START, last - KEPT_AT_END];
  const middle = (low + high + 1n) / 2n;
  // The last address stays free for tools that assign from the end.
  const choices = high - middle > 0n ? high - middle : 1n;
  return formatAddress({ family: 4, value: middle + (BigInt(`0x${generation}`) % choices) });
}

/** Creates the zone or records by which the API host resolves to the endpoint, unless others do. */
function makeNames(
  scope: Construct,
  props: ServiceEndpointProps,
  endpoint: CloudResource<'PrivatelinkVpcEndpoint'>,
) {
  const { apiHost, network, privateZone = false } = props;
  const availabilityZones = endpointSubnets(props).map(([zone]) => zone);
  const named = { apiHost, endpoint, availabilityZones, ...pickCommon(props) };
  if (privateZone === true) {
    const networks = [network, ...(props.privateZoneNetworks ?? [])];
    const dnsZone = new ApiHostZone(scope, 'private-zone', { ...named, networks });
    return { dnsZone, records: dnsZone.resources };
  }
  if (privateZone === false || 'managedBy' in privateZone) return { records: [] };
  return { records: existingZoneRecords(scope, { ...named, ...privateZone }) };
}

/** Scheme, domain and port, the port only where it is not the scheme's own. */
export function endpointUrl(
  { scheme, port = DEFAULT_PORT[scheme] }: ServiceEndpointProps,
  domain: string,
): string {
  return `${scheme}://${domain}${port === DEFAULT_PORT[scheme] ? '' : `:${port}`}`;
}

/** The links of an endpoint: over its domain, and with `privateZone` over the API host itself. */
export function endpointLinks(
  construct: Construct & { readonly baseUrl: string },
  props: ServiceEndpointProps,
  endpoint: TerraformResource,
): MadeLink[] {
  const { apiHost, tlsServerName, privateZone } = props;
  const records = managedBy(props);
  const zones = endpointSubnets(props).map(([name, { cidr: network }]) => ({ name, network }));
  const link: MadeLink = {
    name: nameInStack(construct),
    via: 'service-endpoint',
    baseUrl: construct.baseUrl,
    apiHost,
    expectedAddresses: {
      expression: `sort([for zone in ${endpoint.fqn}.zones : "\${zone.private_ip_address}/32"])`,
    },
    expectedNetworks: zones.map((zone) => zone.network),
    zones,
  };
  const ofApiHost = {
    ...link,
    name: `${link.name}-api-host`,
    baseUrl: `https://${apiHost}`,
    privateZone: true,
    ...(records !== undefined && { recordsElsewhere: records }),
  };
  return [
    { ...link, ...(tlsServerName !== undefined && { tlsServerName }) },
    ...(privateZone ? [ofApiHost] : []),
  ];
}
