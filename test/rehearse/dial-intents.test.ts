import { expect, test } from 'vitest';
import { findDoor, readCall } from '../../src/rehearse/dial-intents.js';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { ENDPOINT, emptyCloud } from '../sandbox/support.js';

const SERVERS = 'Volcengine::CLB::ServerGroup';

/** A cloud with objects as they are, whatever they would need besides. */
function cloudWith(type: string, objects: readonly object[]): CloudState {
  const { state }: Cloud = emptyCloud();
  const named = objects.map((properties, i) => [`id-${i}`, properties]);
  return { ...state, resources: { ...state.resources, [type]: Object.fromEntries(named) } };
}

const endpoint = (EndpointName: string, PrivateIpAddress: string) => ({
  EndpointName,
  Zones: [{ PrivateIpAddress }],
});

const servers = (LoadBalancerId: string, ...Ips: string[]) => ({
  LoadBalancerId,
  Servers: Ips.map((Ip) => ({ Ip, Port: 8080, Weight: 100 })),
});

function find(packet: string, cloud: CloudState): string | undefined {
  const call = readCall(packet);
  return call && findDoor(call, [cloud, cloud])?.host;
}

test('the endpoint of a name is dialled, in each generation, and none whose name begins alike', () => {
  const all = [endpoint('agents-eu-1a2b3c', '10.0.0.2'), endpoint('agents-4d5e6f', '10.0.0.1')];
  const cloud = cloudWith(ENDPOINT, all);
  expect(find('10.0.0.9 → agents:443', cloud)).toBe('10.0.0.1');
  expect(find('10.0.0.9 → agents-eu:443', cloud)).toBe('10.0.0.2');
  expect(find('10.0.0.9 → agent:443', cloud)).toBeUndefined();
});

test('a backend is dialled where one has the port, and none where it could be another one', () => {
  const one = servers('clb-1', '10.0.1.10', '10.0.1.11');
  const packet = '10.0.0.9 → orders:8080';
  expect(find(packet, cloudWith(SERVERS, [one]))).toBe('10.0.1.10');
  expect(find(packet, cloudWith(SERVERS, [one, { ...one, LoadBalancerId: 'clb-2' }]))).toBe(
    '10.0.1.10',
  );
  const others = [one, servers('clb-2', '10.0.2.10')];
  expect(find(packet, cloudWith(SERVERS, others))).toBeUndefined();
});
