import { clbClb, clbListener, clbServerGroup } from '../../../cloud/table/index.js';
import { parseAddress } from '../../../net/address.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced, users } from '../cloud-type.js';

export const serverGroup: CloudType = {
  row: clbServerGroup,

  readOnlyMembers: { Servers: ['AnyPortEnabled', 'ServerId'] },

  make(input, prior, cloud) {
    referenced(cloud, clbClb, 'LoadBalancerId', readText(input, 'LoadBalancerId'));
    const id = prior ? readText(prior, 'ServerGroupId') : cloud.newId('rsp');
    const made = {
      AddressIpVersion: 'ipv4',
      AnyPortEnabled: 'off',
      Description: '',
      ServerGroupName: id,
      Tags: [],
      Type: 'instance',
      ...input,
      CreateTime: prior?.CreateTime ?? cloud.now(),
      ServerGroupId: id,
      UpdateTime: cloud.now(),
    };
    return { ...made, Servers: makeServers(made, prior, cloud) };
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'ServerGroupId');
    const listeners = findListeners(id, cloud);
    if (listeners.length > 0) throw dependencyViolation(id, listeners);
  },

  read(properties, cloud) {
    const listeners = findListeners(readText(properties, 'ServerGroupId'), cloud);
    return { Listeners: listeners.map((id) => ({ ListenerId: id })) };
  },
};

function findListeners(groupId: string, cloud: CloudScope): string[] {
  return users(cloud, clbListener, 'ListenerId', ({ ServerGroupId }) => ServerGroupId === groupId);
}

function makeServers(
  group: JsonObject,
  prior: JsonObject | undefined,
  cloud: CloudScope,
): JsonObject[] {
  const before = prior ? readObjects(prior, 'Servers') : [];
  const servers = readObjects(group, 'Servers').map((server) => {
    checkServer(server, group);
    const same = before.find((other) => serverKey(other) === serverKey(server));
    return {
      Description: '',
      // The cloud's own default: a server that is given no weight gets no traffic.
      Weight: 0,
      ...server,
      AnyPortEnabled: readText(group, 'AnyPortEnabled'),
      ServerId: same ? readText(same, 'ServerId') : cloud.newId('rs'),
    };
  });
  if (new Set(servers.map(serverKey)).size < servers.length) {
    throw new CloudError('InvalidServers.Duplicate', '`Servers` must name each ip and port once');
  }
  return servers;
}

function serverKey(server: JsonObject): string {
  return `${readText(server, 'Ip')} ${Number(server.Port ?? 0)}`;
}

function checkServer(server: JsonObject, { Type: type, AnyPortEnabled }: JsonObject): void {
  const isIp = server.Type === 'ip';
  if (isIp !== (type === 'ip')) {
    throw new CloudError(
      'InvalidServerType.GroupMismatch',
      `\`Servers\` of a group of type ${String(type)} must be ${type === 'ip' ? 'ip' : 'ecs or eni'}, got: "${String(server.Type)}"`,
    );
  }
  try {
    parseAddress(readText(server, 'Ip'));
  } catch (error) {
    throw new CloudError(
      'InvalidServerIp',
      `\`Ip\` ${(error as Error).message}, got: "${readText(server, 'Ip')}"`,
    );
  }
  if (AnyPortEnabled === 'off' && !(Number(server.Port) >= 1)) {
    throw new CloudError('MissingProperty', '`Port` must be 1 to 65535 unless any port is enabled');
  }
}
