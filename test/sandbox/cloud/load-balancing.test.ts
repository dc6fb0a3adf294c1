import { describe, expect, test } from 'vitest';
import {
  ACL,
  BALANCER,
  buildBalancer,
  buildNetwork,
  buildService,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  failureOf,
  LISTENER,
  SERVERS,
  SUBNET,
  VPC,
} from '../support.js';

describe('a load balancer', () => {
  test('takes an address of its subnet and lists what is on it', () => {
    const cloud = emptyCloud();
    const { vpc, balancer, listener, servers } = buildBalancer(cloud);
    expect(cloud.get(BALANCER, balancer)).toMatchObject({
      Type: 'private',
      VpcId: vpc,
      Status: 'Active',
      LoadBalancerBillingType: 2,
      Eni: { EniAddress: '10.20.1.1' },
      EipAddress: '',
      Listeners: [{ ListenerId: listener }],
      ServerGroups: [{ ServerGroupId: servers }],
    });
  });

  test('shares the subnet with endpoints', () => {
    const cloud = emptyCloud();
    const network = buildBalancer(cloud);
    const endpoint = cloud.create(ENDPOINT, endpointInput(network));
    expect(cloud.get(ENDPOINT, endpoint).Zones).toMatchObject([{ PrivateIpAddress: '10.20.1.2' }]);
    expect(cloud.get(SUBNET, network.subnet).AvailableIpAddressCount).toBe(250);
  });

  test.each([
    ['no subnet', { SubnetId: '' }, '`SubnetId` is required'],
    ['an unknown type', { Type: 'open' }, '`Type` must be one of public, private'],
    ['an unknown subnet', { SubnetId: 'subnet-gone' }, 'got: "subnet-gone"'],
    ['an unknown zone', { MasterZoneId: 'cn-beijing-z' }, '`MasterZoneId` must be one of'],
    ['an unknown billing', { LoadBalancerBillingType: 4 }, 'must be one of 1, 2, 3'],
    ['a billing as text', { LoadBalancerBillingType: '2' }, 'must be an integer'],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const { subnet } = buildNetwork(cloud);
    const input = { Type: 'private', SubnetId: subnet, ...facts };
    expect(() => cloud.create(BALANCER, input)).toThrow(message);
  });

  test('is refused with a subnet of another VPC than its own', () => {
    const cloud = emptyCloud();
    const { subnet } = buildNetwork(cloud);
    const other = cloud.create(VPC, {});
    const input = { Type: 'private', SubnetId: subnet, VpcId: other };
    expect(() => cloud.create(BALANCER, input)).toThrow('must be a subnet of `VpcId`');
  });

  test('holds its subnet and its VPC, and is held by what is on it', () => {
    const cloud = emptyCloud();
    const { vpc, subnet, balancer } = buildBalancer(cloud);
    for (const [typeName, id] of [
      [SUBNET, subnet],
      [VPC, vpc],
      [BALANCER, balancer],
    ] as const) {
      expect(failureOf(cloud, cloud.startDelete(typeName, id, ''))).toBe('DependencyViolation');
    }
  });

  test('is held by an endpoint service', () => {
    const cloud = emptyCloud();
    const { subnet } = buildNetwork(cloud);
    const balancer = cloud.create(BALANCER, { Type: 'private', SubnetId: subnet });
    buildService(cloud, balancer);
    expect(failureOf(cloud, cloud.startDelete(BALANCER, balancer, ''))).toBe('DependencyViolation');
  });

  test('is not deleted while it is protected', () => {
    const cloud = emptyCloud();
    const { subnet } = buildNetwork(cloud);
    const input = { Type: 'private', SubnetId: subnet };
    const facts = { ModificationProtectionStatus: 'ConsoleProtection' };
    const id = cloud.create(BALANCER, { ...input, ...facts });
    expect(failureOf(cloud, cloud.startDelete(BALANCER, id, ''))).toBe(
      'OperationDenied.ModificationProtection',
    );
  });

  test('public, has a public address', () => {
    const cloud = emptyCloud();
    const { subnet } = buildNetwork(cloud);
    const id = cloud.create(BALANCER, { Type: 'public', SubnetId: subnet });
    expect(cloud.get(BALANCER, id).EipAddress).toBe('203.0.113.20');
  });
});

describe('a server group', () => {
  const server = { InstanceId: '10.20.1.10', Ip: '10.20.1.10', Type: 'ip', Port: 8080 };

  test('gives a server without a weight no traffic, as the cloud does', () => {
    const cloud = emptyCloud();
    const { balancer } = buildBalancer(cloud);
    const input = { LoadBalancerId: balancer, Type: 'ip', Servers: [server] };
    const id = cloud.create(SERVERS, input);
    expect(cloud.get(SERVERS, id).Servers).toMatchObject([{ ...server, Weight: 0 }]);
  });

  test('keeps the id of a server that stays', () => {
    const cloud = emptyCloud();
    const { servers } = buildBalancer(cloud);
    const before = cloud.get(SERVERS, servers).Servers as { ServerId: string }[];
    const value = { InstanceId: '10.20.1.11', Ip: '10.20.1.11', Type: 'ip', Port: 8080 };
    const patch = [{ op: 'add', path: '/Servers/-', value }];
    cloud.startUpdate(SERVERS, servers, patch, '');
    const after = cloud.get(SERVERS, servers).Servers as { ServerId: string }[];
    expect(after).toHaveLength(2);
    expect(after[0]?.ServerId).toBe(before[0]?.ServerId);
  });

  test.each([
    ['an instance in a group of addresses', [{ ...server, Type: 'ecs' }], 'must be ip, got: "ecs"'],
    ['no address', [{ ...server, Ip: 'web-1' }], '`Ip` is not an IPv4 or IPv6 address'],
    ['a leading zero', [{ ...server, Ip: '10.020.1.10' }], 'leading zero'],
    ['no port', [{ InstanceId: 'a', Ip: '10.20.1.10', Type: 'ip' }], '`Port` must be 1 to 65535'],
    ['a weight out of range', [{ ...server, Weight: 101 }], 'must be 0 to 100'],
    ['one server twice', [server, { ...server, Weight: 1 }], 'each ip and port once'],
    ['a server without its ip', [{ InstanceId: 'a', Type: 'ip' }], '`Servers/0/Ip` is required'],
  ])('is refused with %s', (_, servers, message) => {
    const cloud = emptyCloud();
    const { balancer } = buildBalancer(cloud);
    const input = { LoadBalancerId: balancer, Type: 'ip', Servers: servers };
    expect(() => cloud.create(SERVERS, input)).toThrow(message);
  });

  test('stays while a listener uses it', () => {
    const cloud = emptyCloud();
    const { servers, listener } = buildBalancer(cloud);
    expect(failureOf(cloud, cloud.startDelete(SERVERS, servers, ''))).toBe('DependencyViolation');
    cloud.startDelete(LISTENER, listener, '');
    expect(failureOf(cloud, cloud.startDelete(SERVERS, servers, ''))).toBeUndefined();
  });
});

describe('a listener', () => {
  test('is filled in, its health check too', () => {
    const cloud = emptyCloud();
    const { listener } = buildBalancer(cloud, { HealthCheck: { Interval: 5 } });
    expect(cloud.get(LISTENER, listener)).toMatchObject({
      Status: 'Active',
      Scheduler: 'wrr',
      Bandwidth: -1,
      HealthCheck: { Enabled: 'on', Interval: 5, Timeout: 2, Uri: '/' },
    });
  });

  test.each([
    ['a port that is taken', {}, '`Port` is taken by another listener'],
    ['an unknown protocol', { Protocol: 'SCTP' }, 'must be one of TCP, UDP, HTTP, HTTPS'],
    ['a port as text', { Port: '81' }, '`Port` must be an integer'],
    [
      'HTTPS without a certificate',
      { Port: 443, Protocol: 'HTTPS' },
      '`CertificateId` is required',
    ],
    [
      'an ACL without its kind',
      { Port: 81, AclType: 'grey' },
      '`AclType` must be one of white, black',
    ],
    ['an ACL that is on and empty', { Port: 81, AclIds: [] }, '`AclIds` is required'],
    ['an ACL that is not there', { Port: 81, AclIds: ['acl-gone'] }, 'got: "acl-gone"'],
    ['a group that is not there', { Port: 81, ServerGroupId: 'rsp-gone' }, 'got: "rsp-gone"'],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const { balancer, servers, acl } = buildBalancer(cloud);
    const input = {
      LoadBalancerId: balancer,
      Port: 80,
      Protocol: 'TCP',
      ServerGroupId: servers,
      AclStatus: 'on',
      AclType: 'white',
      AclIds: [acl],
    };
    expect(() => cloud.create(LISTENER, { ...input, ...facts })).toThrow(message);
  });

  test('is refused with an ACL that is on and of no kind', () => {
    const cloud = emptyCloud();
    const { balancer, servers, acl } = buildBalancer(cloud);
    const place = { LoadBalancerId: balancer, ServerGroupId: servers, Protocol: 'TCP', Port: 81 };
    expect(() => cloud.create(LISTENER, { ...place, AclStatus: 'on', AclIds: [acl] })).toThrow(
      '`AclType` must be white or black while `AclStatus` is on, got: null',
    );
  });

  test("is refused with another load balancer's server group", () => {
    const cloud = emptyCloud();
    const one = buildBalancer(cloud);
    const two = buildBalancer(cloud);
    const input = { LoadBalancerId: one.balancer, Port: 81, Protocol: 'TCP' };
    expect(() => cloud.create(LISTENER, { ...input, ServerGroupId: two.servers })).toThrow(
      `must be a group of ${one.balancer}`,
    );
  });

  test('for UDP may share a port with one for TCP', () => {
    const cloud = emptyCloud();
    const { balancer, servers } = buildBalancer(cloud);
    const input = { LoadBalancerId: balancer, Port: 80, Protocol: 'UDP', ServerGroupId: servers };
    expect(cloud.create(LISTENER, input)).toMatch(/^lsn-/);
  });
});

describe('a listener ACL', () => {
  test('counts its entries, knows its listeners and stays while they use it', () => {
    const cloud = emptyCloud();
    const { acl, listener } = buildBalancer(cloud);
    expect(cloud.get(ACL, acl)).toMatchObject({
      AclEntryCount: 1,
      Listeners: [{ ListenerId: listener, AclType: 'white', Port: 80, Protocol: 'HTTP' }],
    });
    expect(failureOf(cloud, cloud.startDelete(ACL, acl, ''))).toBe('DependencyViolation');
    cloud.startDelete(LISTENER, listener, '');
    expect(failureOf(cloud, cloud.startDelete(ACL, acl, ''))).toBeUndefined();
  });

  test.each([
    ['host bits', [{ Entry: '100.64.0.1/10' }], 'has host bits set'],
    ['an address without a mask', [{ Entry: '100.64.0.1' }], 'has no mask'],
    [
      'one network twice',
      [
        { Entry: '10.0.0.0/8', Description: 'a' },
        { Entry: '10.0.0.0/8', Description: 'b' },
      ],
      'once',
    ],
  ])('is refused with %s', (_, entries, message) => {
    expect(() => emptyCloud().create(ACL, { AclEntries: entries })).toThrow(message);
  });
});

test('servers and ACL entries have an empty description where none is given', () => {
  const cloud = emptyCloud();
  const { servers, acl } = buildBalancer(cloud);
  expect(cloud.get(SERVERS, servers).Servers).toMatchObject([{ Description: '' }]);
  expect(cloud.get(ACL, acl).AclEntries).toMatchObject([{ Description: '' }]);
});
