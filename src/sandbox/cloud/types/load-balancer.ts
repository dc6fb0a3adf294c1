import { clbClb, clbListener, clbServerGroup } from '../../../cloud/table/clb.js';
import type { ResourceRow } from '../../../cloud/table/row.js';
import { vpcSubnet, vpcVpc } from '../../../cloud/table/vpc.js';
import { parseAddress } from '../../../net/address.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { ACCOUNT_ID } from '../../surroundings.js';
import { CloudError, invalid, missing, parseOr } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { addressIn } from './vpc.js';

/** An address of TEST-NET-3, for a public load balancer must have one. */
const PUBLIC_ADDRESS = '203.0.113.20';

export const loadBalancer: CloudType = {
  row: clbClb,
  times: ['CreateTime', 'UpdateTime'],
  references: { SubnetId: vpcSubnet, VpcId: vpcVpc },
  newId: (cloud) => cloud.newId('clb'),

  make(input, { id, prior }, cloud) {
    const subnet = findSubnet(input, cloud);
    const zone = readText(subnet, 'ZoneId');
    return {
      AddressIpVersion: 'ipv4',
      BypassSecurityGroupEnabled: 'off',
      LoadBalancerBillingType: 2,
      LoadBalancerName: id,
      LoadBalancerSpec: 'small_1',
      MasterZoneId: zone,
      ModificationProtectionReason: '',
      ModificationProtectionStatus: 'NonProtection',
      SlaveZoneId: cloud.place.zones.find((other) => other !== zone) ?? zone,
      ...input,
      AccountId: ACCOUNT_ID,
      BusinessStatus: 'Normal',
      DeletedTime: '',
      EipAddress: input.Type === 'public' ? PUBLIC_ADDRESS : '',
      EipID: input.Type === 'public' ? `eip-${id}` : '',
      Enabled: true,
      Eni: prior?.Eni ?? {
        EniAddress: addressIn(subnet, '', cloud),
        EniID: cloud.newId('eni'),
      },
      EniIpv6Address: '',
      ExpiredTime: '',
      LockReason: '',
      OverdueTime: '',
      ServiceManaged: false,
      Status: 'Active',
      TimestampRemoveEnabled: 'off',
      VpcId: readText(subnet, 'VpcId'),
    };
  },

  checkDelete({ LoadBalancerId, ModificationProtectionStatus }) {
    if (ModificationProtectionStatus === 'ConsoleProtection') {
      const reason = `${String(LoadBalancerId)} is protected`;
      throw new CloudError('OperationDenied.ModificationProtection', reason);
    }
  },

  read(balancer, cloud) {
    const on = (row: ResourceRow) => cloud.users(clbClb, readText(balancer, 'LoadBalancerId'), row);
    return {
      Listeners: on(clbListener).map(({ id, properties }) => ({
        ListenerId: id,
        ListenerName: readText(properties, 'ListenerName'),
      })),
      ServerGroups: on(clbServerGroup).map(({ id, properties }) => ({
        ServerGroupId: id,
        ServerGroupName: readText(properties, 'ServerGroupName'),
      })),
    };
  },
};

function findSubnet(input: JsonObject, cloud: CloudScope): JsonObject {
  for (const name of ['Type', 'SubnetId']) {
    if (!readText(input, name)) throw missing(name);
  }
  const subnetId = readText(input, 'SubnetId');
  const subnet = referenced(cloud, vpcSubnet, 'SubnetId', subnetId);
  const vpcId = readText(input, 'VpcId');
  if (vpcId !== '' && vpcId !== subnet.VpcId) {
    const rule = 'must be a subnet of `VpcId`';
    throw invalid('SubnetId', rule, subnetId, 'InvalidSubnet.VpcMismatch');
  }
  for (const name of ['MasterZoneId', 'SlaveZoneId']) {
    const zone = readText(input, name);
    if (zone !== '' && !cloud.place.zones.includes(zone)) {
      const rule = `must be one of ${cloud.place.zones.join(', ')}`;
      throw invalid(name, rule, zone, `Invalid${name}.NotFound`);
    }
  }
  return subnet;
}

export const serverGroup: CloudType = {
  row: clbServerGroup,
  times: ['CreateTime', 'UpdateTime'],
  references: { LoadBalancerId: clbClb },
  newId: (cloud) => cloud.newId('rsp'),

  make(input, { id, prior }, cloud) {
    const made = { AnyPortEnabled: 'off', ServerGroupName: id, ...input };
    return { ...made, Servers: makeServers(made, prior, cloud) };
  },

  read(group, cloud) {
    const listeners = cloud.users(clbServerGroup, readText(group, 'ServerGroupId'), clbListener);
    return { Listeners: listeners.map(({ id }) => ({ ListenerId: id })) };
  },
};

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
