import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/sandbox/json.js';
import {
  buildBalancer,
  buildTwoZones,
  ENDPOINT,
  emptyCloud,
  RECORD,
  SERVERS,
  VPC,
  ZONE,
} from '../sandbox/support.js';
import { DeployedCloud } from './deployed-cloud.js';

const HOST = 'api.example.com';
const SERVER = { Description: '', Type: 'ip', Port: 8080, Weight: 100 };
const serverAt = (ip: string) => ({ ...SERVER, InstanceId: ip, Ip: ip });

/** An endpoint whose addresses a zone names, and servers behind a listener. */
function deployed() {
  const cloud = emptyCloud();
  const endpoint = buildTwoZones(cloud);
  const [vpc = ''] = Object.keys(cloud.state.resources[VPC] ?? {});
  const Vpcs = [{ Region: 'cn-beijing', VpcId: vpc }];
  const zone = cloud.create(ZONE, { ZoneName: HOST, Vpcs });
  const [record = ''] = ['10.20.1.1', '10.20.2.1'].map((Value) =>
    cloud.create(RECORD, { ZID: Number(zone), Host: '@', Type: 'A', Value }),
  );
  const { servers, balancer } = buildBalancer(cloud);
  const deployment = new DeployedCloud(cloud);
  const zones = (cloud.get(ENDPOINT, endpoint).Zones as JsonObject[]).map(
    ({ SubnetId = '', ZoneId = '', PrivateIpAddress = '' }): JsonObject => ({
      ...{ SubnetId, ZoneId, PrivateIpAddress },
    }),
  );
  return { cloud, endpoint, vpc, zone, record, zones, servers, balancer, deployment };
}

type Deployed = ReturnType<typeof deployed>;
type Row = readonly [title: string, change: (one: Deployed) => void, told: string];

const edit =
  (type: string, of: 'endpoint' | 'zone' | 'record' | 'servers', name: string, value: unknown) =>
  (one: Deployed) => {
    const given = typeof value === 'function' ? value(one) : value;
    one.deployment.edit(type, one[of], name, given);
  };
const zonesOf = (edited: (zones: JsonObject[]) => JsonObject[]) =>
  edit(ENDPOINT, 'endpoint', 'Zones', ({ zones }: Deployed) => edited(zones));

test.each<Row>([
  ['nothing', () => undefined, ''],
  [
    'a zone that was taken away',
    zonesOf(([first = {}]) => [first]),
    `ENDPOINT: its address 10.20.2.1 in cn-beijing-b was removed; ${HOST} still leads to 10.20.2.1`,
  ],
  [
    'another address',
    zonesOf(([first, second = {}]) => [{ ...first, PrivateIpAddress: '10.20.1.99' }, second]),
    `ENDPOINT: its address in cn-beijing-a is 10.20.1.99, was 10.20.1.1; ${HOST} still leads to 10.20.1.1`,
  ],
  [
    'another address that the record follows',
    (one) => {
      zonesOf(([a, b = {}]) => [{ ...a, PrivateIpAddress: '10.20.1.99' }, b])(one);
      edit(RECORD, 'record', 'Value', '10.20.1.99')(one);
    },
    `ENDPOINT: its address in cn-beijing-a is 10.20.1.99, was 10.20.1.1
${HOST}: record is A 10.20.1.99, was A 10.20.1.1`,
  ],
  [
    'a network less',
    edit(ZONE, 'zone', 'Vpcs', []),
    `${HOST}: VPC volcenginecc_vpc_vpc.NETWORK was removed`,
  ],
  [
    'a zone that leaves names to others',
    edit(ZONE, 'zone', 'RecursionMode', true),
    `${HOST}: recursion mode is true, was false`,
  ],
  [
    'a record that is off',
    edit(RECORD, 'record', 'Enable', false),
    `${HOST}: record is A 10.20.1.1 (disabled), was A 10.20.1.1`,
  ],
  [
    'one more server',
    edit(SERVERS, 'servers', 'Servers', ['10.20.1.10', '10.40.1.99'].map(serverAt)),
    'BALANCER: server 10.40.1.99:8080 was added',
  ],
  [
    'another server',
    edit(SERVERS, 'servers', 'Servers', [serverAt('10.40.1.99')]),
    'BALANCER: server is 10.40.1.99:8080, was 10.20.1.10:8080',
  ],
])('says what changed: %s', async (_, change, told) => {
  const one = deployed();
  change(one);
  const names: [string, string][] = [
    [`volcenginecc_privatelink_vpc_endpoint.${one.endpoint}`, 'ENDPOINT'],
    [one.endpoint, 'ENDPOINT'],
    [one.balancer, 'BALANCER'],
    [one.vpc, 'NETWORK'],
  ];
  const sentences = (await one.deployment.drift()).map((text) =>
    names.reduce((now, [id, name]) => now.replaceAll(id, name), text),
  );
  expect(sentences.join('\n')).toBe(told.replace(/^(?=.)/gm, 'since the last deploy '));
});

test('an endpoint that is deleted is one row, which says whom it let in', async () => {
  const { cloud, endpoint, deployment } = deployed();
  cloud.startDelete(ENDPOINT, endpoint, 'gone');
  const [gone, ...others] = await deployment.rows();
  expect(gone?.what).toMatch(
    /vpc_endpoint\.\S+: ep-\w+ is in the state and no longer in the cloud$/,
  );
  expect([gone?.before, gone?.after]).toEqual(['10.20.0.0/16, tcp 443', 'gone']);
  expect(others.map(({ what }) => what)).toEqual([]);
});
