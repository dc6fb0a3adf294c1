import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
import { formatAddress } from '../../net/address.js';
import { parseCidr } from '../../net/cidr.js';
import { type CloudState, findResource, listResources } from '../cloud/cloud-state.js';
import { lastUsable } from '../cloud/types/vpc.js';
import { type JsonObject, readText, readTexts } from '../json.js';
import type { Direction } from '../surroundings.js';
import { workloadGroups } from './groups.js';
import type { World } from './world.js';

/** The address of a workload in a cloud without any network. */
const NOWHERE = '10.0.0.1';

/** The CIDRs of a VPC; none where there is no such VPC. */
export function vpcNetworks(cloud: CloudState, vpcId: string): string[] {
  const vpc = findResource(cloud, vpcVpc, vpcId);
  const all = [readText(vpc, 'CidrBlock'), ...readTexts(vpc, 'SecondaryCidrBlocks')];
  return all.filter((cidr) => cidr !== '');
}

/** The address of a client in a VPC by default: the last usable address of its first subnet. */
export function findClientAddress({ cloud }: World, vpcId: string): string {
  return findLastAddress(cloud, vpcId) ?? '0.0.0.0';
}

/** The VPCs with workloads that call the service; without a sign of any, all VPCs. */
export function workloadVpcs(world: World): readonly string[] {
  const { cloud } = world;
  const vpcsOf = (all: readonly JsonObject[]) => all.map((each) => readText(each, 'VpcId'));
  const endpoints = listResources(cloud, privatelinkVpcEndpoint);
  const signs = vpcsOf([...workloadGroups(world, 'egress'), ...endpoints]).filter((id) => id);
  return [...new Set(signs.length > 0 ? signs : vpcsOf(listResources(cloud, vpcVpc)))];
}

/** The address of a workload that calls (egress) or is called: the last usable one of its VPC's first subnet. */
export function workloadAddress(world: World, direction: Direction): string {
  const [group = {}] = workloadGroups(world, direction);
  const vpcId = readText(group, 'VpcId') || workloadVpcs(world)[0];
  return (vpcId !== undefined && findLastAddress(world.cloud, vpcId)) || NOWHERE;
}

/**
 * The last usable address of a VPC's first subnet, by zone and then by address block, or one that is so
 * many after it. Undefined where the VPC has none.
 */
export function findLastAddress(cloud: CloudState, vpcId: string, after = 0n): string | undefined {
  const key = (subnet: JsonObject) =>
    `${readText(subnet, 'ZoneId')} ${readText(subnet, 'CidrBlock')}`;
  const [first] = listResources(cloud, vpcSubnet)
    .filter((subnet) => subnet.VpcId === vpcId)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
  if (!first) return undefined;
  const subnet = parseCidr(readText(first, 'CidrBlock'));
  return formatAddress({ family: 4, value: lastUsable(subnet) + after });
}
