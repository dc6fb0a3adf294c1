import { clbClb, clbListener, clbServerGroup } from '../../../cloud/table/index.js';
import { parseAddress } from '../../../net/address.js';
import { type JsonObject, objectsOf, textOf } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced, users } from '../cloud-type.js';

export const serverGroup: CloudType = {
  row: clbServerGroup,

  readOnlyMembers: { Servers: ['AnyPortEnabled', 'ServerId'] },

  make(input, prior, cloud) {
    referenced(cloud, clbClb, 'LoadBalancerId', textOf(input, 'LoadBalancerId'));
    const id = prior ? textOf(prior, 'ServerGroupId') : cloud.newId('rsp');
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
    return { ...made, Servers: serversOf(made, prior, cloud) };
  },

  checkDelete(properties, cloud) {
    const id = textOf(properties, 'ServerGroupId');
    const listeners = listenersOf(id, cloud);
    if (listeners.length > 0) throw dependencyViolation(id, listeners);
  },

  read(properties, cloud) {
    const listeners = listenersOf(textOf(properties, 'ServerGroupId'), cloud);
    return { Listeners: listeners.map((id) => ({ ListenerId: id })) };
  },
};

function listenersOf(groupId: string, cloud: CloudScope): string[] {
  return users(cloud, clbListener, 'ListenerId', ({ ServerGroupId }) => ServerGroupId === groupId);
}

function serversOf(
  group: JsonObject,
  prior: JsonObject | undefined,
  cloud: CloudScope,
): JsonObject[] {
  const before = prior ? objectsOf(prior, 'Servers') : [];
  const servers = objectsOf(group, 'Servers').map((server) => {
    checkServer(server, group);
    const same = before.find((other) => keyOf(other) === keyOf(server));
    return {
      Description: '',
      // The cloud's own default: a server that is given no weight gets no traffic.
      Weight: 0,
      ...server,
      AnyPortEnabled: textOf(group, 'AnyPortEnabled'),
      ServerId: same ? textOf(same, 'ServerId') : cloud.newId('rs'),
    };
  });
  if (new Set(servers.map(keyOf)).size < servers.length) {
    throw new CloudError('InvalidServers.Duplicate', '`Servers` must name each ip and port once');
  }
  return servers;
}

function keyOf(server: JsonObject): string {
  return `${textOf(server, 'Ip')} ${Number(server.Port ?? 0)}`;
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
    parseAddress(textOf(server, 'Ip'));
  } catch (error) {
    throw new CloudError(
      'InvalidServerIp',
      `\`Ip\` ${(error as Error).message}, got: "${textOf(server, 'Ip')}"`,
    );
  }
  if (AnyPortEnabled === 'off' && !(Number(server.Port) >= 1)) {
    throw new CloudError('MissingProperty', '`Port` must be 1 to 65535 unless any port is enabled');
  }
}
