import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { reasonOfCause } from '../../../src/codes/stated.js';
import type { VerifyOptions } from '../../../src/verify/model/options.js';
import type { Progress } from '../../../src/verify/model/verification.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { type DnsAnswers, startDns } from '../../support/dns-responder.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  PUBLIC,
  stagesOf,
} from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const OTHER = '10.1.2.9';
const THIRD = '10.1.2.10';

interface Case {
  readonly row: string;
  readonly dns: DnsAnswers;
  /** The answer of another DNS server; none is asked where this is left out. */
  readonly other?: DnsAnswers;
  /** True if the expected address works when it is dialled. */
  readonly isUp?: boolean;
  readonly expected: Expected;
}

const answer = (address: string): DnsAnswers => ({ names: { [ENDPOINT_HOST]: [address] } });

const CASES: readonly Case[] = [
  {
    row: 'the name exists nowhere',
    dns: { names: {} },
    other: { names: {} },
    expected: {
      fails: 'dns.not-found',
      consistent: ['endpoint.missing', 'endpoint.not-accepted'],
      never: [
        'dns.server-failed: no answer',
        'dns.other-resolver',
        'dns.record-wrong: hiding private zone',
        'dns.record-wrong',
      ],
      notRuledOut: [/endpoint/, /network/],
    },
  },
  {
    row: 'the name exists nowhere, but the endpoint works',
    dns: { names: {} },
    isUp: true,
    expected: {
      fails: 'dns.not-found',
      shown: ['dns.record-wrong'],
      never: ['endpoint.missing', 'endpoint.not-accepted', 'host.outside-network'],
      ruledOut: [/endpoint, its security group and the route/],
    },
  },
  {
    row: 'the name is an alias of one that has no address',
    dns: { aliases: { [ENDPOINT_HOST]: 'gone.private.example' } },
    other: { aliases: { [ENDPOINT_HOST]: 'gone.private.example' } },
    expected: {
      fails: 'dns.not-found: empty alias',
      shown: ['dns.not-found: empty alias'],
      never: [
        'dns.not-found',
        'dns.server-failed: no answer',
        'dns.other-resolver',
        'dns.record-wrong: hiding private zone',
      ],
    },
  },
  {
    row: 'another DNS server knows the private address',
    dns: { names: {} },
    other: answer(ADDRESS),
    expected: {
      fails: 'dns.not-found',
      shown: ['dns.other-resolver'],
      never: [
        'dns.record-wrong: hiding private zone',
        'endpoint.missing',
        'dns.other-resolver: another address',
      ],
    },
  },
  {
    row: 'a public address elsewhere, which a zone of this DNS server may hide',
    dns: { names: {} },
    other: answer(PUBLIC),
    expected: {
      fails: 'dns.not-found',
      consistent: [
        'endpoint.missing',
        'endpoint.not-accepted',
        'dns.record-wrong: hiding private zone',
      ],
      never: ['dns.other-resolver', 'dns.other-resolver: another address'],
    },
  },
  {
    row: 'the DNS server is silent, another answers',
    dns: { fault: 'silent' },
    other: answer(ADDRESS),
    expected: {
      fails: 'dns.server-failed: no answer',
      shown: ['dns.other-resolver'],
      never: ['dns.not-found', 'dns.record-wrong: hiding private zone', 'endpoint.missing'],
      notRuledOut: [/DNS/],
    },
  },
  {
    row: 'the DNS server fails, and there is no other',
    dns: { fault: 'SERVFAIL' },
    expected: {
      fails: 'dns.server-failed',
      never: ['dns.not-found', 'endpoint.missing', 'endpoint.not-accepted'],
    },
  },
  {
    row: 'a public address, and another DNS server has the private one',
    dns: answer(PUBLIC),
    other: answer(ADDRESS),
    expected: {
      fails: 'address.unexpected: public',
      shown: ['dns.other-resolver: another address', 'address.unexpected: public'],
      never: ['dns.not-found', 'address.unexpected', 'host.outside-network'],
      notRuledOut: [/./],
    },
  },
  {
    row: 'a public address, and the endpoint works when it is dialled',
    dns: answer(PUBLIC),
    isUp: true,
    expected: {
      fails: 'address.unexpected: public',
      shown: ['dns.record-wrong', 'address.unexpected: public'],
      never: ['dns.not-found', 'address.unexpected', 'dns.record-wrong: earlier endpoint'],
      ruledOut: [/endpoint, its security group/],
    },
  },
  {
    row: 'a public address, and nothing else is known',
    dns: answer(PUBLIC),
    expected: {
      fails: 'address.unexpected: public',
      shown: ['address.unexpected: public'],
      consistent: ['host.outside-network'],
      never: ['dns.other-resolver: another address', 'dns.record-wrong', 'tcp.timeout'],
      notRuledOut: [/./],
    },
  },
  {
    row: 'an old private address, and the expected one works',
    dns: answer(OTHER),
    isUp: true,
    expected: {
      fails: 'address.unexpected',
      shown: ['dns.record-wrong: earlier endpoint'],
      never: [
        'address.unexpected: public',
        'dns.record-wrong: hiding private zone',
        'address.list-outdated: endpoint replaced',
      ],
    },
  },
  {
    row: 'a public address, and another DNS server has the private one, which works',
    dns: answer(PUBLIC),
    other: answer(ADDRESS),
    isUp: true,
    expected: {
      fails: 'address.unexpected: public',
      shown: ['dns.other-resolver: another address', 'address.unexpected: public'],
      never: ['dns.record-wrong', 'dns.local-override', 'host.outside-network'],
      ruledOut: [/endpoint, its security group/],
    },
  },
  {
    row: 'an unexpected address here, and another unexpected one elsewhere',
    dns: answer(OTHER),
    other: answer(THIRD),
    expected: {
      fails: 'address.unexpected',
      consistent: [
        'address.list-outdated: endpoint replaced',
        'dns.record-wrong: earlier endpoint',
        'dns.other-resolver: another address',
      ],
      never: ['dns.local-override', 'address.unexpected: public', 'dns.record-wrong'],
    },
  },
  {
    row: 'another private address, and the expected one does not work',
    dns: answer(OTHER),
    expected: {
      fails: 'address.unexpected',
      consistent: [
        'address.list-outdated: endpoint replaced',
        'dns.record-wrong: earlier endpoint',
      ],
      never: ['address.unexpected: public', 'dns.record-wrong', 'tcp.refused'],
    },
  },
];

test.each(CASES)('$row', async ({ dns, other, isUp = false, expected }) => {
  const world = await createWorld();
  world.dns = dns;
  await world.connectTo({ [ADDRESS]: isUp ? world.service.port : world.refusingPort });
  const others = other && (await startDns(() => other));
  const options: Partial<VerifyOptions> = { timeoutMs };
  const verification = await check(world, {
    ...options,
    ...(others && { compareResolvers: [others.server] }),
  });
  expectDiagnosis(verification, expected);
  expect(world.service.requests.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
});

test.each<[DnsAnswers, string]>([
  [{ fault: 'SERVFAIL' }, 'dns.server-failed'],
  [{ fault: 'silent' }, 'dns.server-failed: no answer'],
  [{ fault: 'REFUSED', recurses: false }, 'dns.server-failed: no recursion'],
])('a DNS server that fails in passing (%j) is no wrong server', async (dns, fails) => {
  const world = await createWorld();
  const other = await startDns(() => answer(ADDRESS));
  world.dns = dns;
  const onProgress = ({ kind }: Progress) => {
    if (kind === 'probes') world.dns = answer(ADDRESS);
  };
  const compareResolvers = [other.server];
  const verification = await check(world, { timeoutMs, compareResolvers, onProgress });
  expectDiagnosis(verification, {
    fails,
    shown: [fails],
    never: ['dns.other-resolver', 'dns.alternating', 'dns.local-override'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toContain(`${fails}, then ${ADDRESS}`);
});

test.each<[DnsAnswers, string, string]>([
  [{ fault: 'SERVFAIL' }, 'dns.server-failed', 'dns.server-failed'],
  [{ names: {} }, 'dns.not-found', 'dns.alternating'],
])('a server that fails in passing (%j) is asked again where no other is compared', async (dns, fails, cause) => {
  const world = await createWorld();
  world.dns = dns;
  const onProgress = ({ kind }: Progress) => {
    if (kind === 'probes') world.dns = answer(ADDRESS);
  };
  expectDiagnosis(await check(world, { timeoutMs, onProgress }), {
    fails,
    shown: [cause],
    never: ['dns.record-wrong', 'endpoint.missing'],
  });
});

test('where nobody asked DNS, no record is wrong', async () => {
  const world = await createWorld();
  const byAddress = { links: [link({ baseUrl: `https://${OTHER}` })] };
  for (const given of [byAddress, { resolve: [`${ENDPOINT_HOST}:443:${OTHER}`] }]) {
    const verification = await check(world, { timeoutMs, ...given });
    expectDiagnosis(verification, {
      fails: 'address.unexpected',
      never: ['dns.record-wrong', 'dns.record-wrong: earlier endpoint'],
    });
    expect(verification.links[0]?.causes[0]?.code).toMatch(/^address\./);
  }
});

test('an alias without recursion says nothing of the name that it leads to', async () => {
  const world = await createWorld();
  world.dns = { aliases: { [ENDPOINT_HOST]: 'other.private.example' }, recurses: false };
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails: 'dns.server-failed: no recursion',
    never: ['dns.not-found: empty alias'],
  });
  expect(findingOf(verification, 'dns').evidence.error).toContain('→ other.private.example');
});

test('nothing is said of the expected address that its dial contradicts', async () => {
  const world = await createWorld();
  world.dns = answer(OTHER);
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const { links } = await check(world);
  const [first, second] = links[0]?.causes ?? [];
  expect(links[0]?.causes.map(reasonOfCause)).toEqual([
    'address.list-outdated: endpoint replaced',
    'dns.record-wrong: earlier endpoint',
    'address.unexpected',
  ]);
  expect(first?.evidence).toContain(`${ADDRESS}=fails with tcp.refused`);
  expect(`${first?.text} ${second?.text}`).not.toMatch(/works|answers/);
});

test('a record that is still cached heals while the check waits', async () => {
  const world = await createWorld();
  world.dns = answer(OTHER);
  await world.connectTo({ [ADDRESS]: world.service.port });
  const verification = await check(world, {
    waitMs: 20_000,
    retryDelayMs: 20,
    onProgress: ({ kind }) => {
      if (kind === 'retry') world.dns = answer(ADDRESS);
    },
  });
  expect(verification.verdict).toBe('reachable');
  expect(verification.links[0]?.notes).toEqual(['failed before it passed: address.unexpected ×1']);
});

test('a machine outside the networks of the link is named as the cause, and nothing else', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const links = [link({ expectedNetworks: ['198.18.0.0/15'], expectedAddresses: [] })];
  const { links: results } = await check(world, { links });
  expect(results[0]?.causes.find(({ code }) => code === 'host.outside-network')).toMatchObject({
    certainty: 'consistent',
    text: expect.stringMatching(/^Consistent with.*an address from DNS.* does not prove/),
    evidence: expect.stringContaining('networks=198.18.0.0/15'),
    inspect: expect.stringContaining('route table'),
  });
});

test('addresses that are given are judged as resolved ones are, and DNS is not asked', async () => {
  const world = await createWorld();
  const rule = `${ENDPOINT_HOST}:443:${ADDRESS}`;
  const given = await check(world, { resolve: [rule] });
  expect([given.verdict, world.asked]).toEqual(['reachable', []]);
  expect(findingOf(given, 'dns').evidence.reason).toBe('the addresses are given');
  const wrong = await check(world, { resolve: [`${ENDPOINT_HOST}:443:${PUBLIC}`] });
  expect(reasonOf(findingOf(wrong, 'address'))).toBe('address.unexpected: public');
});

test('addresses of a fixed-IP link are not judged where none are expected', async () => {
  const world = await createWorld();
  const links = [link({ via: 'fixed-ip-egress', expectedAddresses: [], expectedNetworks: [] })];
  expect(findingOf(await check(world, { links }), 'address')).toMatchObject({
    status: 'warned',
    code: 'address.not-judged',
  });
});

test('only addresses of the chosen family are asked for and dialled', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, 'fd00::5'] } };
  const links = [link({ expectedAddresses: [], expectedNetworks: ['10.1.0.0/16', 'fd00::/8'] })];
  await world.connectTo({ [ADDRESS]: world.service.port, 'fd00::5': world.service.port });
  const four = await check(world, { links, family: 4 });
  expect(findingOf(four, 'dns').evidence.addresses).toBe(ADDRESS);
  expect(world.asked).toEqual([`A ${ENDPOINT_HOST}`]);
  const six = await check(world, { links, family: 6 });
  expect(findingOf(six, 'tcp')).toMatchObject({ address: 'fd00::5', evidence: { family: 6 } });
});

test.each([
  ['169.254.10.20', /169\.254\.0\.0\/16, link-local/],
  ['64:ff9b::a01:203', /NAT64.*private address 10\.1\.2\.3/],
  ['198.18.0.9', /benchmarks/],
])('%s on a private link is told as what it is, and not as public', async (address, range) => {
  const world = await createWorld();
  world.dns = answer(address);
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'address.unexpected: special',
    shown: ['dns.record-wrong'],
    never: [
      'address.unexpected: public',
      'endpoint.missing',
      'address.list-outdated: endpoint replaced',
    ],
  });
  expect(findingOf(verification, 'address').evidence.range).toMatch(range);
});

test.each<[wrong: string, right: string, family: string | undefined]>([
  ['2600:1f18::1', ADDRESS, 'IPv6'],
  [PUBLIC, 'fd00::5', 'IPv4'],
  [PUBLIC, ADDRESS, undefined],
])('a public %s beside the private %s: the records that are wrong are named', async (wrong, right, family) => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [wrong, right] } };
  await world.connectTo({ [right]: world.service.port });
  const links = [link({ expectedAddresses: [], expectedNetworks: ['10.1.0.0/16', 'fd00::/8'] })];
  const verification = await check(world, { links, timeoutMs });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: others right',
    shown: ['address.unexpected: others right'],
    never: [
      'address.unexpected: public',
      'host.outside-network',
      'dns.record-wrong: managed elsewhere',
    ],
  });
  const [failed] = stagesOf(verification).filter(({ status }) => status === 'failed');
  expect([failed?.address, failed?.evidence.right, failed?.evidence.family]).toEqual([
    wrong,
    right,
    family,
  ]);
});

test.each([
  ['127.0.0.1', '127.0.0.0/8', 'passed'],
  ['::1', '::1/128', 'passed'],
  ['198.18.0.7', '198.18.0.0/15', 'passed'],
  ['127.0.0.1', '10.1.0.0/16', 'failed'],
  [PUBLIC, '93.184.216.0/24', 'failed'],
])('%s, where %s is expected, has %s', async (address, network, status) => {
  const world = await createWorld();
  world.dns = answer(address);
  await world.connectTo({ [address]: world.service.port });
  const links = [link({ expectedAddresses: [], expectedNetworks: [network] })];
  expect(findingOf(await check(world, { links, timeoutMs }), 'address').status).toBe(status);
});
