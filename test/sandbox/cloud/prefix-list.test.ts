import { describe, expect, test } from 'vitest';
import { buildNetwork, emptyCloud, failureOf, GROUP, PREFIX_LIST, rule } from '../support.js';

const entry = (Cidr: string) => ({ Cidr, Description: 'one' });
const TWO = [entry('36.110.186.29/32'), entry('36.110.186.35/32')];

describe('a prefix list', () => {
  test('is filled in, and knows the groups that use it', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const id = cloud.create(PREFIX_LIST, { MaxEntries: 2, PrefixListEntries: TWO });
    const peer = rule({ CidrIp: '', PrefixListId: id });
    const group = cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [peer] });
    expect(cloud.get(PREFIX_LIST, id)).toMatchObject({
      PrefixListId: id,
      IpVersion: 'IPv4',
      MaxEntries: 2,
      AssociationCount: 1,
      AssociationsSecurityGroups: [{ ResourceId: group, ResourceType: 'SecurityGroup' }],
    });
  });

  test.each([
    ['more entries than it may have', { MaxEntries: 1 }, 'at most `MaxEntries` (1), got: 2'],
    ['no size', { MaxEntries: undefined }, '`MaxEntries` is required'],
    ['a size out of range', { MaxEntries: 201 }, '`MaxEntries` must be 1 to 200, got: 201'],
    ['a size as text', { MaxEntries: '2' }, '`MaxEntries` must be an integer, got: "2"'],
    ['an address without a mask', { PrefixListEntries: [entry('1.2.3.4')] }, 'has no mask'],
    ['an empty network', { PrefixListEntries: [entry('')] }, '"" is not an IPv4 or IPv6 address'],
    ['the other family', { PrefixListEntries: [entry('2001:db8::/32')] }, 'must be IPv4'],
    [
      'one network twice',
      { PrefixListEntries: [entry('1.2.3.4/32'), { Cidr: '1.2.3.4/32' }] },
      '"1.2.3.4/32" is listed twice',
    ],
    [
      'an unknown member',
      { PrefixListEntries: [{ Cdir: '1.2.3.4/32' }] },
      '`PrefixListEntries/0/Cdir`',
    ],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const input = JSON.parse(
      JSON.stringify({ MaxEntries: 4, PrefixListEntries: TWO, ...facts }),
    ) as Record<string, never>;
    expect(() => cloud.create(PREFIX_LIST, input)).toThrow(message);
  });

  test('does not shrink below its entries', () => {
    const cloud = emptyCloud();
    const id = cloud.create(PREFIX_LIST, { MaxEntries: 4, PrefixListEntries: TWO });
    const sized = (value: number) =>
      cloud.startUpdate(PREFIX_LIST, id, [{ op: 'replace', path: '/MaxEntries', value }], '');
    expect(failureOf(cloud, sized(1))).toBe('QuotaExceeded.PrefixListEntries');
    expect(failureOf(cloud, sized(2))).toBeUndefined();
    expect(cloud.get(PREFIX_LIST, id).MaxEntries).toBe(2);
  });

  test('stays while a group uses it', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const id = cloud.create(PREFIX_LIST, { MaxEntries: 2, PrefixListEntries: TWO });
    const peer = rule({ CidrIp: '', PrefixListId: id });
    const group = cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [peer] });
    expect(failureOf(cloud, cloud.startDelete(PREFIX_LIST, id, ''))).toBe('DependencyViolation');
    cloud.startDelete(GROUP, group, '');
    expect(failureOf(cloud, cloud.startDelete(PREFIX_LIST, id, ''))).toBeUndefined();
  });

  test('can be updated although the provider asks to remove its empty read-only sets', () => {
    const cloud = emptyCloud();
    const id = cloud.create(PREFIX_LIST, { MaxEntries: 4, PrefixListEntries: TWO });
    const patch = [
      { op: 'remove', path: '/AssociationsRouteTables' },
      { op: 'replace', path: '/Description', value: 'new' },
    ];
    expect(failureOf(cloud, cloud.startUpdate(PREFIX_LIST, id, patch, ''))).toBeUndefined();
    expect(cloud.get(PREFIX_LIST, id)).toMatchObject({
      Description: 'new',
      AssociationsRouteTables: [],
    });
  });
});

test('a group has at most 200 rules of an IP family in a direction', () => {
  const cloud = emptyCloud();
  const { vpc } = buildNetwork(cloud);
  const rules = Array.from({ length: 201 }, (_, i) => rule({ CidrIp: `10.20.1.${i % 256}/32` }));
  const distinct = rules.map((each, i) => ({ ...each, Description: `rule ${i}` }));
  const create = (count: number) =>
    cloud.create(GROUP, { VpcId: vpc, EgressPermissions: distinct.slice(0, count) });
  expect(() => create(201)).toThrow('must be at most 200 of each IP family, got: 201');
  expect(create(200)).toMatch(/^sg-/);
});
