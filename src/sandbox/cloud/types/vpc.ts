import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../../cloud/table/vpc.js';
import {
  type Cidr,
  cidrCovers,
  cidrsOverlap,
  PRIVATE_NETWORKS,
  parseCidr,
} from '../../../net/cidr.js';
import { type JsonObject, readText, readTexts } from '../../json.js';
import { CloudError, dependencyViolation, invalid, parseOr } from '../cloud-error.js';
import type { CloudScope, CloudType } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';

export const vpc: CloudType = {
  row: vpcVpc,
  times: ['CreationTime', 'UpdateTime'],
  newId: (cloud) => cloud.newId('vpc'),

  make(input, { id, prior }, cloud) {
    const made = {
      CidrBlock: '172.16.0.0/16',
      DnsServers: [],
      Ipv4GatewayId: '',
      Ipv6CidrBlock: '',
      NatGatewayIds: [],
      SecondaryCidrBlocks: [],
      SupportIpv4Gateway: false,
      UserCidrBlocks: [],
      VpcName: id,
      ...input,
      AccountId: ACCOUNT_ID,
      AssociateCens: [],
      IsDefault: false,
      NetworkAclNum: '0',
      RouteTableIds: prior?.RouteTableIds ?? [cloud.newId('vtb')],
      Status: 'Available',
    };
    checkBlocks(made);
    checkSubnetsRemain(id, made, cloud);
    return made;
  },

  read(vpc, cloud) {
    const id = readText(vpc, 'VpcId');
    return {
      SecurityGroupIds: cloud.users(vpcVpc, id, vpcSecurityGroup).map((group) => group.id),
      SubnetIds: cloud.users(vpcVpc, id, vpcSubnet).map((subnet) => subnet.id),
    };
  },
};

/** The address ranges of a VPC: the primary block and the secondary ones. */
export function readBlocks(properties: JsonObject): Cidr[] {
  return [readText(properties, 'CidrBlock'), ...readTexts(properties, 'SecondaryCidrBlocks')].map(
    readBlock,
  );
}

/** Reads a CIDR property. */
export function readBlock(text: string): Cidr {
  const refuse = (rule: string) =>
    new CloudError('InvalidCidrBlock.Malformed', `"${text}" ${rule}`);
  return parseOr(parseCidr, text, refuse);
}

function checkBlocks(properties: JsonObject): void {
  const blocks = readBlocks(properties);
  for (const [index, block] of blocks.entries()) {
    const isPrivate = PRIVATE_NETWORKS.some((network) => cidrCovers(network, block));
    if (block.family !== 4 || !isPrivate || block.prefix < 8 || block.prefix > 28) {
      const rule = 'must be a private IPv4 network of /8 to /28';
      throw invalid('CidrBlock', rule, block.text, 'InvalidCidrBlock.Range');
    }
    if (blocks.slice(0, index).some((other) => cidrsOverlap(other, block))) {
      throw new CloudError('InvalidCidrBlock.Conflict', `${block.text} overlaps another block`);
    }
  }
}

function checkSubnetsRemain(id: string, properties: JsonObject, cloud: CloudScope): void {
  const blocks = readBlocks(properties);
  const stranded = cloud.users(vpcVpc, id, vpcSubnet).filter(({ properties }) => {
    const own = readBlock(readText(properties, 'CidrBlock'));
    return !blocks.some((block) => cidrCovers(block, own));
  });
  const ids = stranded.map((subnet) => subnet.id);
  if (ids.length > 0) throw dependencyViolation('an address block', ids);
}
