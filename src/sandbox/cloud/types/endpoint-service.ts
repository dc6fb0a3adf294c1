import {
  clbClb,
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../../cloud/table/index.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';

const ANY_ACCOUNT = '*';

export const endpointService: CloudType = {
  row: privatelinkEndpointService,

  readOnlyMembers: { Resources: ['ResourceType'] },

  make(input, prior, cloud) {
    checkAccounts(input);
    checkPrivateDns(input);
    const id = prior ? readText(prior, 'ServiceId') : cloud.newId('epsvc');
    const made: JsonObject = {
      AutoAcceptEnabled: false,
      Description: '',
      IpAddressVersions: ['ipv4'],
      Payer: 'Endpoint',
      PrivateDNSEnabled: false,
      PrivateDNSName: '',
      ProjectName: 'default',
      ServiceResourceType: 'CLB',
      ServiceType: 'Interface',
      Tags: [],
      WildcardDomainEnabled: false,
      ...input,
      BillingType: 2,
      BusinessStatus: 'Normal',
      CreateTime: prior?.CreateTime ?? cloud.now(),
      ServiceDomain: `${id}.${cloud.place.region}.privatelink.volces.com`,
      ServiceId: id,
      ServiceName: `com.volces.privatelink.${cloud.place.region}.${id}`,
      Status: 'Available',
      UpdateTime: cloud.now(),
    };
    // The cloud does not answer an empty list of accounts.
    if (readTexts(made, 'PermitAccountIds').length === 0) delete made.PermitAccountIds;
    return { ...made, ...readResources(made, cloud), ...dnsConfiguration(made) };
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'ServiceId');
    const connected = findConnections(id, cloud)
      .filter(({ ConnectionStatus }) => ConnectionStatus === 'Connected')
      .map((connection) => readText(connection, 'EndpointId'));
    if (connected.length > 0) throw dependencyViolation(id, connected);
  },

  takesAlong(properties, cloud) {
    const id = readText(properties, 'ServiceId');
    return findConnections(id, cloud).map((connection) => ({
      typeName: privatelinkVpcEndpointConnection.cloudType,
      identifier: `${id}|${readText(connection, 'EndpointId')}`,
    }));
  },
};

/** Whether an account may connect its endpoints. */
export function permits(service: JsonObject, accountId: string): boolean {
  const accounts = readTexts(service, 'PermitAccountIds');
  return accounts.includes(accountId) || accounts.includes(ANY_ACCOUNT);
}

function findConnections(serviceId: string, cloud: CloudScope): JsonObject[] {
  return cloud
    .all(privatelinkVpcEndpointConnection.cloudType)
    .filter(({ ServiceId }) => ServiceId === serviceId);
}

function readResources(service: JsonObject, cloud: CloudScope): JsonObject {
  if (service.ServiceResourceType !== 'CLB') {
    throw new CloudError(
      'UnsupportedServiceResourceType',
      `\`ServiceResourceType\` must be CLB in the sandbox, got: "${readText(service, 'ServiceResourceType')}"`,
    );
  }
  const resources = readObjects(service, 'Resources').map((resource) => {
    referenced(cloud, clbClb, 'ResourceId', readText(resource, 'ResourceId'));
    return { ZoneIds: [], ...resource, ResourceType: 'CLB' };
  });
  const zones = readObjects(service, 'Resources')
    .map((resource) => cloud.find(clbClb.cloudType, readText(resource, 'ResourceId')))
    .flatMap((balancer) => (balancer ? [balancer.MasterZoneId, balancer.SlaveZoneId] : []));
  return { Resources: resources, ZoneIds: [...new Set(zones.map(String))].sort() };
}

function checkAccounts(input: JsonObject): void {
  for (const account of readTexts(input, 'PermitAccountIds')) {
    if (account !== ANY_ACCOUNT && !/^\d{1,20}$/.test(account)) {
      throw new CloudError(
        'InvalidPermitAccountIds',
        `\`PermitAccountIds\` must be account ids or "*", got: "${account}"`,
      );
    }
  }
}

function checkPrivateDns(input: JsonObject): void {
  if (input.PrivateDNSEnabled === true && !readText(input, 'PrivateDNSName')) {
    throw new CloudError('MissingProperty', '`PrivateDNSName` is required');
  }
}

function dnsConfiguration(service: JsonObject): JsonObject {
  if (service.PrivateDNSEnabled !== true) return {};
  return {
    PrivateDNSType: 'public',
    PrivateDNSNameConfiguration: {
      Name: `_${readText(service, 'ServiceId')}`,
      Status: 'PendingVerification',
      Type: 'TXT',
      Value: `volcvpce:${readText(service, 'ServiceId')}`,
    },
  };
}
