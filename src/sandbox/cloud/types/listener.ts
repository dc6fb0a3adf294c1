import { clbAcl, clbClb, clbListener, clbServerGroup } from '../../../cloud/table/clb.js';
import { isObject, type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, invalid, missing } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { readBlock } from './vpc.js';

export const listener: CloudType = {
  row: clbListener,
  times: ['CreatedTime', 'UpdatedTime'],
  references: { LoadBalancerId: clbClb, ServerGroupId: clbServerGroup, AclIds: clbAcl },
  newId: (cloud) => cloud.newId('lsn'),

  make(input, { id }, cloud) {
    checkPlace(input, id, cloud);
    checkAcl(input);
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
    .users(clbClb, balancerId, clbListener)
    .filter((other) => other.id !== id)
    .some(
      ({ properties: { Port, Protocol } }) => Port === input.Port && (Protocol === 'UDP') === isUdp,
    );
  if (taken) {
    throw new CloudError(
      'InvalidPort.Conflict',
      `\`Port\` is taken by another listener of ${balancerId}, got: ${String(input.Port)}`,
    );
  }
}

function checkAcl(input: JsonObject): void {
  if (input.AclStatus !== 'on') return;
  if (readTexts(input, 'AclIds').length === 0) throw missing('AclIds');
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

  read(acl, cloud) {
    const listeners = cloud.users(clbAcl, readText(acl, 'AclId'), clbListener);
    return {
      Listeners: listeners.map(({ id, properties }) => ({
        AclType: readText(properties, 'AclType'),
        ListenerId: id,
        ListenerName: readText(properties, 'ListenerName'),
        Port: Number(properties.Port),
        Protocol: readText(properties, 'Protocol'),
      })),
    };
  },
};
