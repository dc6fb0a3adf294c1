import { clbClb, privatelinkVpcEndpoint, vpcSubnet, vpcVpc } from '../../../cloud/table/index.js';
import { type Address, formatAddress } from '../../../net/address.js';
import { type Cidr, cidrCovers, cidrsOverlap } from '../../../net/cidr.js';
import { isObject, type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, danglingReference, dependencyViolation } from '../cloud-error.js';
import type { CloudScope, CloudType } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';
import { readBlock, readBlocks } from './vpc.js';

export const subnet: CloudType = {
  row: vpcSubnet,

  make(input, prior, cloud) {
    const network = cloud.find(vpcVpc.cloudType, readText(input, 'VpcId'));
    if (!network) throw danglingReference('VpcId', readText(input, 'VpcId'));
    if (!prior) checkPlace(input, network, cloud);
    const id = prior ? readText(prior, 'SubnetId') : cloud.newId('subnet');
    return {
      Description: '',
      SubnetName: id,
      Tags: [],
      ...input,
      AccountId: ACCOUNT_ID,
      CreatedTime: prior?.CreatedTime ?? cloud.now(),
      IsDefault: false,
      NetworkAclId: '',
      ProjectName: readText(network, 'ProjectName'),
      ReadIpv6CidrBlock: '',
      RouteTable: {
        RouteTableId: Array.isArray(network.RouteTableIds) ? (network.RouteTableIds[0] ?? '') : '',
        RouteTableType: 'System',
      },
      Status: 'Available',
      SubnetId: id,
      TotalIpv4Count: usableCount(readBlock(readText(input, 'CidrBlock'))),
      UpdatedTime: cloud.now(),
    };
  },

  checkDelete(properties, cloud) {
    const users = heldIn(properties, cloud).map(({ by }) => by);
    if (users.length > 0) throw dependencyViolation(readText(properties, 'SubnetId'), users);
  },

  read(properties, cloud) {
    const total = Number(properties.TotalIpv4Count);
    return { AvailableIpAddressCount: total - heldIn(properties, cloud).length };
  },
};

/** The addresses that endpoints and load balancers hold in a subnet. */
export function heldIn({ SubnetId: subnetId }: JsonObject, cloud: CloudScope): Held[] {
  const zones = cloud.all(privatelinkVpcEndpoint.cloudType).flatMap((endpoint) =>
    readObjects(endpoint, 'Zones')
      .filter((zone) => zone.SubnetId === subnetId)
      .map((zone) => ({
        by: readText(endpoint, 'EndpointId'),
        address: readText(zone, 'PrivateIpAddress'),
      })),
  );
  const balancers = cloud
    .all(clbClb.cloudType)
    .filter((balancer) => balancer.SubnetId === subnetId)
    .map((balancer) => ({
      by: readText(balancer, 'LoadBalancerId'),
      address: isObject(balancer.Eni) ? readText(balancer.Eni, 'EniAddress') : '',
    }));
  return [...zones, ...balancers];
}

interface Held {
  /** The holder's identifier. */
  readonly by: string;
  readonly address: string;
}

function checkPlace(input: JsonObject, network: JsonObject, cloud: CloudScope): void {
  const zone = readText(input, 'ZoneId');
  if (!cloud.place.zones.includes(zone)) throw danglingReference('ZoneId', zone);
  const own = readBlock(readText(input, 'CidrBlock'));
  if (own.family !== 4 || own.prefix > 29) {
    throw new CloudError(
      'InvalidCidrBlock.Range',
      `\`CidrBlock\` must be an IPv4 network of at most /29, got: "${own.text}"`,
    );
  }
  if (!readBlocks(network).some((block) => cidrCovers(block, own))) {
    throw new CloudError(
      'InvalidCidrBlock.OutOfRange',
      `\`CidrBlock\` must lie in the VPC, got: "${own.text}"`,
    );
  }
  for (const other of cloud.all(vpcSubnet.cloudType)) {
    const taken = readBlock(readText(other, 'CidrBlock'));
    if (other.VpcId === input.VpcId && cidrsOverlap(own, taken)) {
      throw new CloudError(
        'InvalidCidrBlock.Conflict',
        `\`CidrBlock\` overlaps ${readText(other, 'SubnetId')} (${taken.text}), got: "${own.text}"`,
      );
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

export function isUsable(subnet: Cidr, { family, value }: Address): boolean {
  return family === 4 && firstUsable(subnet) <= value && value <= lastUsable(subnet);
}

/** The lowest usable address that is not taken. */
export function freeAddress(subnet: Cidr, taken: ReadonlySet<string>): string | undefined {
  for (let value = firstUsable(subnet); value <= lastUsable(subnet); value += 1n) {
    const text = formatAddress({ family: 4, value });
    if (!taken.has(text)) return text;
  }
  return undefined;
}
