import { clbClb, clbListener, clbServerGroup } from '../../../cloud/table/index.js';
import { parseAddress } from '../../../net/address.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, invalid, parseOr } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced, users } from '../cloud-type.js';

export const serverGroup: CloudType = {
  row: clbServerGroup,
  readOnlyMembers: { Servers: ['AnyPortEnabled', 'ServerId'] },
  times: ['CreateTime', 'UpdateTime'],
  newId: (cloud) => cloud.newId('rsp'),

  make(input, { id, prior }, cloud) {
    referenced(cloud, clbClb, 'LoadBalancerId', readText(input, 'LoadBalancerId'));
    const made = {
      AddressIpVersion: 'ipv4',
      AnyPortEnabled: 'off',
      Description: '',
      ServerGroupName: id,
      Tags: [],
      Type: 'instance',
      ...input,
    };
    return { ...made, Servers: makeServers(made, prior, cloud) };
  },

  findUsers: findListeners,

  read(group, cloud) {
    return { Listeners: findListeners(group, cloud).map((id) => ({ ListenerId: id })) };
  },
};

function findListeners({ ServerGroupId: id }: JsonObject, cloud: CloudScope): string[] {
  return users(cloud, clbListener, ({ ServerGroupId }) => ServerGroupId === id);
}

function makeServers(
  group: JsonObject,
  prior: JsonObject | undefined,
  cloud: CloudScope,
): JsonObject[] {
  const before = readObjects(prior, 'Servers');
  const servers = readObjects(group, 'Servers').map((server) => {
    checkServer(server, group);
    const same = before.find((other) => serverKey(other) === serverKey(server));
    return {
      Description: '',
      // The cloud's own default: a server that is given no weight gets no traffic.
      Weight: 0,
      ...server,
      AnyPortEnabled: readText(group, 'AnyPortEnabled'),
      ServerId: readText(same, 'ServerId') || cloud.newId('rs'),
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
    const rule = `of a group of type ${String(type)} must be ${type === 'ip' ? 'ip' : 'ecs or eni'}`;
    throw invalid('Servers', rule, String(server.Type), 'InvalidServerType.GroupMismatch');
  }
  const ip = readText(server, 'Ip');
  parseOr(parseAddress, ip, (rule) => invalid('Ip', rule, ip, 'InvalidServerIp'));
  if (AnyPortEnabled === 'off' && !(Number(server.Port) >= 1)) {
    throw new CloudError('MissingProperty', '`Port` must be 1 to 65535 unless any port is enabled');
  }
}
