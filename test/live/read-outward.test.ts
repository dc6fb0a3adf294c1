import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { RESOURCE_ROWS } from '../../src/cloud/table/index.js';
import { READ_ONLY_ROWS } from '../../src/cloud/table/read-only.js';
import { openCloudReader } from '../../src/cloud-control/cloud-reader.js';
import { CloudControlError } from '../../src/cloud-control/transport.js';
import { type OpenCloud, readOutward } from '../../src/live/read-outward.js';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { startCloudServer } from '../../src/sandbox/cloud/cloud-server.js';
import {
  buildBalancer,
  buildService,
  buildTwoZones,
  emptyCloud,
  GROUP,
  PREFIX_LIST,
  rule,
  SUBNET,
  VPC,
  ZONE,
} from '../sandbox/support.js';
import { recordCalls } from '../support/cloud-recorder.js';

const ENI = 'Volcengine::VPC::ENI';
const ACL = 'Volcengine::VPC::NetworkAcl';

/** A cloud of fixed objects that counts what is asked. */
function cloudOf(objects: Readonly<Record<string, Readonly<Record<string, object>>>>) {
  const calls: string[] = [];
  const cloud: OpenCloud = {
    async get(type, identifier) {
      calls.push(`get ${identifier}`);
      const properties = objects[type]?.[identifier];
      return properties && { identifier, properties: { ...properties } };
    },
    async *pages(type) {
      for (const [identifier, properties] of Object.entries(objects[type] ?? {})) {
        calls.push(`list ${type}`);
        yield [{ identifier, properties: { ...properties } }];
      }
    },
  };
  return { cloud, calls };
}

const group = (cidr: string) => ({ IngressPermissions: [{ CidrIp: cidr }] });

const INTERFACE = {
  'Volcengine::CLB::ServerGroup': {
    'rsp-1': {
      Servers: [
        { InstanceId: 'eni-1', Type: 'eni' },
        { InstanceId: 'i-1', Type: 'ip' },
      ],
    },
  },
  [ENI]: { 'eni-1': { SecurityGroupIds: ['sg-1', 'sg-2'], SubnetId: 'subnet-1' } },
  [GROUP]: { 'sg-1': group('10.0.0.0/8'), 'sg-2': group('203.0.113.0/24') },
  [SUBNET]: { 'subnet-1': { NetworkAclId: 'nacl-1', RouteTable: { RouteTableId: 'rtb-1' } } },
  [ACL]: { 'nacl-1': {} },
};
const SEED = [{ cloudType: 'Volcengine::CLB::ServerGroup', identifier: 'rsp-1' }];

test('finds the groups of a server’s interface and the network ACL of its subnet, each once', async () => {
  const { cloud, calls } = cloudOf(INTERFACE);
  const read = await readOutward(cloud, [...SEED, ...SEED], 100);
  expect(Object.keys(read.resources[GROUP] ?? {})).toEqual(['sg-1', 'sg-2']);
  expect(Object.keys(read.resources[ACL] ?? {})).toEqual(['nacl-1']);
  expect(read.gone).toEqual([{ cloudType: 'Volcengine::VPC::RouteTable', identifier: 'rtb-1' }]);
  expect(calls).toEqual([...new Set(calls)]);
  expect(calls).not.toContain('get i-1');
});

test('names what it had no reads left for', async () => {
  const { cloud, calls } = cloudOf(INTERFACE);
  const { unread } = await readOutward(cloud, SEED, 2);
  expect(calls).toEqual(['get rsp-1', 'get eni-1']);
  expect(unread).toEqual([
    'VPC SecurityGroup sg-1, VPC SecurityGroup sg-2, VPC Subnet subnet-1: the 2 reads of --max-reads are used up',
  ]);
});

test('reads the stack’s own objects before a list that uses up all reads', async () => {
  const SERVICE = 'Volcengine::PrivateLink::EndpointService';
  const others = Array.from({ length: 50 }, (_, i) => [`s9|ep-${i}`, { ServiceId: 's9' }]);
  const { cloud } = cloudOf({
    ...INTERFACE,
    [SERVICE]: { s1: { ServiceId: 's1' } },
    'Volcengine::PrivateLink::VpcEndpointConnection': Object.fromEntries(others),
  });
  const from = [{ cloudType: SERVICE, identifier: 's1' }, ...SEED];
  const { resources, unread } = await readOutward(cloud, from, 20);
  expect(Object.keys(resources[GROUP] ?? {})).toEqual(['sg-1', 'sg-2']);
  expect(unread).toEqual([
    'the list of connections of s1: the 20 reads of --max-reads are used up',
  ]);
});

test('names what the cloud refuses to tell, and fails where it refuses everything', async () => {
  const { cloud } = cloudOf(INTERFACE);
  const denied = new CloudControlError('AccessDenied', 'vpc:DescribeNetworkAcls', 403, 'r');
  const deny = (types: readonly string[]): OpenCloud => ({
    ...cloud,
    get: (type, id) => (types.includes(type) ? Promise.reject(denied) : cloud.get(type, id)),
  });
  const { unread } = await readOutward(deny([ACL]), SEED, 100);
  expect(unread).toEqual(['VPC NetworkAcl nacl-1: AccessDenied: vpc:DescribeNetworkAcls']);
  await expect(readOutward(deny(Object.keys(INTERFACE)), SEED, 100)).rejects.toBe(denied);
});

test('lists what no property names, and keeps what is meant', async () => {
  const service = (ServiceId: string) => ({ ServiceId, ConnectionStatus: 'PendingAcceptance' });
  const CONNECTION = 'Volcengine::PrivateLink::VpcEndpointConnection';
  const { cloud } = cloudOf({
    'Volcengine::PrivateLink::EndpointService': { s1: { ServiceId: 's1' } },
    [CONNECTION]: { 's1|ep-1': service('s1'), 's2|ep-2': service('s2'), 's1|ep-3': {} },
  });
  const from = [{ cloudType: 'Volcengine::PrivateLink::EndpointService', identifier: 's1' }];
  const { resources } = await readOutward(cloud, from, 100);
  expect(Object.keys(resources[CONNECTION] ?? {})).toEqual(['s1|ep-3', 's1|ep-1']);
});

test('lists a type once for all that look for something in it, and reads no object twice', async () => {
  const SERVICE = 'Volcengine::PrivateLink::EndpointService';
  const CONNECTION = 'Volcengine::PrivateLink::VpcEndpointConnection';
  const services = ['s1', 's2', 's3'];
  const { cloud, calls } = cloudOf({
    [SERVICE]: Object.fromEntries(services.map((ServiceId) => [ServiceId, { ServiceId }])),
    [CONNECTION]: { 's1|ep-1': {}, 's2|ep-2': {}, 's9|ep-9': {} },
  });
  const from = services.map((identifier) => ({ cloudType: SERVICE, identifier }));
  await readOutward(cloud, from, 100);
  const reads = calls.filter((call) => call.startsWith('get '));
  expect(reads).toEqual([...new Set(reads)]);
  expect(calls.filter((call) => call === `list ${CONNECTION}`)).toHaveLength(3);
});

/** A cloud behind a recorder, and what reads it as the program does. */
async function recorded(cloud: Cloud) {
  const server = await startCloudServer(cloud, 'AK');
  onTestFinished(() => server.stop());
  const recorder = await recordCalls(`http://127.0.0.1:${server.port}`);
  const env = {
    VOLCENGINE_CC_ENDPOINT: recorder.endpoint,
    VOLCENGINE_ACCESS_KEY: 'AK',
    VOLCENGINE_SECRET_KEY: 'a-secret-key',
  };
  const reader = await openCloudReader({ region: 'cn-beijing' }, env);
  onTestFinished(() => reader.close());
  return { recorder, reader, env };
}

test('sends reading calls alone, of types whose actions the page on permissions lists', async () => {
  const cloud = emptyCloud();
  const { balancer } = buildBalancer(cloud);
  buildService(cloud, balancer);
  buildTwoZones(cloud);
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const Vpcs = [{ Region: 'cn-beijing', VpcId: vpc }];
  cloud.create(ZONE, { ZoneName: 'example.com', Vpcs });
  const list = cloud.create(PREFIX_LIST, {
    MaxEntries: 1,
    PrefixListEntries: [{ Cidr: '10.9.0.0/24' }],
  });
  const IngressPermissions = [rule({ CidrIp: '', PrefixListId: list })];
  cloud.create(GROUP, { VpcId: vpc, IngressPermissions });
  const before = structuredClone(cloud.state);
  const { recorder, reader } = await recorded(cloud);
  const from = cloud.resources().map(({ typeName, identifier }) => {
    return { cloudType: typeName, identifier };
  });
  const { gone, unread } = await readOutward(reader, from, 500);
  expect([gone, unread]).toEqual([[], []]);
  expect(recorder.writes()).toEqual([]);
  expect(cloud.state).toEqual(before);
  const listed = listedReads();
  const types = new Set(recorder.calls.map(({ type }) => type));
  expect(types.size).toBeGreaterThan(14);
  for (const type of types) {
    const row = [...RESOURCE_ROWS, ...READ_ONLY_ROWS].find(({ cloudType }) => cloudType === type);
    expect(row, type).toBeDefined();
    const { deploy = [], list: lists = [] } = row?.actions ?? {};
    const reads = [...deploy, ...lists].filter((one) => /:(Describe|List|Query)/.test(one));
    expect(listed).toEqual(expect.arrayContaining(reads));
  }
});

test('the recorder tells a write from a read', async () => {
  const cloud = emptyCloud();
  const { recorder, env } = await recorded(cloud);
  const url = `${env.VOLCENGINE_CC_ENDPOINT}/?Action=CreateResource&Version=2025-06-01`;
  const body = JSON.stringify({ TypeName: VPC, TargetState: { CidrBlock: '10.20.0.0/16' } });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(403);
  expect(recorder.writes()).toEqual([{ action: 'CreateResource', type: VPC }]);
  expect(cloud.resources()).toEqual([]);
});

/** The actions that the page says are enough to read; none of them can change anything. */
function listedReads(): string[] {
  const [, section = ''] = readFileSync('docs/permissions.md', 'utf8').split('## Reading alone');
  const [, json = '[]'] = /```json\n([^`]*)```/.exec(section) ?? [];
  const actions: string[] = JSON.parse(json);
  expect(actions.filter((one) => !/:(Describe|List|Query)/.test(one))).toEqual([]);
  return actions;
}
