import { Resolver } from 'node:dns/promises';
import { describe, expect, test } from 'vitest';
import { readObjects } from '../../../src/sandbox/json.js';
import { openBlackHole, openRefusingPort } from '../../../src/sandbox/listeners/faulty-ports.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { SERVICE_ADDRESSES } from '../../../src/sandbox/surroundings.js';
import { ConnectToRules } from '../../../src/verify/transport/connect-to.js';
import {
  buildEndpoint,
  buildNetwork,
  buildTwoZones,
  dial,
  ENDPOINT,
  GROUP,
  POLICY,
  rule,
  sandboxForTest,
} from '../support.js';

/** The port on loopback that an address and port lead to, as the check reads the rules. */
async function target({ files }: Sandbox, from: string): Promise<number | undefined> {
  const [address = '', port] = from.split(':');
  const found = await new ConnectToRules([`@${files.connectTo}`]).find('-', address, Number(port));
  expect(found?.address).toBe('127.0.0.1');
  return found?.port;
}

describe('the connect-to rules', () => {
  test('follow the cloud: from nothing to the service and back', async () => {
    const sandbox = await sandboxForTest();
    expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports['black-hole']);
    const id = buildEndpoint(sandbox.cloud);
    expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports.https);
    sandbox.cloud.startDelete(ENDPOINT, id, '');
    expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports['black-hole']);
  });

  test('lead each port where its own rule lets it', async () => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud, [rule({ PortStart: 80, PortEnd: 80 })]);
    expect(await target(sandbox, '10.20.1.1:80')).toBe(sandbox.ports.http);
    expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports['black-hole']);
  });

  test('judge the client where it is said to stand', async () => {
    const sandbox = await sandboxForTest({ clientAddress: () => '192.168.7.7' });
    buildEndpoint(sandbox.cloud);
    expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports['black-hole']);
  });

  test('lead the addresses that only a fault answers to nowhere', async () => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud);
    expect(await target(sandbox, '192.31.196.10:443')).toBe(sandbox.ports['black-hole']);
    expect(await target(sandbox, '10.20.1.253:443')).toBe(sandbox.ports['black-hole']);
  });

  test('lead every other address nowhere, whatever the port', async () => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud);
    for (const from of ['192.0.2.77:443', '10.20.1.2:22', '127.0.0.9:1', '8.8.8.8:65535']) {
      expect(await target(sandbox, from)).toBe(sandbox.ports['black-hole']);
    }
  });

  test('lead a port that nobody listens on to a refusal where the rules let it through', async () => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud, [rule({ PortStart: 8440, PortEnd: 8450 })]);
    expect(await target(sandbox, '10.20.1.1:8440')).toBe(sandbox.ports.refusing);
    expect(await target(sandbox, '10.20.1.1:8450')).toBe(sandbox.ports.refusing);
    for (const port of [1, 22, 443, 8439, 8451, 65_535]) {
      expect(await target(sandbox, `10.20.1.1:${port}`)).toBe(sandbox.ports['black-hole']);
    }
    expect(await target(sandbox, `${SERVICE_ADDRESSES[0]}:8443`)).toBe(sandbox.ports.refusing);
  });

  test('tell the ports of a border firewall apart', async () => {
    const sandbox = await sandboxForTest();
    const [first = ''] = SERVICE_ADDRESSES;
    sandbox.cloud.create(POLICY, {
      Action: 'deny',
      Direction: 'out',
      Source: '0.0.0.0/0',
      SourceType: 'net',
      Destination: `${first}/32`,
      DestinationType: 'net',
      DestPort: '9000/9010',
      DestPortType: 'port',
      Proto: 'TCP',
      Prio: 1,
      Status: true,
    });
    expect(await target(sandbox, `${first}:8999`)).toBe(sandbox.ports.refusing);
    expect(await target(sandbox, `${first}:9010`)).toBe(sandbox.ports['black-hole']);
    expect(await target(sandbox, `${first}:443`)).toBe(sandbox.ports.https);
  });

  test('under a fault of one zone lead the last zone of an endpoint, and no other, elsewhere', async () => {
    const sandbox = await sandboxForTest();
    buildTwoZones(sandbox.cloud);
    for (const [fault, face] of [
      ['zone-silent', 'black-hole'],
      ['zone-refused', 'refusing'],
      ['zone-http-silent', 'noResponse'],
    ] as const) {
      sandbox.faults.set(fault);
      expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports.https);
      expect(await target(sandbox, '10.20.2.1:443')).toBe(sandbox.ports[face]);
      expect(await target(sandbox, `${SERVICE_ADDRESSES[0]}:443`)).toBe(sandbox.ports.https);
      sandbox.faults.clear();
    }
  });

  test('lead every fixed address of the service to it, on both ports', async () => {
    const sandbox = await sandboxForTest();
    for (const address of SERVICE_ADDRESSES) {
      expect(await target(sandbox, `${address}:443`)).toBe(sandbox.ports.https);
      expect(await target(sandbox, `${address}:80`)).toBe(sandbox.ports.http);
    }
  });

  test('lead a fixed address nowhere that the egress rules do not let through', async () => {
    const sandbox = await sandboxForTest();
    const { vpc } = buildNetwork(sandbox.cloud);
    const [first = '', second = ''] = SERVICE_ADDRESSES;
    const rules = [rule({ CidrIp: `${first}/32` })];
    const group = sandbox.cloud.create(GROUP, { VpcId: vpc, EgressPermissions: rules });
    expect(await target(sandbox, `${first}:443`)).toBe(sandbox.ports.https);
    expect(await target(sandbox, `${first}:80`)).toBe(sandbox.ports['black-hole']);
    expect(await target(sandbox, `${second}:443`)).toBe(sandbox.ports['black-hole']);
    sandbox.cloud.startDelete(GROUP, group, '');
    expect(await target(sandbox, `${second}:443`)).toBe(sandbox.ports.https);
  });

  test('under egress-closed lead no fixed address to the service', async () => {
    const sandbox = await sandboxForTest({ faults: ['egress-closed'] });
    buildEndpoint(sandbox.cloud);
    const leading = await Promise.all(
      SERVICE_ADDRESSES.map((address) => target(sandbox, `${address}:443`)),
    );
    expect(new Set(leading)).toEqual(new Set([sandbox.ports['black-hole']]));
    expect(await target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports.https);
  });

  test.each([
    ['tcp-silent', 'silent'],
    ['security-group-closed', 'silent'],
    ['tcp-refused', 'refused'],
    ['tls-silent', 'connected'],
  ] as const)('under %s a dial is %s, and connected afterwards', async (fault, outcome) => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud);
    const dialled = async () => dial((await target(sandbox, '10.20.1.1:443')) ?? 0);
    sandbox.faults.set(fault);
    expect(await dialled()).toBe(outcome);
    sandbox.faults.clear();
    expect(await dialled()).toBe('connected');
  });
});

test.each([
  ['security-group-closed', 'IngressPermissions', { CidrIp: '10.20.0.0/16' }],
  ['egress-closed', 'EgressPermissions', { CidrIp: `${SERVICE_ADDRESSES[0]}/32` }],
] as const)('under %s a group has a rule that drops, after a write only once a name is looked up', async (fault, property, peer) => {
  const sandbox = await sandboxForTest({ faults: [fault] });
  const { cloud } = sandbox;
  const isIn = property === 'IngressPermissions';
  const vpc = isIn ? '' : buildNetwork(cloud).vpc;
  if (isIn) buildEndpoint(cloud, [rule(peer)]);
  else cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [rule(peer)] });
  const group = Object.keys(cloud.state.resources[GROUP] ?? {}).at(-1) ?? '';
  const policies = () => readObjects(cloud.get(GROUP, group), property).map((one) => one.Policy);
  expect(policies()).toEqual(['accept', 'drop']);
  const patch = [{ op: 'remove', path: `/${property}/1` }];
  cloud.startUpdate(GROUP, group, patch, 'opened');
  expect(policies()).toEqual(['accept']);
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${sandbox.ports.dns}`]);
  await resolver.resolve4('static-api.sandbox.example');
  expect(policies()).toEqual(['accept', 'drop']);
  sandbox.faults.clear();
  expect(policies()).toEqual(['accept']);
});

test('a black hole completes no handshake, for any number of clients and sandboxes', async () => {
  const [first, second] = await Promise.all([openBlackHole(), openBlackHole()]);
  await first.stop();
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => dial(second.port)));
  expect(outcomes).toEqual(['silent', 'silent', 'silent', 'silent']);
  expect(second.port).toBe(first.port);
});

test('a refusing port refuses, again and again', async () => {
  const refusing = await openRefusingPort();
  expect([await dial(refusing.port), await dial(refusing.port)]).toEqual(['refused', 'refused']);
  await refusing.stop();
});
