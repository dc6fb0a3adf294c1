import { vpcSubnet } from '../../cloud/table/index.js';
import { parseAddress } from '../../net/address.js';
import { type JsonObject, readObjects, readText } from '../json.js';
import { CloudError, danglingReference } from './cloud-error.js';
import type { CloudScope } from './cloud-type.js';
import type { CatalogueService } from './region.js';
import { freeAddress, heldIn, isUsable } from './types/subnet.js';
import { readBlock } from './types/vpc.js';

/** The zones of an endpoint, each with a network interface and an address in its subnet. */
export function makeZones(
  endpointId: string,
  input: JsonObject,
  prior: JsonObject | undefined,
  service: CatalogueService,
  cloud: CloudScope,
): JsonObject[] {
  const wanted = readObjects(input, 'Zones');
  if (wanted.length === 0) throw new CloudError('MissingProperty', '`Zones` is required');
  const before = prior ? readObjects(prior, 'Zones') : [];
  const zones = wanted.map((zone) => {
    const { subnet, zoneId } = findSubnet(zone, input, service, cloud);
    const kept = before.find((other) => other.SubnetId === zone.SubnetId && holds(other, zone));
    if (kept) return kept;
    return {
      NetworkInterfaceId: cloud.newId('eni'),
      PrivateIpAddress: addressIn(subnet, readText(zone, 'PrivateIpAddress'), cloud),
      ServiceStatus: 'Available',
      SubnetId: readText(zone, 'SubnetId'),
      ZoneDomain: `${endpointId}-${zoneId}.${service.domainSuffix}`,
      ZoneId: zoneId,
    };
  });
  if (new Set(zones.map(({ ZoneId }) => ZoneId)).size < zones.length) {
    throw new CloudError('InvalidZones.Duplicate', '`Zones` must name each zone once');
  }
  return zones;
}

function holds(existing: JsonObject, zone: JsonObject): boolean {
  const address = readText(zone, 'PrivateIpAddress');
  return address === '' || address === existing.PrivateIpAddress;
}

function findSubnet(
  zone: JsonObject,
  input: JsonObject,
  service: CatalogueService,
  cloud: CloudScope,
): { subnet: JsonObject; zoneId: string } {
  const subnetId = readText(zone, 'SubnetId');
  const subnet = cloud.find(vpcSubnet.cloudType, subnetId);
  if (!subnet) throw danglingReference('SubnetId', subnetId);
  if (subnet.VpcId !== input.VpcId) {
    throw new CloudError(
      'InvalidSubnet.VpcMismatch',
      `\`Zones\` must lie in subnets of the endpoint's VPC, got: "${subnetId}"`,
    );
  }
  const zoneId = readText(subnet, 'ZoneId');
  const given = readText(zone, 'ZoneId') || zoneId;
  if (given !== zoneId) {
    throw new CloudError(
      'InvalidZone.SubnetMismatch',
      `\`ZoneId\` must be the subnet's zone ${zoneId}, got: "${given}"`,
    );
  }
  if (!service.zones.includes(zoneId)) {
    throw new CloudError(
      'InvalidZone.NotSupported',
      `\`ZoneId\` must be a zone of the service (${service.zones.join(', ')}), got: "${zoneId}"`,
    );
  }
  return { subnet, zoneId };
}

/** A free address of a subnet: the given one, or the lowest where it is ''. @throws CloudError */
export function addressIn(subnet: JsonObject, given: string, cloud: CloudScope): string {
  const block = readBlock(readText(subnet, 'CidrBlock'));
  const taken = new Set(heldIn(subnet, cloud).map(({ address }) => address));
  if (given === '') {
    const free = freeAddress(block, taken);
    if (free !== undefined) return free;
    throw new CloudError('InsufficientIpAddresses', `${block.text} has no free address`);
  }
  if (!isUsable(block, readAddress(given)) || taken.has(given)) {
    throw new CloudError(
      'InvalidPrivateIpAddress',
      `\`PrivateIpAddress\` must be a free address of ${block.text}, got: "${given}"`,
    );
  }
  return given;
}

function readAddress(text: string) {
  try {
    return parseAddress(text);
  } catch (error) {
    throw new CloudError('InvalidPrivateIpAddress', `"${text}" ${(error as Error).message}`);
  }
}
