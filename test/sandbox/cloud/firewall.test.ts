import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { BOOK, emptyCloud, failureOf, POLICY } from '../support.js';

const ADDRESSES = { GroupName: 'service', GroupType: 'ip', AddressList: ['36.110.186.29/32'] };

function policy(facts: JsonObject = {}): JsonObject {
  return {
    Direction: 'out',
    Action: 'accept',
    Source: '10.20.0.0/16',
    SourceType: 'net',
    Destination: '36.110.186.29/32',
    DestinationType: 'net',
    Proto: 'TCP',
    DestPort: '443/443',
    ...facts,
  };
}

describe('an address book', () => {
  test('counts the policies that use it, and stays while they do', () => {
    const cloud = emptyCloud();
    const id = cloud.create(BOOK, ADDRESSES);
    expect(cloud.get(BOOK, id)).toMatchObject({ ...ADDRESSES, GroupUuid: id, RefCnt: 0 });
    const used = policy({ Destination: id, DestinationType: 'group' });
    const rule = cloud.create(POLICY, used);
    expect(cloud.get(BOOK, id).RefCnt).toBe(1);
    expect(failureOf(cloud, cloud.startDelete(BOOK, id, ''))).toBe('DependencyViolation');
    cloud.startDelete(POLICY, rule, '');
    expect(failureOf(cloud, cloud.startDelete(BOOK, id, ''))).toBeUndefined();
  });

  test.each([
    ['nothing in it', { AddressList: [] }, '`AddressList` or `AddressDetailList` is required'],
    ['a name with a blank', { GroupName: 'my list' }, 'takes letters, digits, - and _ only'],
    ['a name among addresses', { AddressList: ['example.com'] }, 'is not an IPv4 or IPv6 address'],
    ['IPv6 among IPv4', { AddressList: ['2001:db8::/32'] }, 'must hold IPv4 addresses'],
    ['host bits', { AddressList: ['10.0.0.1/8'] }, 'has host bits set'],
    ['a port out of range', { GroupType: 'port', AddressList: ['70000'] }, 'must hold ports'],
    ['no domain', { GroupType: 'domain', AddressList: ['10.0.0.1/8'] }, 'must hold domain names'],
    ['an unknown type', { GroupType: 'mac' }, 'must be one of ip, ipv6, domain, port'],
    ['a number in its list', { AddressList: [443] }, 'must be a string, got: 443'],
  ])('is refused with %s', (_, facts, message) => {
    expect(() => emptyCloud().create(BOOK, { ...ADDRESSES, ...facts })).toThrow(message);
  });

  test.each([
    ['ports', { GroupType: 'port', AddressList: ['443', '80/90'] }],
    ['domains', { GroupType: 'domain', AddressList: ['*.sandbox.example'] }],
    ['single addresses', { AddressList: ['36.110.186.29'] }],
  ])('holds %s', (_, facts) => {
    expect(emptyCloud().create(BOOK, { ...ADDRESSES, ...facts })).toMatch(/^book-/);
  });
});

describe('a control policy', () => {
  test('is named by its id and its direction, and put last without a position', () => {
    const cloud = emptyCloud();
    const id = cloud.create(POLICY, policy());
    expect(id).toMatch(/^policy-[0-9a-f]+\|out$/);
    expect(cloud.get(POLICY, id)).toMatchObject({
      Prio: 0,
      Status: true,
      RepeatType: 'Permanent',
      HitCnt: 0,
    });
    expect(cloud.get(POLICY, id)).not.toHaveProperty('InternetFirewallId');
  });

  test.each([
    ['an address without a mask', { Source: '10.20.1.1' }, '`Source` has no mask'],
    ['a book that is not there', { DestinationType: 'group' }, 'names nothing that exists'],
    ['no port', { DestPort: '' }, '`DestPort` must be a port or a range'],
    ['a range the wrong way', { DestPort: '90/80' }, '`DestPort` must be a port or a range'],
    ['a port on every protocol', { Proto: 'ANY' }, '`DestPort` must be empty for ANY'],
    ['a domain by UDP', { DestinationType: 'domain', Proto: 'UDP' }, '`Proto` must be TCP'],
    ['hours', { RepeatType: 'Daily' }, '`RepeatType` must be Permanent in the sandbox'],
    ['a negative position', { Prio: -1 }, '`Prio` must be 0 or more'],
    ['a position as text', { Prio: '1' }, '`Prio` must be an integer'],
    ['days as texts', { RepeatDays: ['1'] }, '`RepeatDays/0` must be an integer'],
    ['an unknown action', { Action: 'drop' }, 'must be one of accept, deny, monitor'],
    ['an unknown property', { Ports: '443' }, '`Ports` is not a property'],
  ])('is refused with %s', (_, facts, message) => {
    expect(() => emptyCloud().create(POLICY, policy(facts))).toThrow(message);
  });

  test('is refused with a book of another type than its side needs', () => {
    const cloud = emptyCloud();
    const ports = cloud.create(BOOK, { ...ADDRESSES, GroupType: 'port', AddressList: ['443'] });
    const facts = { Destination: ports, DestinationType: 'group' };
    expect(() => cloud.create(POLICY, policy(facts))).toThrow('an address book of type');
  });

  test('moves to a position of 1 or more only', () => {
    const cloud = emptyCloud();
    const id = cloud.create(POLICY, policy({ Prio: 1 }));
    const move = (value: number) =>
      cloud.startUpdate(POLICY, id, [{ op: 'replace', path: '/Prio', value }], '');
    expect(failureOf(cloud, move(0))).toBe('InvalidPrio');
    expect(failureOf(cloud, move(2))).toBeUndefined();
  });
});
