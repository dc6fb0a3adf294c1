import { privatelinkVpcEndpoint } from '../../../cloud/table/privatelink.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../../cloud/table/vpc.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import type { CatalogueService } from '../../surroundings.js';
import { CloudError, danglingReference, invalid, missing } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { describeStatus } from './endpoint-connection.js';
import { addressIn } from './vpc.js';

export const vpcEndpoint: CloudType = {
  row: privatelinkVpcEndpoint,
  times: ['CreationTime', 'UpdateTime'],
  references: {
    VpcId: vpcVpc,
    SecurityGroupIds: vpcSecurityGroup,
    'Zones/SubnetId': vpcSubnet,
  },
  newId: (cloud) => cloud.newId('ep'),

  make(input, { id, prior }, cloud) {
    const service = findService(input, cloud);
    const vpcId = readText(input, 'VpcId');
    if (!vpcId) throw missing('VpcId');
    referenced(cloud, vpcVpc, 'VpcId', vpcId);
    checkGroups(input, cloud);
    return {
      EndpointName: id,
      IpAddressVersions: ['ipv4'],
      PrivateDNSEnabled: false,
      ServiceManaged: false,
      ...input,
      Bps: 0,
      BusinessStatus: 'Normal',
      DeletedTime: '',
      EndpointDomain: `${id}.${service.domainSuffix}`,
      EndpointIndex: prior?.EndpointIndex ?? 0,
      EndpointType: 'Interface',
      Payer: 'Endpoint',
      PrivateDNSName: '',
      ServiceId: service.serviceId,
      ServiceName: service.serviceName,
      Status: 'Available',
      Zones: makeZones(id, input, prior, service, cloud),
    };
  },

  read: (endpoint, { acceptsConnections }) =>
    describeStatus(endpoint, acceptsConnections ? 'Connected' : 'PendingAcceptance'),
};

function findService(input: JsonObject, { place }: CloudScope): CatalogueService {
  const id = readText(input, 'ServiceId');
  const name = readText(input, 'ServiceName');
  if (!id) throw missing('ServiceId');
  const service = place.catalogue.find(({ serviceId }) => serviceId === id);
  if (!service) throw danglingReference('ServiceId', id);
  if (name && name !== service.serviceName) throw danglingReference('ServiceName', name);
  if (input.PrivateDNSEnabled === true) {
    throw new CloudError(
      'InvalidPrivateDNS',
      `\`PrivateDNSEnabled\` must be false: ${service.serviceName} has no private DNS name`,
    );
  }
  return service;
}

function checkGroups(input: JsonObject, cloud: CloudScope): void {
  const ids = readTexts(input, 'SecurityGroupIds');
  if (ids.length === 0) throw missing('SecurityGroupIds');
  for (const id of ids) {
    const group = referenced(cloud, vpcSecurityGroup, 'SecurityGroupIds', id);
    // The VPC of a stand-in in a rehearsal may be unknown.
    if (group.VpcId !== undefined && group.VpcId !== input.VpcId) {
      const rule = "must be groups of the endpoint's VPC";
      throw invalid('SecurityGroupIds', rule, id, 'InvalidSecurityGroup.VpcMismatch');
    }
  }
}

/** The zones of an endpoint, each with a network interface and an address in its subnet. */
function makeZones(
  endpointId: string,
  input: JsonObject,
  prior: JsonObject | undefined,
  service: CatalogueService,
  cloud: CloudScope,
): JsonObject[] {
  const wanted = readObjects(input, 'Zones');
  if (wanted.length === 0) throw missing('Zones');
  const before = readObjects(prior, 'Zones');
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
  const subnet = referenced(cloud, vpcSubnet, 'SubnetId', subnetId);
  if (subnet.VpcId !== input.VpcId) {
    const rule = "must lie in subnets of the endpoint's VPC";
    throw invalid('Zones', rule, subnetId, 'InvalidSubnet.VpcMismatch');
  }
  const zoneId = readText(subnet, 'ZoneId');
  const given = readText(zone, 'ZoneId') || zoneId;
  if (given !== zoneId) {
    const rule = `must be the subnet's zone ${zoneId}`;
    throw invalid('ZoneId', rule, given, 'InvalidZone.SubnetMismatch');
  }
  if (!service.zones.includes(zoneId)) {
    const rule = `must be a zone of the service (${service.zones.join(', ')})`;
    throw invalid('ZoneId', rule, zoneId, 'InvalidZone.NotSupported');
  }
  return { subnet, zoneId };
}
