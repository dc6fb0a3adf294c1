import { describe, expect, test } from 'vitest';
import {
  buildEndpoint,
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  GROUP,
  SUBNET,
  subnetInput,
  VPC,
} from '../support.js';

describe('a VPC', () => {
  test('is filled in by the cloud', () => {
    const cloud = emptyCloud();
    const id = cloud.create(VPC, { CidrBlock: '10.20.0.0/16', EnableIpv6: false });
    expect(id).toMatch(/^vpc-[0-9a-f]{16}$/);
    const properties = cloud.get(VPC, id);
    expect(properties).toMatchObject({
      VpcId: id,
      VpcName: id,
      ProjectName: 'default',
      Status: 'Available',
      NetworkAclNum: '0',
      IsDefault: false,
      SubnetIds: [],
      SecurityGroupIds: [],
    });
    expect(properties).not.toHaveProperty('EnableIpv6');
  });

  test('lists its subnets and groups', () => {
    const cloud = emptyCloud();
    const { vpc, subnet, group } = buildNetwork(cloud);
    expect(cloud.get(VPC, vpc)).toMatchObject({ SubnetIds: [subnet], SecurityGroupIds: [group] });
  });

  test.each([
    ['an unknown property', { CidrBlok: '10.0.0.0/16' }, '`CidrBlok` is not a property'],
    ['a read-only property', { Status: 'Available' }, '`Status` is read-only'],
    ['a number for a text', { VpcName: 5 }, '`VpcName` must be a string, got: 5'],
    ['a text for a boolean', { EnableIpv6: 'no' }, '`EnableIpv6` must be a boolean, got: "no"'],
    ['a text for a set', { DnsServers: '10.0.0.1' }, '`DnsServers` must be an array'],
    ['a repeated member', { DnsServers: ['10.0.0.1', '10.0.0.1'] }, 'the same member twice'],
    ['a tag without a key', { Tags: [{ Value: 'v' }] }, '`Tags/0/Key` is required'],
    ['an unknown nested property', { Tags: [{ Key: 'k', Val: 'v' }] }, '`Tags/0/Val` is not'],
    ['host bits in its block', { CidrBlock: '10.0.0.1/16' }, 'has host bits set'],
    ['a public block', { CidrBlock: '8.0.0.0/16' }, 'must be a private IPv4 network'],
    ['overlapping blocks', { SecondaryCidrBlocks: ['172.16.1.0/24'] }, 'overlaps another block'],
  ])('is refused with %s', (_, input, message) => {
    const cloud = emptyCloud();
    expect(() => cloud.create(VPC, input)).toThrow(message);
    expect(cloud.resources()).toEqual([]);
  });

  test('changes by a patch, and keeps what is fixed at creation', () => {
    const cloud = emptyCloud();
    const id = cloud.create(VPC, { CidrBlock: '10.20.0.0/16', VpcName: 'old' });
    cloud.startUpdate(VPC, id, [{ op: 'replace', path: '/VpcName', value: 'new' }], '');
    expect(cloud.get(VPC, id)).toMatchObject({ VpcName: 'new', CidrBlock: '10.20.0.0/16' });
    const fixed = [{ op: 'replace', path: '/CidrBlock', value: '10.21.0.0/16' }];
    expect(() => cloud.startUpdate(VPC, id, fixed, '')).toThrow(
      '`CidrBlock` can only be given at creation',
    );
    const readOnly = [{ op: 'add', path: '/Status', value: 'Gone' }];
    expect(() => cloud.startUpdate(VPC, id, readOnly, '')).toThrow('`Status` is read-only');
  });

  test('keeps its subnets when a patch removes them from its own list', () => {
    const cloud = emptyCloud();
    const { vpc, subnet } = buildNetwork(cloud);
    cloud.startUpdate(VPC, vpc, [{ op: 'remove', path: '/SubnetIds' }], '');
    expect(cloud.get(VPC, vpc)).toMatchObject({ SubnetIds: [subnet] });
  });

  test('keeps an address block that a subnet lies in', () => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, {
      CidrBlock: '10.20.0.0/16',
      SecondaryCidrBlocks: ['10.30.0.0/16'],
    });
    cloud.create(SUBNET, subnetInput(vpc, { CidrBlock: '10.30.1.0/24' }));
    const patch = [{ op: 'replace', path: '/SecondaryCidrBlocks', value: [] }];
    const task = cloud.poll(cloud.startUpdate(VPC, vpc, patch, ''));
    expect(task.error?.code).toBe('DependencyViolation');
    expect(cloud.get(VPC, vpc)).toMatchObject({ SecondaryCidrBlocks: ['10.30.0.0/16'] });
  });

  test('cannot be deleted while something is in it', () => {
    const cloud = emptyCloud();
    buildEndpoint(cloud);
    const [vpc] = cloud.list(VPC);
    const task = cloud.poll(cloud.startDelete(VPC, vpc?.identifier ?? '', ''));
    expect(task.error?.code).toBe('DependencyViolation');
    const users = [SUBNET, GROUP, ENDPOINT].flatMap((type) => cloud.list(type));
    expect(users).toHaveLength(3);
    for (const { identifier } of users) expect(task.error?.message).toContain(identifier);
    expect(cloud.list(VPC)).toHaveLength(1);
  });
});
