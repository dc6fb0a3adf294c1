import { clbClb } from '../../../cloud/table/clb.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../../cloud/table/privatelink.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { dependencyViolation, invalid, missing } from '../cloud-error.js';
import { type CloudScope, type CloudType, makeIdentifier, referenced } from '../cloud-type.js';

const ANY_ACCOUNT = '*';

export const endpointService: CloudType = {
  row: privatelinkEndpointService,
  times: ['CreateTime', 'UpdateTime'],
  references: { 'Resources/ResourceId': clbClb },
  newId: (cloud) => cloud.newId('epsvc'),

  make(input, { id }, cloud) {
    checkAccounts(input);
    const isNamed = readText(input, 'PrivateDNSName') !== '';
    if (input.PrivateDNSEnabled === true && !isNamed) throw missing('PrivateDNSName');
    const made: JsonObject = {
      AutoAcceptEnabled: false,
      IpAddressVersions: ['ipv4'],
      Payer: 'Endpoint',
      PrivateDNSEnabled: false,
      PrivateDNSName: '',
      ServiceResourceType: 'CLB',
      ServiceType: 'Interface',
      WildcardDomainEnabled: false,
      ...input,
      BillingType: 2,
      BusinessStatus: 'Normal',
      ServiceDomain: `${id}.${cloud.place.region}.privatelink.volces.com`,
      ServiceName: `com.volces.privatelink.${cloud.place.region}.${id}`,
      Status: 'Available',
    };
    // The cloud does not answer an empty list of accounts.
    if (readTexts(made, 'PermitAccountIds').length === 0) delete made.PermitAccountIds;
    return { ...made, ...readResources(made, cloud), ...dnsConfiguration(id, made) };
  },

  checkDelete(service, cloud) {
    const connected = findConnections(service, cloud)
      .filter(({ ConnectionStatus }) => ConnectionStatus === 'Connected')
      .map((connection) => readText(connection, 'EndpointId'));
    if (connected.length > 0) throw dependencyViolation(readText(service, 'ServiceId'), connected);
  },

  takesAlong(service, cloud) {
    return findConnections(service, cloud).map((connection) => ({
      typeName: privatelinkVpcEndpointConnection.cloudType,
      identifier: makeIdentifier(privatelinkVpcEndpointConnection, connection),
    }));
  },
};

export function permits(service: JsonObject, accountId: string): boolean {
  const accounts = readTexts(service, 'PermitAccountIds');
  return accounts.includes(accountId) || accounts.includes(ANY_ACCOUNT);
}

function findConnections({ ServiceId: id }: JsonObject, cloud: CloudScope): JsonObject[] {
  return cloud.all(privatelinkVpcEndpointConnection).filter(({ ServiceId }) => ServiceId === id);
}

function readResources(service: JsonObject, cloud: CloudScope): JsonObject {
  if (service.ServiceResourceType !== 'CLB') {
    const got = readText(service, 'ServiceResourceType');
    const code = 'UnsupportedServiceResourceType';
    throw invalid('ServiceResourceType', 'must be CLB in the sandbox', got, code);
  }
  const resources = readObjects(service, 'Resources');
  const zones = resources
    .map((each) => referenced(cloud, clbClb, 'ResourceId', readText(each, 'ResourceId')))
    .flatMap(({ MasterZoneId, SlaveZoneId }) => [String(MasterZoneId), String(SlaveZoneId)]);
  return {
    Resources: resources.map((each) => ({ ZoneIds: [], ...each, ResourceType: 'CLB' })),
    ZoneIds: [...new Set(zones)].sort(),
  };
}

function checkAccounts(input: JsonObject): void {
  for (const account of readTexts(input, 'PermitAccountIds')) {
    if (account !== ANY_ACCOUNT && !/^\d{1,20}$/.test(account)) {
      throw invalid('PermitAccountIds', 'must be account ids or "*"', account);
    }
  }
}

function dnsConfiguration(id: string, service: JsonObject): JsonObject {
  if (service.PrivateDNSEnabled !== true) return {};
  return {
    PrivateDNSType: 'public',
    PrivateDNSNameConfiguration: {
      Name: `_${id}`,
      Status: 'PendingVerification',
      Type: 'TXT',
      Value: `volcvpce:${id}`,
    },
  };
}
