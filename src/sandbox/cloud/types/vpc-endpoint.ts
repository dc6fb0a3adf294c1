import { privatelinkVpcEndpoint, vpcSecurityGroup, vpcVpc } from '../../../cloud/table/index.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, danglingReference } from '../cloud-error.js';
import type { CloudScope, CloudType } from '../cloud-type.js';
import { makeZones } from '../endpoint-zones.js';
import type { CatalogueService } from '../region.js';

export const vpcEndpoint: CloudType = {
  row: privatelinkVpcEndpoint,

  readOnlyMembers: {
    Zones: ['Ipv6ServiceStatus', 'NetworkInterfaceId', 'ServiceStatus', 'ZoneDomain', 'ZoneStatus'],
  },

  make(input, prior, cloud) {
    const service = findService(input, cloud);
    checkNetwork(input, cloud);
    checkGroups(input, cloud);
    const id = prior ? readText(prior, 'EndpointId') : cloud.newId('ep');
    return {
      Description: '',
      EndpointName: id,
      IpAddressVersions: ['ipv4'],
      PrivateDNSEnabled: false,
      ProjectName: 'default',
      ServiceManaged: false,
      Tags: [],
      ...input,
      Bps: 0,
      BusinessStatus: 'Normal',
      CreationTime: prior?.CreationTime ?? cloud.now(),
      DeletedTime: '',
      EndpointDomain: `${id}.${service.domainSuffix}`,
      EndpointId: id,
      EndpointIndex: prior?.EndpointIndex ?? 0,
      EndpointType: 'Interface',
      Payer: 'Endpoint',
      PrivateDNSName: '',
      ServiceId: service.serviceId,
      ServiceName: service.serviceName,
      Status: 'Available',
      UpdateTime: cloud.now(),
      Zones: makeZones(id, input, prior, service, cloud),
    };
  },

  checkDelete() {
    // Nothing else in the cloud refers to an endpoint.
  },

  read(properties, cloud) {
    const status = cloud.acceptsConnections ? 'Connected' : 'PendingAcceptance';
    return {
      ConnectionStatus: status,
      Zones: readObjects(properties, 'Zones').map((zone) => ({ ...zone, ZoneStatus: status })),
    };
  },
};

function findService(input: JsonObject, { place }: CloudScope): CatalogueService {
  const id = readText(input, 'ServiceId');
  const name = readText(input, 'ServiceName');
  if (!id) throw new CloudError('MissingProperty', '`ServiceId` is required');
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

function checkNetwork(input: JsonObject, cloud: CloudScope): void {
  const vpcId = readText(input, 'VpcId');
  if (!vpcId) throw new CloudError('MissingProperty', '`VpcId` is required');
  if (!cloud.find(vpcVpc.cloudType, vpcId)) throw danglingReference('VpcId', vpcId);
}

function checkGroups(input: JsonObject, cloud: CloudScope): void {
  const ids = readTexts(input, 'SecurityGroupIds');
  if (ids.length === 0) throw new CloudError('MissingProperty', '`SecurityGroupIds` is required');
  for (const id of ids) {
    const group = cloud.find(vpcSecurityGroup.cloudType, id);
    if (!group) throw danglingReference('SecurityGroupIds', id);
    if (group.VpcId !== input.VpcId) {
      throw new CloudError(
        'InvalidSecurityGroup.VpcMismatch',
        `\`SecurityGroupIds\` must be groups of the endpoint's VPC, got: "${id}"`,
      );
    }
  }
}
