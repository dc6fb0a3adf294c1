import { privatelinkVpcEndpoint, vpcSecurityGroup, vpcVpc } from '../cloud/table/index.js';
import { type CloudState, resourcesOf } from './cloud/cloud-state.js';
import { type JsonObject, objectsOf, textOf, textsOf } from './json.js';
import { isPublicNetwork } from './public-networks.js';
import { lastAddressOf } from './subnets.js';

type Direction = 'ingress' | 'egress';

/** Where a workload stands in a cloud without any network. */
const NOWHERE = '10.0.0.1';

/**
 * The security groups of the enterprise's workloads that are about the internet, for one direction.
 * The cloud of the sandbox has no machines that groups could be attached to, so what was deployed
 * tells: a group that no endpoint carries and that lets a public network or a prefix list through in
 * that direction was made for fixed addresses, and a workload carries all such groups, for they add
 * up. What the cloud gives every new group, and rules about private networks, say nothing of it.
 */
export function workloadGroups(cloud: CloudState, direction: Direction): JsonObject[] {
  const carried = resourcesOf(cloud, privatelinkVpcEndpoint.cloudType).flatMap((endpoint) =>
    textsOf(endpoint, 'SecurityGroupIds'),
  );
  return resourcesOf(cloud, vpcSecurityGroup.cloudType)
    .filter((group) => !carried.includes(textOf(group, 'SecurityGroupId')))
    .filter((group) => rulesOf(group, direction).some(isAboutInternet));
}

export function rulesOf(group: JsonObject, direction: Direction): JsonObject[] {
  return objectsOf(group, direction === 'egress' ? 'EgressPermissions' : 'IngressPermissions');
}

/** The VPC of the workloads: of their groups, else of the first endpoint, else the first one. */
export function workloadVpc(cloud: CloudState): string | undefined {
  const [first] = [
    ...workloadGroups(cloud, 'egress'),
    ...workloadGroups(cloud, 'ingress'),
    ...resourcesOf(cloud, privatelinkVpcEndpoint.cloudType),
    ...resourcesOf(cloud, vpcVpc.cloudType),
  ];
  return first && textOf(first, 'VpcId');
}

/** A workload's address: the last usable one of its VPC's first subnet. */
export function workloadAddress(cloud: CloudState): string {
  const vpcId = workloadVpc(cloud);
  return (vpcId !== undefined && lastAddressOf(cloud, vpcId)) || NOWHERE;
}

function isAboutInternet(rule: JsonObject): boolean {
  if (rule.Policy !== 'accept' || isGiven(rule)) return false;
  const cidr = textOf(rule, 'CidrIp');
  return cidr === '' ? textOf(rule, 'PrefixListId') !== '' : isPublicNetwork(cidr);
}

/** The rule with which the cloud lets every new group's members out. */
function isGiven(rule: JsonObject): boolean {
  return rule.Protocol === 'all' && rule.PortStart === -1 && rule.CidrIp === '0.0.0.0/0';
}
