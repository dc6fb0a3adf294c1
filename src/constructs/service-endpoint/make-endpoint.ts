import type { ITerraformDependable } from 'cdktf';
import type { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { type CloudResource, cloud } from '../../cloud/resource.js';
import { cloudTags, commonOf, projectOf } from '../common-props.js';
import { generationName, generationOf, REPLACED_FIRST } from '../generation.js';
import { RuledSecurityGroup } from '../rules/ruled-security-group.js';
import { StackAccess } from '../stack-access.js';
import { ApiHostZone, ExistingZoneRecords } from './api-host-zone.js';
import { endpointAddress } from './endpoint-address.js';
import { readServiceId, type ServiceEndpointProps } from './service-endpoint-props.js';

/** An interface of the endpoint, in the form of the resource. */
interface EndpointZone {
  readonly zoneId: string;
  readonly subnetId: string;
  readonly privateIpAddress: string;
}

/** What an endpoint without mistakes consists of. */
export interface MadeEndpoint {
  readonly group: RuledSecurityGroup;
  readonly endpoint: CloudResource<'PrivatelinkVpcEndpoint'>;
  readonly zones: readonly EndpointZone[];
  /** The private zone of the API host, where one is made. */
  readonly zone: ApiHostZone | undefined;
  readonly resources: readonly ITerraformDependable[];
}

/** Makes the endpoint, the group that holds its rules, and what lets the API host resolve to it. */
export function makeEndpoint(
  scope: Construct,
  props: ServiceEndpointProps,
  rules: readonly AccessRule[],
): MadeEndpoint {
  const { network, name, serviceName } = props;
  const group = new RuledSecurityGroup(scope, 'security-group', {
    vpcId: network.vpcId,
    vpcGeneration: network.generation,
    name: `${name}-endpoint`,
    description: 'who may call the service through the endpoint',
    rules,
    // Existing groups are attached to the same interface, and what they accept stays accepted.
    closed: props.securityGroupIds === undefined ? ['ingress', 'egress'] : ['egress'],
    ...commonOf(props),
  });
  const projectName = projectOf(props);
  const generation = generationOf(network.generation, serviceName, props.serviceId, projectName);
  const zones = zonesOf(props, generationOf(scope.node.path, generation));
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
    projectName,
    tags: cloudTags(props.tags),
    lifecycle: { ...REPLACED_FIRST, preventDestroy: props.preventDestroy ?? true },
    ...(props.provider && { provider: props.provider }),
  });
  const names = makeNames(scope, props, endpoint);
  const resources = [...network.resources, group.resource, endpoint, ...(names?.resources ?? [])];
  const zone = names instanceof ApiHostZone ? names : undefined;
  return { group, endpoint, zones, zone, resources };
}

/** @param place makes the addresses of this endpoint others than those of another one */
function zonesOf(props: ServiceEndpointProps, place: string): EndpointZone[] {
  const { network, zones = network.subnets.keys(), addresses } = props;
  return [...zones].sort().flatMap((zoneId) => {
    const subnet = network.subnets.get(zoneId);
    if (subnet === undefined) return [];
    const privateIpAddress = addresses?.[zoneId] ?? endpointAddress(subnet.cidr, place);
    return [{ zoneId, subnetId: subnet.subnetId, privateIpAddress }];
  });
}

/** What lets the API host itself resolve to the endpoint, where this stack makes it. */
function makeNames(
  scope: Construct,
  props: ServiceEndpointProps,
  endpoint: CloudResource<'PrivatelinkVpcEndpoint'>,
): ApiHostZone | ExistingZoneRecords | undefined {
  const { apiHost, network, privateZone = false, provider } = props;
  const zones = [...(props.zones ?? network.subnets.keys())].sort();
  if (privateZone === true) {
    return new ApiHostZone(scope, 'private-zone', {
      apiHost,
      networks: [network, ...(props.privateZoneNetworks ?? [])],
      endpoint,
      zones,
      ...commonOf(props),
    });
  }
  if (privateZone === false || 'keptElsewhere' in privateZone) return undefined;
  // A record cannot go over to another zone: that of another zone is another one.
  const id = `zone-${privateZone.zoneId}`;
  return new ExistingZoneRecords(scope, id, { apiHost, endpoint, zones, provider, ...privateZone });
}
