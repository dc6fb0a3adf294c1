import { vpcNetworkAcl } from '../../../cloud/table/read-only.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../../cloud/table/vpc.js';
import { type Address, formatAddress, parseAddress } from '../../../net/address.js';
import {
  type Cidr,
  cidrCovers,
  cidrsOverlap,
  isPrivateRange,
  parseCidr,
} from '../../../net/cidr.js';
import { isObject, type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { ACCOUNT_ID } from '../../surroundings.js';
import {
  CloudError,
  danglingReference,
  dependencyViolation,
  invalid,
  parseOr,
} from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';

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
function readBlocks(properties: JsonObject): Cidr[] {
  return [readText(properties, 'CidrBlock'), ...readTexts(properties, 'SecondaryCidrBlocks')].map(
    readBlock,
  );
}

export function readBlock(text: string): Cidr {
  const refuse = (rule: string) =>
    new CloudError('InvalidCidrBlock.Malformed', `"${text}" ${rule}`);
  return parseOr(parseCidr, text, refuse);
}

function checkBlocks(properties: JsonObject): void {
  const blocks = readBlocks(properties);
  for (const [index, block] of blocks.entries()) {
    const isPrivate = isPrivateRange(block);
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

export const subnet: CloudType = {
  row: vpcSubnet,
  times: ['CreatedTime', 'UpdatedTime'],
  references: { VpcId: vpcVpc },
  newId: (cloud) => cloud.newId('subnet'),

  make(input, { id, prior }, cloud) {
    const network = referenced(cloud, vpcVpc, 'VpcId', readText(input, 'VpcId'));
    if (!prior) checkPlace(input, network, cloud);
    return {
      SubnetName: id,
      ...input,
      AccountId: ACCOUNT_ID,
      IsDefault: false,
      ProjectName: readText(network, 'ProjectName'),
      ReadIpv6CidrBlock: '',
      RouteTable: {
        RouteTableId: readTexts(network, 'RouteTableIds')[0] ?? '',
        RouteTableType: 'System',
      },
      Status: 'Available',
      TotalIpv4Count: usableCount(readBlock(readText(input, 'CidrBlock'))),
    };
  },

  read(properties, cloud) {
    const total = Number(properties.TotalIpv4Count);
    const id = readText(properties, 'SubnetId');
    const [acl] = cloud.users(vpcSubnet, id, vpcNetworkAcl);
    return {
      AvailableIpAddressCount: total - addressesTaken(properties, cloud).length,
      NetworkAclId: acl?.id ?? '',
    };
  },
};

/** The addresses in a subnet that its users, endpoints and load balancers, hold. */
function addressesTaken(subnet: JsonObject, cloud: CloudScope): string[] {
  const id = readText(subnet, 'SubnetId');
  return cloud.users(vpcSubnet, id).flatMap(({ properties }) => {
    const { Eni } = properties;
    if (isObject(Eni)) return [readText(Eni, 'EniAddress')];
    return readObjects(properties, 'Zones')
      .filter(({ SubnetId }) => SubnetId === id)
      .map((zone) => readText(zone, 'PrivateIpAddress'));
  });
}

function checkPlace(input: JsonObject, network: JsonObject, cloud: CloudScope): void {
  const zone = readText(input, 'ZoneId');
  if (!cloud.place.zones.includes(zone)) throw danglingReference('ZoneId', zone);
  const own = readBlock(readText(input, 'CidrBlock'));
  if (own.family !== 4 || own.prefix > 29) {
    const rule = 'must be an IPv4 network of at most /29';
    throw invalid('CidrBlock', rule, own.text, 'InvalidCidrBlock.Range');
  }
  if (!readBlocks(network).some((block) => cidrCovers(block, own))) {
    throw invalid('CidrBlock', 'must lie in the VPC', own.text, 'InvalidCidrBlock.OutOfRange');
  }
  for (const { id, properties } of cloud.users(vpcVpc, readText(network, 'VpcId'), vpcSubnet)) {
    const taken = readBlock(readText(properties, 'CidrBlock'));
    if (cidrsOverlap(own, taken)) {
      const rule = `overlaps ${id} (${taken.text})`;
      throw invalid('CidrBlock', rule, own.text, 'InvalidCidrBlock.Conflict');
    }
  }
}

// The cloud keeps the first address of a subnet and the last three for itself.
const RESERVED_AT_END = 3n;

function firstUsable(subnet: Cidr): bigint {
  return subnet.first + 1n;
}

export function lastUsable(subnet: Cidr): bigint {
  return subnet.last - RESERVED_AT_END;
}

function usableCount(subnet: Cidr): number {
  return Number(lastUsable(subnet) - firstUsable(subnet) + 1n);
}

function isUsable(subnet: Cidr, { family, value }: Address): boolean {
  return family === 4 && firstUsable(subnet) <= value && value <= lastUsable(subnet);
}

/** A free address of a subnet: the given one, or the lowest where it is ''. @throws CloudError */
export function addressIn(subnet: JsonObject, given: string, cloud: CloudScope): string {
  const block = readBlock(readText(subnet, 'CidrBlock'));
  const taken = new Set(addressesTaken(subnet, cloud));
  if (given === '') {
    const free = freeAddress(block, taken);
    if (free !== undefined) return free;
    throw new CloudError('InsufficientIpAddresses', `${block.text} has no free address`);
  }
  if (isUsable(block, parseAddress(given)) && !taken.has(given)) return given;
  throw invalid('PrivateIpAddress', `must be a free address of ${block.text}`, given);
}

function freeAddress(subnet: Cidr, taken: ReadonlySet<string>): string | undefined {
  for (let value = firstUsable(subnet); value <= lastUsable(subnet); value += 1n) {
    const text = formatAddress({ family: 4, value });
    if (!taken.has(text)) return text;
  }
  return undefined;
}
