import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { VerifiableLink } from '../../src/verify/model/options.js';
import { exitOf } from '../../src/verify/model/verdict.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { startBlackHole } from '../support/black-hole.js';
import type { DnsAnswers } from '../support/dns-responder.js';
import { listen } from '../support/service-server.js';
import {
  ADDRESS,
  answer,
  check,
  createWorld,
  findingOf,
  link,
  outline,
  type WorldOptions,
} from '../support/verifiable-link.js';

/** Short enough for a test, long enough for a busy machine. */
const timeoutMs = 4_000;

test.each<[why: string, dns: DnsAnswers, code: string]>([
  ['the name does not exist', { names: {} }, 'dns.not-found'],
  ['the name has no address', { names: { [ENDPOINT_HOST]: [] } }, 'dns.not-found'],
  ['the DNS server fails', { fault: 'SERVFAIL' }, 'dns.server-failed'],
  ['the DNS server refuses', { fault: 'REFUSED' }, 'dns.server-failed'],
  ['it refuses to recurse', { fault: 'REFUSED', recurses: false }, 'dns.server-failed'],
  [
    'it only refers to others',
    { names: { [ENDPOINT_HOST]: [] }, recurses: false },
    'dns.server-failed',
  ],
  ['the DNS server is silent', { fault: 'silent' }, 'dns.server-failed'],
])('%s', async (_, dns, code) => {
  const world = await createWorld();
  world.dns = dns;
  const verification = await check(world, { timeoutMs });
  expect(outline(verification).slice(1, 4)).toEqual([
    `dns failed ${code}`,
    'address skipped',
    'tcp skipped',
  ]);
  expect(verification.verdict).toBe('unreachable');
  expect(exitOf(verification)).toBe(10);
  expect(world.service.requests.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
});

test('slow DNS that answers leaves the later stages their time', async () => {
  const world = await createWorld();
  world.dns = { ...world.dns, delayMs: 300 };
  expect((await check(world, { timeoutMs: 20_000 })).verdict).toBe('reachable');
  world.service.handler = () => 'silent';
  const verification = await check(world, { timeoutMs: 6_000 });
  expect(outline(verification).slice(1)).toEqual([
    'dns passed',
    'address passed',
    'tcp passed',
    'tls skipped',
    'http failed http.timeout',
    'token skipped',
    'workspaces skipped',
  ]);
});

test('DNS that is slower than its share is cut off, and not the run', async () => {
  const world = await createWorld();
  world.dns = { ...world.dns, delayMs: timeoutMs / 2 };
  const verification = await check(world, { timeoutMs });
  expect(outline(verification)[1]).toBe('dns failed dns.server-failed');
  expect(exitOf(verification)).toBe(10);
});

test.each([
  ['SERVFAIL', 'AAAA: ESERVFAIL'],
  ['NXDOMAIN', 'AAAA: ENOTFOUND'],
  ['silent', 'AAAA: ETIMEOUT: nothing within'],
] as const)('a DNS server that answers for one family and for the other with %s warns', async (ipv6Fault, fails) => {
  const world = await createWorld();
  world.dns = { ...answer(ADDRESS), ipv6Fault };
  const verification = await check(world, { timeoutMs: 6_000 });
  expect(verification.verdict).toBe('reachable');
  const { code, evidence } = findingOf(verification, 'dns');
  expect([code, evidence.fails]).toEqual(['dns.server-failed', expect.stringContaining(fails)]);
});

test.each([
  [
    'SERVFAIL',
    'dns.server-failed',
    /^ESERVFAIL: to the question for AAAA; for A it answers ENODATA$/,
  ],
  [
    'silent',
    'dns.server-failed',
    /^ETIMEOUT: nothing within \d+ ms to the question for AAAA; for A it answers ENODATA$/,
  ],
] as const)('a DNS server that denies one family and for the other gives %s is said to answer', async (ipv6Fault, code, error) => {
  const world = await createWorld();
  world.dns = { ...answer(), ipv6Fault };
  const finding = findingOf(await check(world, { timeoutMs: 6_000 }), 'dns');
  expect([finding.code, finding.evidence.error]).toEqual([code, expect.stringMatching(error)]);
});

test('nothing listens where the DNS server should be', async () => {
  const world = await createWorld();
  const server = createServer();
  const port = await listen(server);
  const verification = await check(world, { dnsServer: `127.0.0.1:${port}`, timeoutMs });
  expect(findingOf(verification, 'dns')).toMatchObject({
    code: 'dns.server-failed',
    evidence: { error: 'ECONNREFUSED', server: `127.0.0.1:${port}` },
  });
});

test.each<[why: string, address: string, change: Partial<VerifiableLink>, code: string]>([
  ['a public address on a private link', '93.184.216.34', {}, 'address.unexpected'],
  ['another private address', '10.1.2.9', {}, 'address.unexpected'],
  ['outside the network', '10.9.0.1', { expectedAddresses: [] }, 'address.unexpected'],
  [
    'a foreign address on a fixed-ip-egress link',
    '10.1.2.9',
    { via: 'fixed-ip-egress' },
    'address.unexpected',
  ],
  ['an IPv6 address where IPv4 is declared', 'fd00::1', {}, 'address.unexpected'],
  ['a public IPv6 address', '2606:4700::1', {}, 'address.unexpected'],
])('%s is refused before it is dialled', async (_, address, change, code) => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [address] } };
  await world.connectTo({ [address]: world.service.port });
  const verification = await check(world, { links: [link(change)] });
  expect(outline(verification).slice(2, 4)[0]).toBe(`address failed ${code}`);
  expect(outline(verification).at(-1)).toBe('workspaces skipped');
  expect(exitOf(verification)).toBe(11);
  expect(world.service.count.connections).toBe(0);
});

test.each<[why: string, change: Partial<VerifiableLink>]>([
  ['an undeclared network', { expectedAddresses: [], expectedNetworks: [] }],
  ['an internet link', { via: 'internet', expectedAddresses: [], expectedNetworks: [] }],
])('plain http over %s is refused', async (_, change) => {
  const world = await createWorld({ scheme: 'http' });
  const links = [link({ baseUrl: `http://${ENDPOINT_HOST}`, ...change })];
  const verification = await check(world, { links });
  expect(outline(verification)[2]).toBe('address failed address.plain-http');
  expect(world.service.requests).toEqual([]);
});

test('an expected address that the name lacks is a warning', async () => {
  const world = await createWorld();
  const links = [link({ expectedAddresses: [`${ADDRESS}/32`, '10.1.2.4/32'] })];
  const verification = await check(world, { links });
  expect(verification.verdict).toBe('reachable');
  expect(outline(verification)).toContain('address warned path.partial');
  expect([exitOf(verification), exitOf(verification, { strict: true })]).toEqual([0, 21]);
});

test.each<[why: string, resolved: string[], family: 4 | 6 | undefined]>([
  ['the name has none of them', ['10.1.2.9'], undefined],
  ['the name has only a public address', ['93.184.216.34'], undefined],
  ['the family that is missing was not asked for', [ADDRESS], 4],
])('no zone is said to be left out where %s', async (_, resolved, family) => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: resolved } };
  const expectedAddresses = [`${ADDRESS}/32`, ...(family ? ['fd00::4/128'] : ['10.1.2.4/32'])];
  const expectedNetworks = ['10.1.0.0/16', 'fd00::/8'];
  const links = [link({ expectedAddresses, expectedNetworks })];
  const verification = await check(world, { links, family });
  expect(outline(verification).filter((line) => line.includes('missing'))).toEqual([]);
});

test('nothing listens on the port', async () => {
  const world = await createWorld();
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world);
  expect(outline(verification).slice(3, 5)).toEqual(['tcp failed tcp.refused', 'tls skipped']);
  expect(exitOf(verification)).toBe(12);
  expect(verification.links[0]?.ruledOut[0]?.text).toBe('DNS server failure');
});

test('the packets are dropped', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await startBlackHole() });
  const verification = await check(world, { timeoutMs });
  expect(outline(verification)[3]).toBe('tcp failed tcp.timeout');
  expect(exitOf(verification)).toBe(12);
});

test('one of two addresses drops the packets, and the other carries the check to its end', async () => {
  const world = await createWorld();
  const addresses = [ADDRESS, '10.1.2.4'];
  world.dns = { names: { [ENDPOINT_HOST]: addresses } };
  await world.connectTo({ [ADDRESS]: await startBlackHole(), '10.1.2.4': world.service.port });
  const links = [link({ expectedAddresses: addresses.map((one) => `${one}/32`) })];
  const verification = await check(world, { links, timeoutMs });
  expect(outline(verification).slice(4)).toEqual([
    'tcp failed tcp.timeout',
    'tcp passed',
    'tls skipped',
    'tls passed',
    'http skipped',
    'http passed',
    'token passed',
    'workspaces passed',
  ]);
  expect(findingOf(verification, 'tcp').address).toBe(ADDRESS);
  expect([verification.verdict, exitOf(verification)]).toEqual(['unreachable', 12]);
});

test.each<[why: string, world: WorldOptions, code: string]>([
  ['a certificate for another name', { names: ['other.example'] }, 'tls.name-mismatch'],
  ['a certificate of a stranger', { untrusted: true }, 'tls.untrusted'],
  ['an expired certificate', { fromDays: -9, toDays: -2 }, 'tls.expired'],
  ['a certificate of tomorrow', { fromDays: 2, toDays: 9 }, 'tls.expired'],
  ['a demand for a client certificate', { clientCertificate: true }, 'tls.client-certificate'],
])('%s', async (_, choices, code) => {
  const world = await createWorld(choices);
  const verification = await check(world);
  expect(outline(verification).slice(3, 6)).toEqual([
    'tcp passed',
    `tls failed ${code}`,
    'http skipped',
  ]);
  expect(findingOf(verification, 'tls').evidence).toMatchObject({
    serverName: ENDPOINT_HOST,
    issuer: choices.untrusted ? 'Stranger' : 'Test Authority',
  });
  expect(exitOf(verification)).toBe(13);
  // Where only the time is wrong, the server's clock is asked for, and nothing is shown to it.
  const isDated = code === 'tls.expired' || code === 'tls.expired';
  const asked = world.service.requests.map(({ method, path, headers }) => [
    method,
    path.replace(/\?.*/, ''),
    headers.authorization,
  ]);
  expect(asked).toEqual(isDated ? [['GET', '/v1/workspaces', undefined]] : []);
});

test('the names of the wrong certificate are shown', async () => {
  const world = await createWorld({ names: ['other.example', 'api.service.example'] });
  const { evidence } = findingOf(await check(world), 'tls');
  expect(evidence.names).toBe('DNS:other.example, DNS:api.service.example');
});

test.each<[why: string, answer: (socket: Socket) => void, code: string]>([
  [
    'a server that resets',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    'tls.reset',
  ],
  ['a server that hangs up', (socket) => socket.once('data', () => socket.end()), 'tls.reset'],
  ['a server that says nothing', () => undefined, 'tls.timeout'],
  [
    'a server of plain HTTP',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    'tls.not-tls',
  ],
  [
    'a server that greets in another protocol',
    (socket) => socket.write('SSH-2.0-x\r\n'),
    'tls.not-tls',
  ],
  [
    'a server that refuses with an alert',
    (socket) => socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40]))),
    'tls.failed',
  ],
])('%s in place of a handshake', async (_, answer, code) => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await listen(createServer(answer)) });
  const verification = await check(world, { timeoutMs });
  expect(outline(verification).slice(3, 6)).toEqual([
    'tcp passed',
    `tls failed ${code}`,
    'http skipped',
  ]);
});
