import { describe, expect, test } from 'vitest';
import { buildEndpoint, buildNetwork, emptyCloud, GROUP, rule, VPC } from '../support.js';

describe('a security group', () => {
  test('starts open outbound and open to itself where no rules are given', () => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, {});
    const id = cloud.create(GROUP, { VpcId: vpc });
    expect(cloud.get(GROUP, id)).toMatchObject({
      ProjectName: 'default',
      EgressPermissions: [
        { CidrIp: '0.0.0.0/0', Policy: 'accept', Direction: 'egress' },
        { CidrIp: '::/0', Policy: 'accept', Direction: 'egress' },
      ],
      IngressPermissions: [{ SourceGroupId: id, Policy: 'accept', Direction: 'ingress' }],
    });
  });

  test('has the given rules and no others', () => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, {});
    const closed = rule({ Policy: 'drop', Protocol: 'all', PortStart: -1, PortEnd: -1 });
    const id = cloud.create(GROUP, {
      VpcId: vpc,
      EgressPermissions: [closed],
      IngressPermissions: [],
    });
    expect(cloud.get(GROUP, id)).toMatchObject({
      EgressPermissions: [{ ...closed, Direction: 'egress' }],
      IngressPermissions: [],
    });
  });

  test('is patched rule by rule, in the order in which it is read', () => {
    const cloud = emptyCloud();
    const { group } = buildNetwork(cloud, [rule(), rule({ CidrIp: '10.30.0.0/16' })]);
    const patch = [
      { op: 'remove', path: '/IngressPermissions/0' },
      { op: 'replace', path: '/IngressPermissions/0/Policy', value: 'drop' },
    ];
    cloud.startUpdate(GROUP, group, patch, '');
    expect(cloud.get(GROUP, group).IngressPermissions).toEqual([
      rule({
        CidrIp: '10.30.0.0/16',
        PrefixListId: '',
        SourceGroupId: '',
        Policy: 'drop',
        Direction: 'ingress',
      }),
    ]);
  });

  test.each([
    [
      'a priority out of range',
      { Priority: 0 },
      '`IngressPermissions/0/Priority` must be 1 to 100',
    ],
    ['an unknown policy', { Policy: 'allow' }, 'must be one of accept, drop'],
    ['ports in the wrong order', { PortStart: 444 }, 'takes ports'],
    ['ports on a protocol without ports', { Protocol: 'icmp' }, 'takes ports'],
    ['the wrong direction', { Direction: 'egress' }, 'holds ingress rules only'],
    ['no peer', { CidrIp: '' }, 'needs one of'],
    ['a group that is not there', { SourceGroupId: 'sg-gone' }, 'got: "sg-gone"'],
    ['a port as text', { PortStart: '443' }, 'must be an integer'],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, {});
    const input = { VpcId: vpc, IngressPermissions: [rule(facts)] };
    expect(() => cloud.create(GROUP, input)).toThrow(message);
  });

  test('is refused without its VPC', () => {
    expect(() => emptyCloud().create(GROUP, { VpcId: 'vpc-gone' })).toThrow('got: "vpc-gone"');
  });

  test('cannot be deleted while an endpoint or another group uses it', () => {
    const cloud = emptyCloud();
    buildEndpoint(cloud);
    const [used] = cloud.list(GROUP);
    const vpc = String(used?.properties.VpcId);
    const source = cloud.create(GROUP, { VpcId: vpc });
    const peer = rule({ SourceGroupId: source, CidrIp: '' });
    cloud.create(GROUP, { VpcId: vpc, IngressPermissions: [peer] });
    for (const id of [used?.identifier ?? '', source]) {
      const task = cloud.poll(cloud.startDelete(GROUP, id, ''));
      expect(task.error?.code).toBe('DependencyViolation');
    }
  });
});
