import { describe, expect, test } from 'vitest';
import { SANDBOX_PLACE } from '../../../src/sandbox/surroundings.js';
import {
  buildEndpoint,
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  SUBNET,
  subnetInput,
  VPC,
} from '../support.js';

describe('an endpoint', () => {
  test('gets its domain, addresses and status from the cloud', () => {
    const cloud = emptyCloud();
    const id = buildEndpoint(cloud);
    expect(cloud.get(ENDPOINT, id)).toMatchObject({
      EndpointId: id,
      EndpointDomain: `${id}.epsvc-sandbox.cn-beijing.privatelink.volces.com`,
      ServiceId: 'epsvc-sandbox',
      Status: 'Available',
      ConnectionStatus: 'Connected',
      Zones: [
        {
          ZoneId: 'cn-beijing-a',
          PrivateIpAddress: '10.20.1.1',
          ZoneStatus: 'Connected',
          ZoneDomain: `${id}-cn-beijing-a.epsvc-sandbox.cn-beijing.privatelink.volces.com`,
          NetworkInterfaceId: expect.stringMatching(/^eni-/),
        },
      ],
    });
  });

  test('waits for acceptance where the service does not accept', () => {
    const cloud = emptyCloud({ acceptsConnections: () => false });
    const id = buildEndpoint(cloud);
    expect(cloud.get(ENDPOINT, id)).toMatchObject({
      ConnectionStatus: 'PendingAcceptance',
      Zones: [{ ZoneStatus: 'PendingAcceptance' }],
    });
  });

  test('takes the wanted address, and every other endpoint another one', () => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud);
    const wanted = [{ SubnetId: network.subnet, PrivateIpAddress: '10.20.1.1' }];
    cloud.create(ENDPOINT, endpointInput(network, { Zones: wanted }));
    const next = cloud.create(ENDPOINT, endpointInput(network));
    expect(cloud.get(ENDPOINT, next).Zones).toMatchObject([{ PrivateIpAddress: '10.20.1.2' }]);
    expect(() => cloud.create(ENDPOINT, endpointInput(network, { Zones: wanted }))).toThrow(
      'must be a free address of 10.20.1.0/24, got: "10.20.1.1"',
    );
  });

  test('keeps its address in a zone when another zone is added', () => {
    const cloud = emptyCloud();
    const id = buildEndpoint(cloud);
    const [vpc] = cloud.list(VPC);
    const place = { CidrBlock: '10.20.2.0/24', ZoneId: 'cn-beijing-b' };
    const subnet = cloud.create(SUBNET, subnetInput(vpc?.identifier ?? '', place));
    const before = cloud.get(ENDPOINT, id).Zones;
    const patch = [{ op: 'add', path: '/Zones/1', value: { SubnetId: subnet } }];
    cloud.startUpdate(ENDPOINT, id, patch, '');
    const added = { PrivateIpAddress: '10.20.2.1', ZoneId: 'cn-beijing-b' };
    expect(cloud.get(ENDPOINT, id).Zones).toMatchObject([
      ...(Array.isArray(before) ? before : []),
      added,
    ]);
  });

  test.each([
    ['an unknown service', { ServiceId: 'epsvc-gone' }, 'got: "epsvc-gone"'],
    ['the name of another service', { ServiceName: 'com.example' }, 'got: "com.example"'],
    ['an unknown group', { SecurityGroupIds: ['sg-gone'] }, 'got: "sg-gone"'],
    ['no group', { SecurityGroupIds: [] }, '`SecurityGroupIds (items)` must be 1 to 5, got: 0'],
    ['an unknown subnet', { Zones: [{ SubnetId: 'subnet-gone' }] }, 'got: "subnet-gone"'],
    ['a private DNS name', { PrivateDNSEnabled: true }, '`PrivateDNSEnabled` must be false'],
    ['a read-only member', { Zones: [{ ZoneDomain: 'x' }] }, '`Zones/0/ZoneDomain` is not'],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud);
    expect(() => cloud.create(ENDPOINT, endpointInput(network, facts))).toThrow(message);
  });

  test.each([
    'ServiceId',
    'VpcId',
    'SecurityGroupIds',
    'Zones',
  ])('is refused without %s', (name) => {
    const cloud = emptyCloud();
    const { [name]: _, ...input } = endpointInput(buildNetwork(cloud));
    expect(() => cloud.create(ENDPOINT, input)).toThrow('is required');
  });

  test("is refused with a zone that is not the subnet's", () => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud);
    const zones = [{ SubnetId: network.subnet, ZoneId: 'cn-beijing-b' }];
    expect(() => cloud.create(ENDPOINT, endpointInput(network, { Zones: zones }))).toThrow(
      "`ZoneId` must be the subnet's zone cn-beijing-a",
    );
  });

  test('is refused with two subnets of one zone', () => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud);
    const place = subnetInput(network.vpc, { CidrBlock: '10.20.2.0/24' });
    const Zones = [{ SubnetId: network.subnet }, { SubnetId: cloud.create(SUBNET, place) }];
    expect(() => cloud.create(ENDPOINT, endpointInput(network, { Zones }))).toThrow(
      '`Zones` must name each zone once',
    );
  });

  test('is refused in a zone that the service is not in', () => {
    const catalogue = SANDBOX_PLACE.catalogue.map((each) => ({ ...each, zones: ['cn-beijing-b'] }));
    const cloud = emptyCloud({ place: { ...SANDBOX_PLACE, catalogue } });
    expect(() => buildEndpoint(cloud)).toThrow(
      '`ZoneId` must be a zone of the service (cn-beijing-b)',
    );
  });

  test("is refused with another VPC's subnet or group", () => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud);
    const other = buildNetwork(cloud);
    const groups = { SecurityGroupIds: [other.group] };
    expect(() => cloud.create(ENDPOINT, endpointInput(network, groups))).toThrow('groups of the');
    const zones = { Zones: [{ SubnetId: other.subnet }] };
    expect(() => cloud.create(ENDPOINT, endpointInput(network, zones))).toThrow('lie in subnets');
  });

  test('gives everything free when it is deleted', () => {
    const cloud = emptyCloud();
    const id = buildEndpoint(cloud);
    cloud.startDelete(ENDPOINT, id, '');
    for (const typeName of [GROUP, SUBNET, VPC]) {
      for (const { identifier } of cloud.list(typeName))
        cloud.startDelete(typeName, identifier, '');
    }
    expect(cloud.resources()).toEqual([]);
  });
});
