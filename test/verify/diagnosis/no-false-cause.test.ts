import { channel } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { startBlackHole } from '../../support/black-hole.js';
import { startDns } from '../../support/dns-responder.js';
import { expectDiagnosis } from '../../support/explained.js';
import { startProxy } from '../../support/fake-fronts.js';
import { listen } from '../../support/service-server.js';
import {
  ADDRESS,
  answer,
  check,
  createWorld,
  findingOf,
  link,
  outline,
  PUBLIC,
} from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const ENDPOINT_CAUSES = [
  'endpoint.security-group',
  'endpoint.not-accepted',
  'endpoint.missing',
  'dns.record-wrong: earlier endpoint',
  'address.list-outdated: endpoint replaced',
] as const;

test.each<[string, () => Promise<number>, RegExp]>([
  ['drops packets', startBlackHole, /must take connections, got: nothing/],
  ['never answers CONNECT', () => listen(createServer()), /must answer CONNECT.*got: nothing/],
])('a proxy that %s is what is unreachable, and no security group', async (_, start, error) => {
  const world = await createWorld();
  const proxy = `http://127.0.0.1:${await start()}`;
  const verification = await check(world, { proxy, timeoutMs, probes: false });
  expectDiagnosis(verification, {
    fails: 'proxy.refused: no answer',
    never: ['tcp.timeout', ...ENDPOINT_CAUSES, 'tcp.unreachable: no route', 'host.egress'],
  });
  expect(findingOf(verification, 'tcp').evidence.error).toMatch(error);
});

test('a proxy that is silent shows itself where the direct way works', async () => {
  const world = await createWorld();
  const proxy = `http://127.0.0.1:${await listen(createServer())}`;
  expectDiagnosis(await check(world, { proxy, timeoutMs }), {
    fails: 'proxy.refused: no answer',
    shown: ['proxy.bypass'],
    never: ['tcp.timeout', ...ENDPOINT_CAUSES],
  });
});

test('a proxy that the environment names and that is silent does not take the blame elsewhere', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${await listen(createServer())}` };
  const { links } = await check(world, { environment, timeoutMs });
  expect(links[0]?.probes?.find(({ name }) => name === 'proxy')).toMatchObject({
    code: 'proxy.refused',
    evidence: { seen: 'no answer' },
  });
});

test('an address that is in no list of fixed ones blames no endpoint', async () => {
  const world = await createWorld();
  world.dns = answer(PUBLIC);
  const links = [
    link({ via: 'fixed-ip-egress', expectedAddresses: ['203.0.113.7/32'], expectedNetworks: [] }),
  ];
  await world.connectTo({});
  const verification = await check(world, { links, connectTo: ['*:1-65535:127.0.0.1:1'] });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: not listed',
    consistent: ['address.list-outdated', 'address.unexpected: another host'],
    never: ['address.unexpected', ...ENDPOINT_CAUSES],
  });
  const { cause = '', remedy = '' } = findingOf(verification, 'address');
  expect(`${cause} ${remedy}`).not.toMatch(/endpoint/);
});

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
])('%s is this machine, and not public', async (address) => {
  const world = await createWorld();
  world.dns = answer(address);
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'address.unexpected: this machine',
    never: [
      'address.unexpected: public',
      'address.unexpected',
      ...ENDPOINT_CAUSES,
      'host.outside-network',
    ],
  });
  expect(world.service.requests.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
});

test('a server with the right address shows what hides it from this machine', async () => {
  const world = await createWorld();
  world.dns = answer('0.0.0.0');
  const other = await startDns(() => answer(ADDRESS));
  expectDiagnosis(await check(world, { compareResolvers: [other.server] }), {
    fails: 'address.unexpected: this machine',
    shown: ['dns.other-resolver: another address'],
    never: ['address.unexpected: public'],
  });
});

test.each([
  ['that --resolve gives', { resolve: [`${ENDPOINT_HOST}:443:${ADDRESS}`] }],
  ['that DNS has', {}],
])('--family is named where it leaves none of the addresses %s', async (_, change) => {
  const world = await createWorld();
  const verification = await check(world, { family: 6, ...change });
  expectDiagnosis(verification, {
    fails: 'dns.not-found: no such family',
    never: ['dns.not-found', ...ENDPOINT_CAUSES, 'dns.other-resolver'],
  });
  const { evidence, remedy } = findingOf(verification, 'dns');
  expect(evidence).toMatchObject({ family: 6, addresses: ADDRESS });
  expect(remedy).toContain('--family');
});

test.each([
  1, 2,
])('a DNS server whose answers alternate every %i is no split horizon', async (period) => {
  const world = await createWorld();
  let asked = 0;
  const turn = () => {
    // Two questions, for IPv4 and IPv6, make one.
    const index = Math.floor(asked / 2 / period) % 2;
    asked += 1;
    return answer(index === 0 ? PUBLIC : ADDRESS);
  };
  const alternating = await startDns(turn);
  const other = await startDns(() => answer(ADDRESS));
  const verification = await check(world, {
    dnsServer: alternating.server,
    compareResolvers: [other.server],
  });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: public',
    shown: ['dns.alternating', 'address.unexpected: public'],
    never: ['dns.other-resolver: another address', 'dns.local-override'],
  });
});

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('the load of the check itself is not reported as a slow network', async () => {
  const world = await createWorld();
  const second = '10.1.2.4';
  world.dns = answer(ADDRESS, second);
  await world.connectTo({ [ADDRESS]: world.service.port, [second]: world.service.port });
  const links = [link({ expectedAddresses: [`${ADDRESS}/32`, `${second}/32`] })];
  const tried = channel('net.client.socket');
  // A tick later the connection is on its way; nothing hears of it before this process is free again.
  let busy = 0;
  const keepBusy = () => {
    busy += 1;
    process.nextTick(() => process.nextTick(busyFor, 300));
  };
  tried.subscribe(keepBusy);
  const verification = await check(world, { links }).finally(() => tried.unsubscribe(keepBusy));
  expect(verification.verdict).toBe('reachable');
  expect(busy).toBeGreaterThan(1);
  expect(outline(verification).filter((line) => line.includes('slow'))).toEqual([]);
});

test('through a proxy the silence of the address behind is attributed to the proxy', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 504 });
  const verification = await check(world, { proxy: proxy.url, probes: false });
  expect(findingOf(verification, 'tcp').code).toBe('proxy.refused');
});
