import { execFileSync } from 'node:child_process';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { reasonOfCause } from '../../../src/codes/stated.js';
import type { Verification } from '../../../src/verify/model/verification.js';
import { fillingSession } from '../../../src/verify/transport/tls/secure.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  outline,
} from '../../support/verifiable-link.js';
import { startBehindHole } from './far-host.js';
import { firewall, likeNew, withFirewall } from './surroundings.js';

const timeoutMs = 6_000;
/** Addresses that no route leads to here. */
const NOWHERE = '198.18.0.1';
const NOWHERE_6 = '2001:db8::1';

/** Gives this machine an address until the end of the test. */
function inNetwork(address: string): void {
  const ip = (...args: string[]) => execFileSync('ip', args);
  ip('link', 'add', 'here', 'type', 'veth', 'peer', 'name', 'there');
  ip('addr', 'add', address, 'dev', 'here');
  ip('link', 'set', 'here', 'up');
  ip('link', 'set', 'there', 'up');
  onTestFinished(() => {
    ip('link', 'del', 'here');
  });
}

function ranksOf({ links }: Verification): Record<string, number> {
  return Object.fromEntries(
    (links[0]?.causes ?? []).map((cause, i) => [`${reasonOfCause(cause)}`, i]),
  );
}

beforeEach(likeNew);

withFirewall('packets that a firewall drops', async () => {
  const world = await createWorld();
  firewall(`tcp dport ${world.service.port} drop`);
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'tcp.timeout',
    consistent: ['endpoint.security-group', 'endpoint.not-accepted', 'tcp.unreachable: no route'],
    never: ['tcp.refused', 'tcp.unreachable', 'tls.timeout'],
  });
});

withFirewall('a machine with an address of the network is not reported as outside', async () => {
  const world = await createWorld();
  firewall(`tcp dport ${world.service.port} drop`);
  const outside = await check(world, { timeoutMs });
  expect(ranksOf(outside)['host.outside-network']).toBeLessThan(
    ranksOf(outside)['tcp.unreachable: no route'] ?? 0,
  );
  inNetwork('10.1.200.5/16');
  const inside = await check(world, { timeoutMs });
  expect(ranksOf(inside)).toHaveProperty('host.egress');
  expect(ranksOf(inside)).not.toHaveProperty('host.outside-network');
  expect(inside.links[0]?.probes?.find(({ name }) => name === 'own-address')).toMatchObject({
    ok: true,
    evidence: { inside: '10.1.200.5' },
  });
  expect(inside.links[0]?.ruledOut.map(({ text }) => text).join()).not.toMatch(/outside|route/);
});

withFirewall('packets that a firewall rejects look like a port without listener', async () => {
  const world = await createWorld();
  firewall(`tcp dport ${world.service.port} reject with tcp reset`);
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'tcp.refused',
    consistent: ['tcp.refused', 'path.filter'],
    never: ['tcp.timeout', 'endpoint.security-group'],
  });
});

test('no route to the address', async () => {
  const world = await createWorld();
  const links = [link({ expectedAddresses: [], expectedNetworks: [] })];
  world.dns = { names: { [ENDPOINT_HOST]: ['10.77.0.1'] } };
  const verification = await check(world, { links, connectTo: [], timeoutMs });
  expectDiagnosis(verification, {
    fails: 'tcp.unreachable',
    shown: ['tcp.unreachable: no route'],
    never: ['tcp.timeout', 'tcp.refused', 'endpoint.security-group'],
  });
  expect(findingOf(verification, 'tcp').evidence.error).toBe('ENETUNREACH');
});

/** The outcome of a dial to an address of the subnet that nobody has. */
async function checkAbsent(own: string) {
  const world = await createWorld();
  inNetwork(own);
  // Asks sooner again who has the address, so that the system gives up before the check does.
  execFileSync('ip', ['ntable', 'change', 'name', 'arp_cache', 'dev', 'here', 'retrans', '50']);
  const absent = '10.9.0.7';
  const links = [link({ expectedAddresses: [`${absent}/32`], expectedNetworks: ['10.9.0.0/24'] })];
  world.dns = { names: { [ENDPOINT_HOST]: [absent] } };
  return await check(world, { links, connectTo: [], timeoutMs });
}

test.each([
  ['prohibit', 'EACCES'],
  ['blackhole', 'EINVAL'],
])('a route of the kind %s is of this side, for the system itself refuses', async (kind, error) => {
  const world = await createWorld();
  const route = (action: string) => execFileSync('ip', ['route', action, kind, NOWHERE]);
  route('add');
  onTestFinished(() => void route('del'));
  const connectTo = [`${ADDRESS}:443:${NOWHERE}:443`];
  const verification = await check(world, { connectTo, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'tcp.unreachable: local error',
    consistent: ['host.egress', 'tcp.unreachable: no route'],
    never: ['endpoint.security-group', 'endpoint.not-accepted', 'tcp.refused'],
  });
  expect(findingOf(verification, 'tcp').evidence.error).toBe(error);
});

test('an address of the own subnet that nobody has is no matter of routes alone', async () => {
  const verification = await checkAbsent('10.9.0.1/24');
  expectDiagnosis(verification, {
    fails: 'tcp.unreachable',
    consistent: ['endpoint.missing: no host', 'path.filter', 'tcp.unreachable: no route'],
    never: ['host.outside-network', 'endpoint.security-group', 'tcp.timeout'],
    notRuledOut: [/route/, /network/],
  });
  expect(findingOf(verification, 'tcp').evidence.error).toBe('EHOSTUNREACH');
});

withFirewall('a firewall that rejects by ICMP is no missing route', async () => {
  const world = await createWorld();
  firewall(`tcp dport ${world.service.port} reject with icmp type admin-prohibited`);
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails: 'tcp.unreachable',
    consistent: ['endpoint.missing: no host', 'path.filter', 'tcp.unreachable: no route'],
    never: ['tcp.refused', 'tcp.timeout', 'endpoint.security-group'],
  });
  expect(findingOf(verification, 'tcp').evidence.error).toBe('EHOSTUNREACH');
});

test('no route for one family only, which this machine has', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, NOWHERE_6] } };
  const connectTo = [`${ADDRESS}:443:127.0.0.1:${world.service.port}`];
  const links = [link({ via: 'internet', expectedAddresses: [], expectedNetworks: [] })];
  const options = { links, connectTo, timeoutMs };
  expect(outline(await check(world, options))).toContain('tcp warned tcp.unreachable');
  inNetwork('fd00:9::1/64');
  expectDiagnosis(await check(world, options), {
    fails: 'tcp.unreachable',
    shown: ['path.partial: one IP family'],
    never: ['tcp.unreachable: no route', 'path.partial', 'tcp.timeout'],
  });
  expect((await check(world, { ...options, family: 4 })).verdict).toBe('reachable');
});

withFirewall('a slow connection is no block, and clients of Node.js 20 are warned of', async () => {
  const world = await createWorld();
  const second = '10.1.2.4';
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, second] } };
  await world.connectTo({ [ADDRESS]: world.service.port, [second]: world.service.port });
  // Of each connection the first packet is lost, and the same one passes when it is sent again.
  const opening = `tcp dport ${world.service.port} tcp flags syn`;
  firewall(`${opening} meter seen { tcp sport quota over 100 bytes } accept
    ${opening} drop`);
  const links = [link({ expectedAddresses: [`${ADDRESS}/32`, `${second}/32`] })];
  const verification = await check(world, { links });
  expect(verification.verdict).toBe('reachable');
  expect(
    outline(verification)
      .filter((line) => line.startsWith('tcp'))
      .toSorted(),
  ).toEqual(['tcp passed', 'tcp passed', 'tcp warned tcp.slow']);
});

/** Where OpenSSL exchanges keys that fill a packet, a hole that loses full ones loses the handshake first. */
const HAS_LARGE_KEYS = fillingSession() === undefined;

const HOLES: [
  sizes: { toService?: number; toClient?: number },
  shown: string[],
  other: string[],
][] = [
  [{ toService: 1_000 }, ['path.mtu'], []],
  [{ toClient: 600 }, [], ['path.mtu']],
];
if (HAS_LARGE_KEYS) HOLES.push([{ toClient: 1_000 }, [], ['path.mtu']]);

test.each(
  HOLES,
)('packets above a size are lost (%j), and nothing says so', async (sizes, shown, consistent) => {
  const world = await createWorld();
  await startBehindHole(world, sizes);
  const resolve = [`${ENDPOINT_HOST}:443:${ADDRESS}`];
  expectDiagnosis(await check(world, { connectTo: [], resolve, timeoutMs: 8_000 }), {
    fails: 'tls.timeout',
    shown,
    consistent,
    never: [
      'server.no-target',
      'server.no-target: hung program',
      'server.unsteady: one call lost',
      'tcp.timeout',
    ],
    notRuledOut: [/MTU/, /^the network/],
  });
});

test.each([
  ...(HAS_LARGE_KEYS ? [] : (['https'] as const)),
  'http' as const,
])('answers above a size alone are lost over %s', async (scheme) => {
  const world = await createWorld({ scheme });
  const isOfPage = /page_size=(\d+)/;
  world.service.handler = ({ path, headers }) => {
    if (!headers.authorization?.includes('czs_')) return undefined;
    const count = Number(isOfPage.exec(path)?.[1] ?? 20);
    const workspaces = Array.from({ length: count }, (_, i) => ({
      id: `w${i}`,
      name: 'x'.repeat(80),
    }));
    return { body: { code: 0, msg: '', data: { workspaces, total_count: 20 } } };
  };
  await startBehindHole(world, { toClient: 1_000 });
  const resolve = [`${ENDPOINT_HOST}:443:${ADDRESS}`];
  const connectTo = scheme === 'http' ? [`${ADDRESS}:80:${ADDRESS}:443`] : [];
  const links = [link({ baseUrl: `${scheme}://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links, connectTo, resolve, timeoutMs: 8_000 });
  expect(findingOf(verification, 'workspaces').code).toBe('http.timeout');
  expectDiagnosis(verification, {
    fails: 'http.timeout',
    consistent: ['path.mtu', 'server.unsteady: one call lost'],
    never: ['server.unsteady: first call only', 'server.no-target: behind a front'],
    notRuledOut: [/^the network/],
  });
});

test.each([
  ...(HAS_LARGE_KEYS ? [] : [['https', 1_000] as const]),
  ['http', 1_000] as const,
  ['http', 600] as const,
])('a token is lost for its size over %s, above %d bytes', async (scheme, toClient) => {
  const world = await createWorld({ scheme });
  const token = `czs_${'x'.repeat(1_200)}`;
  world.service.handler = ({ path, headers }) =>
    path.endsWith('/token') && headers.authorization
      ? { body: { access_token: token, expires_in: Math.floor(Date.now() / 1_000) + 900 } }
      : undefined;
  await startBehindHole(world, { toClient });
  const resolve = [`${ENDPOINT_HOST}:443:${ADDRESS}`];
  const connectTo = scheme === 'http' ? [`${ADDRESS}:80:${ADDRESS}:443`] : [];
  const links = [link({ baseUrl: `${scheme}://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links, connectTo, resolve, timeoutMs: 8_000 });
  const [first, second] = Object.keys(ranksOf(verification));
  expect([first, second]).toEqual(['path.mtu', 'server.unsteady: one call lost']);
  expectDiagnosis(verification, {
    fails: 'http.timeout',
    consistent: ['path.mtu', 'server.unsteady: one call lost'],
    never: ['server.unsteady: first call only', 'server.no-target: behind a front'],
    notRuledOut: [/^the network/, /MTU/],
  });
});

test('nothing leaves the namespace', () => {
  expect(() => execFileSync('ip', ['route', 'get', NOWHERE], { stdio: 'pipe' })).toThrow();
});
