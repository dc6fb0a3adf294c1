import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openBlackHole } from '../../src/sandbox/black-hole.js';
import { SERVICE_ADDRESSES } from '../../src/sandbox/public-addresses.js';
import { openRefusingPort } from '../../src/sandbox/refusing-port.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import {
  buildEndpoint,
  buildNetwork,
  dial,
  ENDPOINT,
  GROUP,
  rule,
  sandboxForTest,
} from './support.js';

/** The port on loopback that an address and port lead to. */
function target({ files }: Sandbox, from: string): number | undefined {
  const lines = readFileSync(files.connectTo, 'utf8').split('\n');
  const found = lines.find((line) => line.startsWith(`${from}:127.0.0.1:`));
  return found === undefined ? undefined : Number(found.split(':').at(-1));
}

describe('the reroutes', () => {
  test('follow the cloud: from nothing to the service and back', async () => {
    const sandbox = await sandboxForTest();
    expect(target(sandbox, '10.20.1.1:443')).toBeUndefined();
    const id = buildEndpoint(sandbox.cloud);
    expect(target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports.https);
    sandbox.cloud.startDelete(ENDPOINT, id, '');
    expect(target(sandbox, '10.20.1.1:443')).toBeUndefined();
  });

  test('lead each port where its own rule lets it', async () => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud, [rule({ PortStart: 80, PortEnd: 80 })]);
    expect(target(sandbox, '10.20.1.1:80')).toBe(sandbox.ports.http);
    expect(target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports['black-hole']);
  });

  test('judge the client where it is said to stand', async () => {
    const sandbox = await sandboxForTest({ clientAddress: '192.168.7.7' });
    buildEndpoint(sandbox.cloud);
    expect(target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports['black-hole']);
  });

  test('lead the addresses that only a fault answers to nowhere', async () => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud);
    expect(target(sandbox, '203.0.113.10:443')).toBe(sandbox.ports['black-hole']);
    expect(target(sandbox, '10.20.1.253:443')).toBe(sandbox.ports['black-hole']);
  });

  test('lead every fixed address of the service to it, on both ports', async () => {
    const sandbox = await sandboxForTest();
    for (const address of SERVICE_ADDRESSES) {
      expect(target(sandbox, `${address}:443`)).toBe(sandbox.ports.https);
      expect(target(sandbox, `${address}:80`)).toBe(sandbox.ports.http);
    }
  });

  test('lead a fixed address nowhere that the egress rules do not let through', async () => {
    const sandbox = await sandboxForTest();
    const { vpc } = buildNetwork(sandbox.cloud);
    const [first = '', second = ''] = SERVICE_ADDRESSES;
    const rules = [rule({ CidrIp: `${first}/32` })];
    const group = sandbox.cloud.create(GROUP, { VpcId: vpc, EgressPermissions: rules });
    expect(target(sandbox, `${first}:443`)).toBe(sandbox.ports.https);
    expect(target(sandbox, `${first}:80`)).toBe(sandbox.ports['black-hole']);
    expect(target(sandbox, `${second}:443`)).toBe(sandbox.ports['black-hole']);
    sandbox.cloud.startDelete(GROUP, group, '');
    expect(target(sandbox, `${second}:443`)).toBe(sandbox.ports.https);
  });

  test('under egress-closed lead no fixed address to the service', async () => {
    const sandbox = await sandboxForTest({ faults: ['egress-closed'] });
    buildEndpoint(sandbox.cloud);
    const leading = SERVICE_ADDRESSES.map((address) => target(sandbox, `${address}:443`));
    expect(new Set(leading)).toEqual(new Set([sandbox.ports['black-hole']]));
    expect(target(sandbox, '10.20.1.1:443')).toBe(sandbox.ports.https);
  });

  test.each([
    ['tcp-silent', 'silent'],
    ['security-group-closed', 'silent'],
    ['tcp-refused', 'refused'],
    ['tls-silent', 'connected'],
  ] as const)('under %s a dial is %s, and connected afterwards', async (fault, outcome) => {
    const sandbox = await sandboxForTest();
    buildEndpoint(sandbox.cloud);
    const dialled = () => dial(target(sandbox, '10.20.1.1:443') ?? 0);
    sandbox.faults.set(fault);
    expect(await dialled()).toBe(outcome);
    sandbox.faults.clear();
    expect(await dialled()).toBe('connected');
  });
});

test('a black hole completes no handshake, for any number of clients', async () => {
  const hole = await openBlackHole();
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => dial(hole.port)));
  expect(outcomes).toEqual(['silent', 'silent', 'silent', 'silent']);
  await hole.stop();
  expect(await dial(hole.port)).toBe('refused');
});

test('a refusing port refuses, again and again', async () => {
  const refusing = await openRefusingPort();
  expect([await dial(refusing.port), await dial(refusing.port)]).toEqual(['refused', 'refused']);
  await refusing.stop();
});
