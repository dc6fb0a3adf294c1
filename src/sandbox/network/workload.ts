import {
  privatelinkVpcEndpoint,
  vpcSecurityGroup,
  vpcSubnet,
  vpcVpc,
} from '../../cloud/table/index.js';
import { formatAddress } from '../../net/address.js';
import { parseCidr } from '../../net/cidr.js';
import { type CloudState, resourcesOf } from '../cloud/cloud-state.js';
import { lastUsable } from '../cloud/types/subnet.js';
import { isPublicNetwork } from '../internet.js';
import { type JsonObject, objectsOf, textOf, textsOf } from '../json.js';

type Direction = 'ingress' | 'egress';

/** The address of a workload in a cloud without any network. */
const NOWHERE = '10.0.0.1';

/**
 * The security groups of the enterprise's workloads that are about the internet, for one direction.
 * The cloud of the sandbox has no machines that groups could be attached to, so what was deployed
 * shows it: a group that no endpoint carries and that lets a public network or a prefix list through in
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

/** The VPCs with workloads that call the service; without a sign of any, all VPCs. */
export function workloadVpcs(cloud: CloudState): readonly string[] {
  const signs = [
    ...workloadGroups(cloud, 'egress'),
    ...resourcesOf(cloud, privatelinkVpcEndpoint.cloudType),
  ];
  const found = signs.length > 0 ? signs : resourcesOf(cloud, vpcVpc.cloudType);
  return [...new Set(found.map((each) => textOf(each, 'VpcId')))];
}

/** The address of a workload that calls (egress) or is called: the last usable one of its VPC's first subnet. */
export function workloadAddress(cloud: CloudState, direction: Direction): string {
  const [group] = workloadGroups(cloud, direction);
  const vpcId = group ? textOf(group, 'VpcId') : workloadVpcs(cloud)[0];
  return (vpcId !== undefined && lastAddressOf(cloud, vpcId)) || NOWHERE;
}

function isAboutInternet(rule: JsonObject): boolean {
  if (rule.Policy !== 'accept' || isGiven(rule)) return false;
  const cidr = textOf(rule, 'CidrIp');
  return cidr === '' ? textOf(rule, 'PrefixListId') !== '' : isPublicNetwork(cidr);
}

/** A rule with which the cloud lets every new group's members out. */
function isGiven(rule: JsonObject): boolean {
  const isEveryone = rule.CidrIp === '0.0.0.0/0' || rule.CidrIp === '::/0';
  return rule.Protocol === 'all' && rule.PortStart === -1 && isEveryone;
}

/** The subnets of a VPC, by zone and then by address block. */
export function subnetsOf(cloud: CloudState, vpcId: string): JsonObject[] {
  const key = (subnet: JsonObject) => `${textOf(subnet, 'ZoneId')} ${textOf(subnet, 'CidrBlock')}`;
  return resourcesOf(cloud, vpcSubnet.cloudType)
    .filter((subnet) => subnet.VpcId === vpcId)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The last usable address of a VPC's first subnet. Undefined where it has none. */
export function lastAddressOf(cloud: CloudState, vpcId: string): string | undefined {
  const [first] = subnetsOf(cloud, vpcId);
  if (!first) return undefined;
  const subnet = parseCidr(textOf(first, 'CidrBlock'));
  return formatAddress({ family: 4, value: lastUsable(subnet) });
}
