import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { reasonOfCause } from '../../../src/codes/stated.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { bracketed } from '../../../src/verify/transport/addresses.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  stagesOf,
} from '../../support/verifiable-link.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const IPV6 = '2001:db8::1';

const RANKED = ['host.egress', 'path.filter', 'tcp.unreachable: no route'];

/** Has every dial to an address end with an error, and checks a link to the internet. */
async function checkDials(error: string, own: readonly string[], ...addresses: string[]) {
  const [address = ''] = addresses;
  const entries = own.map((text) => ({ address: text, internal: text === '::1' }));
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: entries as NetworkInterfaceInfo[] });
  syncBuiltinESMExports();
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: addresses } };
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function dial(this: Socket, ...to) {
    if (!JSON.stringify(to).includes(address)) return connect.apply(this, to);
    process.nextTick(() => this.destroy(Object.assign(new Error(error), { code: error })));
    return this;
  });
  const links = [link({ via: 'internet', expectedAddresses: [], expectedNetworks: [] })];
  const connectTo = addresses
    .slice(1)
    .map((one) => `${bracketed(one)}:443:127.0.0.1:${world.service.port}`);
  return await check(world, { links, connectTo, timeoutMs: 3_000 });
}

test.each<[string, readonly string[], string, readonly string[], string]>([
  ['EHOSTUNREACH', ['10.0.0.2', '::1', 'fe80::1'], IPV6, ['tcp.unreachable: no route'], 'shown'],
  ['EHOSTUNREACH', ['fd00::2'], IPV6, ['tcp.unreachable: no route', 'path.filter'], 'consistent'],
  [
    'EHOSTUNREACH',
    ['10.0.0.2'],
    '93.184.216.34',
    ['path.filter', 'tcp.unreachable: no route'],
    'consistent',
  ],
  [
    'EACCES',
    ['fd00::2'],
    IPV6,
    ['host.egress', 'path.filter', 'tcp.unreachable: no route'],
    'consistent',
  ],
  [
    'EACCES',
    ['10.0.0.2'],
    '93.184.216.34',
    ['host.egress', 'tcp.unreachable: no route'],
    'consistent',
  ],
])('%s with the own addresses %j and the address %s', async (error, own, address, causes, certainty) => {
  const verification = await checkDials(error, own, address);
  const [{ causes: found = [] } = {}] = verification.links;
  const reasons = found.map((one) => `${reasonOfCause(one)}`);
  expect(reasons.filter((reason) => RANKED.includes(reason))).toEqual(causes);
  expect([reasons[0], found[0]?.certainty]).toEqual([causes[0], certainty]);
  expect(findingOf(verification, 'tcp').evidence.error).toBe(error);
});

test.each([
  ['EHOSTUNREACH', ['10.0.0.2', '::1', 'fe80::1'], IPV6],
  ['EADDRNOTAVAIL', ['10.0.0.2'], IPV6],
  ['EAFNOSUPPORT', ['10.0.0.2'], IPV6],
  ['ENETUNREACH', ['fd00::2'], '93.184.216.34'],
])('a machine without the family of one address (%s, own %j) warns of it, and the link is sound', async (error, own, address) => {
  const other = address === IPV6 ? ADDRESS : 'fd00::9';
  const verification = await checkDials(error, own, address, other);
  expect([verification.verdict, exitOf(verification)]).toEqual(['reachable', 0]);
  expect(exitOf(verification, { strict: true })).toBe(21);
  const [warned, ...others] = stagesOf(verification).filter(({ status }) => status === 'warned');
  expect(others).toEqual([]);
  expect(warned).toMatchObject({
    code: 'tcp.unreachable',
    evidence: {
      seen: 'not this family',
      addresses: address,
      own: expect.stringMatching(/^no IPv[46] address but/),
    },
  });
  const notRun = textReport(verification)
    .split('\n')
    .filter((line) => line.includes('not run '));
  expect(notRun).toEqual([`  not run  tls at ${address}, http at ${address}`]);
});

test('an address of the other family that works says nothing for a machine that has both', async () => {
  const own = ['10.0.0.2', '2001:db8::2'];
  expectDiagnosis(await checkDials('EHOSTUNREACH', own, IPV6, ADDRESS), {
    fails: 'tcp.unreachable',
    shown: ['path.partial: one IP family'],
    never: ['tcp.unreachable: no route'],
  });
});
