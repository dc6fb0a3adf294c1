import { privatelinkVpcEndpoint, vpcSecurityGroup, vpcVpc } from '../cloud/table/index.js';
import { type CloudState, resourcesOf } from './cloud/cloud-state.js';
import { type JsonObject, objectsOf, textOf, textsOf } from './json.js';
import { lastAddressOf } from './subnets.js';

type Direction = 'ingress' | 'egress';

/** Where a workload stands in a cloud without any network. */
const NOWHERE = '10.0.0.1';

/**
 * The security groups that a workload of the enterprise carries, for one direction. The cloud of the
 * sandbox has no machines that groups could be attached to, so what was deployed tells: a group that
 * no endpoint carries and that lets something particular through in that direction was made for
 * workloads, and a workload carries all such groups, for they add up. A group that only has what the
 * cloud gives every new group says nothing about workloads.
 */
export function workloadGroups(cloud: CloudState, direction: Direction): JsonObject[] {
  const carried = resourcesOf(cloud, privatelinkVpcEndpoint.cloudType).flatMap((endpoint) =>
    textsOf(endpoint, 'SecurityGroupIds'),
  );
  return resourcesOf(cloud, vpcSecurityGroup.cloudType)
    .filter((group) => !carried.includes(textOf(group, 'SecurityGroupId')))
    .filter((group) => rulesOf(group, direction).some((rule) => isParticular(rule, group)));
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

function isParticular(rule: JsonObject, group: JsonObject): boolean {
  const isOpen = rule.Protocol === 'all' && rule.PortStart === -1;
  const isGiven =
    isOpen && (rule.CidrIp === '0.0.0.0/0' || rule.SourceGroupId === group.SecurityGroupId);
  return rule.Policy === 'accept' && !isGiven;
}
