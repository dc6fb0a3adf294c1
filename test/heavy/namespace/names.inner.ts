import { beforeEach, expect, test } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { startDns } from '../../support/dns-responder.js';
import { expectDiagnosis } from '../../support/explained.js';
import { ADDRESS, check, createWorld, findingOf } from '../../support/verifiable-link.js';
import { configure, firewall, likeNew, RESOLV_CONF, withFirewall } from './surroundings.js';

const timeoutMs = 6_000;
const PUBLIC = '93.184.216.34';
const OTHER = '10.1.2.9';
const OWN_NAME = { [ENDPOINT_HOST]: [ADDRESS] };
/** The DNS server of resolv.conf. */
const OWN_SERVER = '127.0.0.1:53';

beforeEach(likeNew);

test('the system’s resolver cannot reach its server', async () => {
  const world = await createWorld();
  await world.connectTo({});
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'dns.server-failed',
    consistent: ['tcp.unreachable: no route'],
    never: ['dns.not-found', 'endpoint.missing'],
  });
  expect(findingOf(verification, 'dns').evidence).toMatchObject({
    server: 'system',
    error: 'EAI_AGAIN',
  });
});

test('the system’s resolver and its server agree that the name does not exist', async () => {
  const world = await createWorld();
  await world.connectTo({});
  await startDns(() => ({ names: {} }), 53);
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'dns.not-found',
    consistent: ['endpoint.missing', 'endpoint.not-accepted'],
    never: ['dns.server-failed: no answer', 'dns.other-resolver', 'dns.local-override'],
  });
  expect(verification.links[0]?.probes?.filter(({ name }) => name === 'resolver')).toMatchObject([
    { changed: OWN_SERVER, ok: false, code: 'dns.not-found', evidence: { isOwn: true } },
  ]);
});

/** Answers of a DNS server that is given with --compare-resolver change nothing here. */
test.each<[besides: string, compared: readonly string[] | undefined]>([
  ['alone', undefined],
  ['with a server to compare that agrees with DNS', [ADDRESS]],
  ['with a server to compare that agrees with the hosts file', [PUBLIC]],
])('the hosts file of this machine precedes DNS, seen %s', async (_, compared) => {
  const world = await createWorld();
  await world.connectTo({});
  await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }), 53);
  const other = compared && (await startDns(() => ({ names: { [ENDPOINT_HOST]: compared } })));
  configure('hosts', `${PUBLIC} ${ENDPOINT_HOST}\n`);
  const verification = await check(world, {
    dnsServer: undefined,
    timeoutMs,
    ...(other && { compareResolvers: [other.server] }),
  });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: public',
    shown: ['dns.local-override', 'address.unexpected: public'],
    never: [
      'dns.other-resolver: another address',
      'dns.record-wrong: hiding private zone',
      'dns.other-resolver',
    ],
  });
  const evidence = verification.links[0]?.causes[0]?.evidence ?? '';
  expect(evidence.split(', ')).toEqual(
    expect.arrayContaining([`system=${PUBLIC}`, `${OWN_SERVER}=${ADDRESS}`]),
  );
});

test('this machine’s own DNS server gives the wrong address too, another the right one', async () => {
  const world = await createWorld();
  await world.connectTo({});
  await startDns(() => ({ names: { [ENDPOINT_HOST]: [PUBLIC] } }), 53);
  const other = await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }));
  const compareResolvers = [other.server];
  const verification = await check(world, { dnsServer: undefined, timeoutMs, compareResolvers });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: public',
    shown: ['dns.other-resolver: another address', 'address.unexpected: public'],
    never: ['dns.local-override', 'dns.record-wrong: hiding private zone'],
  });
});

test.each([
  ['alternates with each question', 1],
  ['alternates more slowly', 2],
])('the system’s DNS server %s, and no hosts file is blamed', async (_, period) => {
  const world = await createWorld();
  await world.connectTo({});
  let asked = 0;
  const turn = () => {
    // Two questions, for IPv4 and IPv6, make one.
    const isRight = Math.floor(asked / 2 / period) % 2 === 1;
    asked += 1;
    return { names: { [ENDPOINT_HOST]: [isRight ? ADDRESS : PUBLIC] } };
  };
  await startDns(turn, 53);
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: public',
    shown: ['dns.alternating', 'address.unexpected: public'],
    never: ['dns.local-override', 'dns.other-resolver: another address'],
  });
});

test('an entry of the hosts file for a name that DNS does not know', async () => {
  const world = await createWorld();
  await world.connectTo({});
  await startDns(() => ({ names: {} }), 53);
  configure('hosts', `${OTHER} ${ENDPOINT_HOST}\n`);
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'address.unexpected',
    consistent: ['address.list-outdated: endpoint replaced', 'dns.local-override'],
    never: ['dns.other-resolver: another address', 'dns.not-found'],
  });
});

test.each<[how: string, resolvConf: string, names: Record<string, string[]>, isShown: boolean]>([
  ['an unknown name', 'search corp.example\n', {}, false],
  ['a name with few dots', 'search a.example corp.example\noptions ndots:9\n', OWN_NAME, true],
])('a search list with a wildcard answers %s, and this machine is blamed', async (...row) => {
  const [, more, own, isShown] = row;
  const world = await createWorld();
  await world.connectTo({});
  await startDns(() => ({ names: { ...own, [`${ENDPOINT_HOST}.corp.example`]: [OTHER] } }), 53);
  configure('resolv.conf', `${RESOLV_CONF}${more}`);
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'address.unexpected',
    [isShown ? 'shown' : 'consistent']: ['dns.local-override'],
    never: ['dns.other-resolver: another address'],
  });
  const causes = verification.links[0]?.causes ?? [];
  const found = causes.find(({ code }) => code === 'dns.local-override');
  expect(found?.evidence).toContain(`system=${OTHER}`);
});

test('an entry of the hosts file for a name that DNS knows is this machine’s own doing', async () => {
  const world = await createWorld();
  await world.connectTo({});
  await startDns(() => ({ names: OWN_NAME }), 53);
  configure('hosts', `${PUBLIC} ${ENDPOINT_HOST}\n`);
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: public',
    shown: ['dns.local-override', 'address.unexpected: public'],
    never: ['dns.other-resolver: another address'],
  });
});

test('this machine does not ask its DNS server, which knows the name', async () => {
  const world = await createWorld();
  await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }), 53);
  const other = await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }));
  configure('nsswitch.conf', 'hosts: files\n');
  for (const compareResolvers of [[], [other.server]]) {
    const verification = await check(world, { dnsServer: undefined, timeoutMs, compareResolvers });
    expectDiagnosis(verification, {
      fails: 'dns.not-found',
      shown: ['dns.local-override'],
      never: [
        'dns.other-resolver',
        'dns.other-resolver: another address',
        'dns.record-wrong',
        'endpoint.missing',
      ],
    });
    expect(verification.links[0]?.causes[0]?.evidence).toBe(
      `system=no address, ${OWN_SERVER}=${ADDRESS}`,
    );
  }
});

withFirewall('the system’s resolver fails, and its server answers a moment later', async () => {
  const world = await createWorld();
  await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }), 53);
  configure('resolv.conf', `${RESOLV_CONF}options edns0\n`);
  // The query of the C library then has an option more than the one that this program sends.
  firewall(`udp dport 53 udp length > ${8 + 12 + ENDPOINT_HOST.length + 2 + 4} reject`);
  const verification = await check(world, { dnsServer: undefined, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'dns.server-failed',
    consistent: ['dns.local-override'],
    never: ['dns.other-resolver', 'dns.not-found', 'endpoint.missing'],
  });
});

test('the system’s resolver serves the good path', async () => {
  const world = await createWorld();
  await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }), 53);
  expect((await check(world, { dnsServer: undefined })).verdict).toBe('reachable');
});
