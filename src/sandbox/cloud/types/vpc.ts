import {
  clbClb,
  privatelinkVpcEndpoint,
  privatezonePrivateZone,
  vpcSecurityGroup,
  vpcSubnet,
  vpcVpc,
} from '../../../cloud/table/index.js';
import {
  type Cidr,
  cidrCovers,
  cidrsOverlap,
  PRIVATE_NETWORKS,
  parseCidr,
} from '../../../net/cidr.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, users } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';

export const vpc: CloudType = {
  row: vpcVpc,

  make(input, prior, cloud) {
    const id = prior ? readText(prior, 'VpcId') : cloud.newId('vpc');
    const made = {
      CidrBlock: '172.16.0.0/16',
      Description: '',
      DnsServers: [],
      Ipv4GatewayId: '',
      Ipv6CidrBlock: '',
      NatGatewayIds: [],
      ProjectName: 'default',
      SecondaryCidrBlocks: [],
      SupportIpv4Gateway: false,
      Tags: [],
      UserCidrBlocks: [],
      VpcName: id,
      ...input,
      AccountId: ACCOUNT_ID,
      AssociateCens: [],
      CreationTime: prior?.CreationTime ?? cloud.now(),
      IsDefault: false,
      NetworkAclNum: '0',
      RouteTableIds: prior?.RouteTableIds ?? [cloud.newId('vtb')],
      Status: 'Available',
      UpdateTime: cloud.now(),
      VpcId: id,
    };
    checkBlocks(made);
    checkSubnetsRemain(made, cloud);
    return made;
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'VpcId');
    const inside = [
      ...idsIn(cloud, vpcSubnet.cloudType, 'SubnetId', id),
      ...idsIn(cloud, vpcSecurityGroup.cloudType, 'SecurityGroupId', id),
      ...idsIn(cloud, privatelinkVpcEndpoint.cloudType, 'EndpointId', id),
      ...idsIn(cloud, clbClb.cloudType, 'LoadBalancerId', id),
      ...users(cloud, privatezonePrivateZone, 'ZID', (zone) =>
        readObjects(zone, 'Vpcs').some(({ VpcId }) => VpcId === id),
      ),
    ];
    if (inside.length > 0) throw dependencyViolation(id, inside);
  },

  read(properties, cloud) {
    const id = readText(properties, 'VpcId');
    return {
      SecurityGroupIds: idsIn(cloud, vpcSecurityGroup.cloudType, 'SecurityGroupId', id),
      SubnetIds: idsIn(cloud, vpcSubnet.cloudType, 'SubnetId', id),
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
  try {
    return parseCidr(text);
  } catch (error) {
    throw new CloudError('InvalidCidrBlock.Malformed', `"${text}" ${(error as Error).message}`);
  }
}

function checkBlocks(properties: JsonObject): void {
  const blocks = readBlocks(properties);
  for (const [index, block] of blocks.entries()) {
    const isPrivate = PRIVATE_NETWORKS.some((network) => cidrCovers(network, block));
    if (block.family !== 4 || !isPrivate || block.prefix < 8 || block.prefix > 28) {
      throw new CloudError(
        'InvalidCidrBlock.Range',
        `\`CidrBlock\` must be a private IPv4 network of /8 to /28, got: "${block.text}"`,
      );
    }
    if (blocks.slice(0, index).some((other) => cidrsOverlap(other, block))) {
      throw new CloudError('InvalidCidrBlock.Conflict', `${block.text} overlaps another block`);
    }
  }
}

function checkSubnetsRemain(properties: JsonObject, cloud: CloudScope): void {
  const blocks = readBlocks(properties);
  const stranded = cloud
    .all(vpcSubnet.cloudType)
    .filter((subnet) => subnet.VpcId === properties.VpcId)
    .filter((subnet) => {
      const own = readBlock(readText(subnet, 'CidrBlock'));
      return !blocks.some((block) => cidrCovers(block, own));
    })
    .map((subnet) => readText(subnet, 'SubnetId'));
  if (stranded.length > 0) throw dependencyViolation('an address block', stranded);
}

function idsIn(cloud: CloudScope, typeName: string, idName: string, vpcId: string): string[] {
  return cloud
    .all(typeName)
    .filter((properties) => properties.VpcId === vpcId)
    .map((properties) => readText(properties, idName));
}
