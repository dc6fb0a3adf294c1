import { clbAcl, clbClb, clbListener, clbServerGroup } from '../../../cloud/table/clb.js';
import { isObject, type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, invalid, missing } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { readBlock } from './vpc.js';

export const listener: CloudType = {
  row: clbListener,
  times: ['CreatedTime', 'UpdatedTime'],
  newId: (cloud) => cloud.newId('lsn'),

  make(input, { id }, cloud) {
    checkPlace(input, id, cloud);
    checkAcl(input, cloud);
    if (input.Protocol === 'HTTPS' && !input.CertificateId && !input.CertCenterCertificateId) {
      throw new CloudError('MissingProperty', '`CertificateId` is required for HTTPS');
    }
    return {
      ConnectionDrainEnabled: 'off',
      ConnectionDrainTimeout: 0,
      ListenerName: id,
      ProxyProtocolType: 'off',
      ...input,
      HealthCheck: makeHealthCheck(input),
      RuleIds: [],
      Status: input.Enabled === 'off' ? 'Disabled' : 'Active',
      WafProtectionEnabled: 'off',
    };
  },
};

function makeHealthCheck(input: JsonObject): JsonObject {
  const isHttp = input.Protocol === 'HTTP' || input.Protocol === 'HTTPS';
  return {
    Enabled: 'on',
    HealthyThreshold: 3,
    Interval: 2,
    Port: 0,
    Timeout: 2,
    UnhealthyThreshold: 3,
    ...(isHttp && { Domain: '', HttpCode: 'http_2xx,http_3xx', Method: 'HEAD', Uri: '/' }),
    ...(isObject(input.HealthCheck) && input.HealthCheck),
  };
}

function checkPlace(input: JsonObject, id: string, cloud: CloudScope): void {
  const balancerId = readText(input, 'LoadBalancerId');
  const groupId = readText(input, 'ServerGroupId');
  referenced(cloud, clbClb, 'LoadBalancerId', balancerId);
  const group = referenced(cloud, clbServerGroup, 'ServerGroupId', groupId);
  if (group.LoadBalancerId !== balancerId) {
    const code = 'InvalidServerGroup.LoadBalancerMismatch';
    throw invalid('ServerGroupId', `must be a group of ${balancerId}`, groupId, code);
  }
  const isUdp = input.Protocol === 'UDP';
  const taken = cloud
    .all(clbListener)
    .filter((other) => other.ListenerId !== id && other.LoadBalancerId === balancerId)
    .some((other) => other.Port === input.Port && (other.Protocol === 'UDP') === isUdp);
  if (taken) {
    throw new CloudError(
      'InvalidPort.Conflict',
      `\`Port\` is taken by another listener of ${balancerId}, got: ${String(input.Port)}`,
    );
  }
}

function checkAcl(input: JsonObject, cloud: CloudScope): void {
  const ids = readTexts(input, 'AclIds');
  for (const id of ids) referenced(cloud, clbAcl, 'AclIds', id);
  if (input.AclStatus !== 'on') return;
  if (ids.length === 0) throw missing('AclIds');
  if (input.AclType !== 'white' && input.AclType !== 'black') {
    throw new CloudError(
      'InvalidAclType',
      `\`AclType\` must be white or black while \`AclStatus\` is on, got: ${JSON.stringify(input.AclType ?? null)}`,
    );
  }
}

export const listenerAcl: CloudType = {
  row: clbAcl,
  times: ['CreateTime', 'UpdateTime'],
  newId: (cloud) => cloud.newId('acl'),

  make(input, { id }) {
    const entries = readObjects(input, 'AclEntries').map((entry) => ({
      Description: '',
      ...entry,
    }));
    const networks = entries.map((entry) => readBlock(readText(entry, 'Entry')).text);
    if (new Set(networks).size < networks.length) {
      throw new CloudError('InvalidAclEntry.Duplicate', '`AclEntries` must name each network once');
    }
    return {
      AclName: id,
      ...input,
      AclEntries: entries,
      AclEntryCount: entries.length,
      ServiceManaged: false,
      Status: 'Active',
    };
  },

  findUsers(acl, cloud) {
    return listenersWith(acl, cloud).map((each) => readText(each, 'ListenerId'));
  },

  read(acl, cloud) {
    return {
      Listeners: listenersWith(acl, cloud).map((each) => ({
        AclType: readText(each, 'AclType'),
        ListenerId: readText(each, 'ListenerId'),
        ListenerName: readText(each, 'ListenerName'),
        Port: Number(each.Port),
        Protocol: readText(each, 'Protocol'),
      })),
    };
  },
};

function listenersWith(acl: JsonObject, cloud: CloudScope): JsonObject[] {
  const id = readText(acl, 'AclId');
  return cloud.all(clbListener).filter((listener) => readTexts(listener, 'AclIds').includes(id));
}
