import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { check, createWorld, findingOf, link } from '../../support/verifiable-link.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const IPV6 = '2001:db8::1';

const RANKED = ['host.egress', 'path.filter', 'route.missing'];

/** Has every dial end with an error, and checks a link to the internet. */
async function checkDials(error: string, own: readonly string[], address: string) {
  const entries = own.map((text) => ({ address: text, internal: text === '::1' }));
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: entries as NetworkInterfaceInfo[] });
  syncBuiltinESMExports();
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [address] } };
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function refuse(this: Socket) {
    process.nextTick(() => this.destroy(Object.assign(new Error(error), { code: error })));
    return this;
  });
  const links = [link({ via: 'internet', expectedAddresses: [], expectedNetworks: [] })];
  return await check(world, { links, connectTo: [], timeoutMs: 3_000 });
}

test.each<[string, readonly string[], string, readonly string[], string]>([
  ['EHOSTUNREACH', ['10.0.0.2', '::1', 'fe80::1'], IPV6, ['route.missing'], 'shown'],
  ['EHOSTUNREACH', ['fd00::2'], IPV6, ['route.missing', 'path.filter'], 'consistent'],
  ['EHOSTUNREACH', ['10.0.0.2'], '93.184.216.34', ['path.filter', 'route.missing'], 'consistent'],
  ['EACCES', ['fd00::2'], IPV6, ['host.egress', 'path.filter', 'route.missing'], 'consistent'],
  ['EACCES', ['10.0.0.2'], '93.184.216.34', ['host.egress', 'route.missing'], 'consistent'],
])('%s with the own addresses %j and the address %s', async (error, own, address, causes, certainty) => {
  const verification = await checkDials(error, own, address);
  const [{ causes: found = [] } = {}] = verification.links;
  const codes = found.map(({ code }) => code);
  expect(codes.filter((code) => RANKED.includes(code))).toEqual(causes);
  expect(found[0]).toMatchObject({ code: causes[0], certainty });
  expect(findingOf(verification, 'tcp').evidence.error).toBe(error);
});
