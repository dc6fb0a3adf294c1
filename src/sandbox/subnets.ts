import { vpcSubnet } from '../cloud/table/index.js';
import { formatAddress } from '../net/address.js';
import { parseCidr } from '../net/cidr.js';
import { type CloudState, resourcesOf } from './cloud/cloud-state.js';
import { lastUsable } from './cloud/subnet-addresses.js';
import { type JsonObject, textOf } from './json.js';

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
