import { describe, expect, test } from 'vitest';
import type { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { buildNetwork, emptyCloud, failureOf, RECORD, VPC, ZONE } from '../support.js';

function buildZone(cloud: Cloud, facts: JsonObject = {}): { vpc: string; zone: string } {
  const { vpc } = buildNetwork(cloud);
  const bound = { ZoneName: 'api.sandbox.example', Vpcs: [{ VpcId: vpc, Region: 'cn-beijing' }] };
  return { vpc, zone: cloud.create(ZONE, { ...bound, ...facts }) };
}

const record = (zone: string, facts: JsonObject = {}): JsonObject => ({
  ZID: Number(zone),
  Host: '@',
  Type: 'A',
  Value: '10.20.1.1',
  ...facts,
});

describe('a private zone', () => {
  test('has a number as text for its id, and its records have the number', () => {
    const cloud = emptyCloud();
    const { zone, vpc } = buildZone(cloud);
    const id = cloud.create(RECORD, record(zone));
    expect(cloud.get(ZONE, zone)).toMatchObject({
      ZID: expect.stringMatching(/^\d+$/),
      RecordCount: 1,
      RecursionMode: false,
      Vpcs: [{ VpcId: vpc, Region: 'cn-beijing' }],
    });
    expect(cloud.get(RECORD, id)).toMatchObject({
      ZID: Number(zone),
      TTL: 600,
      Enable: true,
      RecordSets: [{ FQDN: 'api.sandbox.example' }],
    });
  });

  test.each([
    ['a name that is none', { ZoneName: 'api' }, '`ZoneName` must be a domain'],
    ['an unknown VPC', { Vpcs: [{ VpcId: 'vpc-gone', Region: 'cn-beijing' }] }, '"vpc-gone"'],
    ['a VPC without its region', { Vpcs: [{ VpcId: 'vpc' }] }, '`Vpcs/0/Region` is required'],
    ['a boolean as text', { RecursionMode: 'on' }, '`RecursionMode` must be a boolean'],
  ])('is refused with %s', (_, facts, message) => {
    expect(() => buildZone(emptyCloud(), facts)).toThrow(message);
  });

  test('is refused with a VPC of another region', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const Vpcs = [{ VpcId: vpc, Region: 'cn-shanghai' }];
    expect(() => buildZone(cloud, { Vpcs })).toThrow('`Region` must be cn-beijing');
  });

  test('is the only one of its name in a VPC', () => {
    const cloud = emptyCloud();
    const { vpc } = buildZone(cloud);
    const Vpcs = [{ VpcId: vpc, Region: 'cn-beijing' }];
    const again = () => cloud.create(ZONE, { ZoneName: 'api.sandbox.example', Vpcs });
    expect(again).toThrow(`${vpc} has another zone api.sandbox.example already`);
  });

  test('holds its VPC, and is held by its records', () => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, {});
    const Vpcs = [{ VpcId: vpc, Region: 'cn-beijing' }];
    const zone = cloud.create(ZONE, { ZoneName: 'a.example', Vpcs });
    const entry = cloud.create(RECORD, record(zone));
    expect(failureOf(cloud, cloud.startDelete(VPC, vpc, ''))).toBe('DependencyViolation');
    expect(failureOf(cloud, cloud.startDelete(ZONE, zone, ''))).toBe('DependencyViolation');
    cloud.startDelete(RECORD, entry, '');
    expect(failureOf(cloud, cloud.startDelete(ZONE, zone, ''))).toBeUndefined();
    expect(failureOf(cloud, cloud.startDelete(VPC, vpc, ''))).toBeUndefined();
  });
});

describe('a record', () => {
  test.each([
    ['the zone as text', { ZID: '400001' }, '`ZID` must be an integer, got: "400001"'],
    ['a zone that is not there', { ZID: 1 }, '`ZID` names nothing that exists, got: "1"'],
    ['a name for an address', { Value: 'sandbox.example' }, '`Value` does not fit A'],
    ['an address for an alias', { Type: 'CNAME', Value: '10.20.1.1/32' }, 'does not fit CNAME'],
    ['a host that is none', { Host: 'a b' }, '`Host` must be @, * or labels'],
    ['an unknown type', { Type: 'SRV' }, 'must be one of A, AAAA, CNAME, TXT, MX, PTR'],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const { zone } = buildZone(cloud);
    expect(() => cloud.create(RECORD, record(zone, facts))).toThrow(message);
  });

  test('is there once, and an alias is the only record of its name', () => {
    const cloud = emptyCloud();
    const { zone } = buildZone(cloud);
    cloud.create(RECORD, record(zone));
    expect(() => cloud.create(RECORD, record(zone))).toThrow('the same record already');
    const alias = { Type: 'CNAME', Value: 'ep-1.example.com' };
    expect(() => cloud.create(RECORD, record(zone, alias))).toThrow(
      'a CNAME must be the only record',
    );
    cloud.create(RECORD, record(zone, { Value: '10.20.1.2' }));
    cloud.create(RECORD, record(zone, { ...alias, Host: 'www' }));
    expect(cloud.list(RECORD)).toHaveLength(3);
  });
});
