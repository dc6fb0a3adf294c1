import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { VerifiableLink } from '../../../src/verify/model/options.js';
import { API_HOST, ENDPOINT_HOST } from '../../support/application.js';
import { startBlackHole } from '../../support/black-hole.js';
import type { Validity } from '../../support/certificates.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import { startGate } from '../../support/fake-fronts.js';
import { answerRaw } from '../../support/raw-service.js';
import { listen, type ServiceServer, startService } from '../../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  link,
  outline,
  stagesOf,
  type World,
} from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const SECOND = '10.1.2.4';
const EXPECTED = { expectedAddresses: [`${ADDRESS}/32`, `${SECOND}/32`] };
const INTERNET: Partial<VerifiableLink> = {
  via: 'internet',
  expectedAddresses: [],
  expectedNetworks: [],
};
const FIXED_IP: Partial<VerifiableLink> = {
  via: 'fixed-ip-egress',
  ...EXPECTED,
  expectedNetworks: [],
};

const NETWORK_CAUSES = [
  'server.no-target',
  'server.other-service',
  'path.inspection',
  'path.filter',
  'path.mtu',
  'server.unsteady: one call lost',
];

/** A world whose second address leads elsewhere. */
async function twoAddresses(
  lead: (world: World) => Promise<number>,
  change: Partial<VerifiableLink> = EXPECTED,
) {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, SECOND] } };
  await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: await lead(world) });
  return await check(world, { links: [link(change)], timeoutMs });
}

async function otherService(
  { authority }: World,
  names: readonly string[] = [ENDPOINT_HOST],
  validity: Validity = {},
): Promise<ServiceServer> {
  return await startService(await authority.issue(names, validity));
}

const HOW: [how: string, lead: (world: World) => Promise<number>, fails: string][] = [
  ['is silent', () => startBlackHole(), 'tcp.timeout'],
  ['refuses', async ({ refusingPort }) => refusingPort, 'tcp.refused'],
];

test.each(
  HOW,
)('one of the fixed addresses %s, and the report says to allow it', async (_, lead, fails) => {
  const verification = await twoAddresses(lead, FIXED_IP);
  expectDiagnosis(verification, {
    fails,
    consistent: ['host.egress'],
    never: [
      'path.partial',
      'dns.record-wrong: earlier endpoint',
      'endpoint.security-group',
      'tcp.unreachable: no route',
    ],
  });
  expect(JSON.stringify(verification.links[0])).not.toMatch(/endpoint’s|behind the endpoint/);
  expect(verification.links[0]?.causes[0]?.evidence).toBe(
    `fails=${SECOND}, works=${ADDRESS}, add=${SECOND} port 443`,
  );
});

test.each(HOW)('one address on the internet %s, and no zone is blamed', async (_, lead, fails) => {
  const verification = await twoAddresses(lead, INTERNET);
  const isRefused = fails === 'tcp.refused';
  expectDiagnosis(verification, {
    fails,
    shown: isRefused ? ['path.partial'] : [],
    consistent: isRefused ? [] : ['host.egress'],
    never: [
      isRefused ? 'host.egress' : 'path.partial',
      'dns.record-wrong: earlier endpoint',
      'endpoint.security-group',
      'tcp.unreachable: no route',
    ],
  });
});

test('an address at which the service reports a failure of its own is none that works', async () => {
  const verification = await twoAddresses(async (world) => {
    const other = await otherService(world);
    other.handler = () => ({ status: 500, body: { code: 5000, msg: 'oops' } });
    // The first that is ready gets the token call, which is to be the other.
    const gate = await startGate(other.port);
    world.service.handler = () => {
      gate.open();
      return undefined;
    };
    return gate.port;
  });
  expectDiagnosis(verification, {
    fails: 'http.server-error',
    shown: ['path.partial'],
    never: ['server.no-target: behind a front', 'http.unexpected-answer'],
  });
  const failure = verification.links[0]?.stages.find(({ status }) => status === 'failed');
  expect(failure).toMatchObject({
    address: SECOND,
    evidence: { httpStatus: 500, serviceCode: '5000', serviceMessage: 'oops' },
  });
});

test('a clock whose JWT was accepted is not why a certificate at another address is out of its time', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, SECOND] } };
  // It does not tell the time, so the token is all that shows this machine's clock.
  const port = await answerRaw(world, () => undefined);
  const other = await otherService(world, [ENDPOINT_HOST], { fromDays: -90, toDays: -2 });
  await world.connectTo({ [ADDRESS]: port, [SECOND]: other.port });
  expectDiagnosis(await check(world, { links: [link(EXPECTED)], timeoutMs }), {
    fails: 'tls.expired',
    shown: ['tls.expired', 'path.partial'],
    never: ['host.clock'],
  });
});

test.each<[string, (world: World) => Promise<number>, Expected]>([
  [
    'another certificate is more likely a leftover',
    async (world) => (await otherService(world, ['other.example'])).port,
    {
      fails: 'tls.name-mismatch',
      consistent: ['dns.record-wrong: earlier endpoint', 'path.partial'],
      never: NETWORK_CAUSES,
    },
  ],
  [
    'plain HTTP speaks no TLS, though it waits for the end of a request',
    async () =>
      await listen(
        createServer((socket) => {
          let seen = '';
          socket.on('data', (bytes) => {
            seen += bytes.toString('latin1');
            if (seen.includes('\r\n\r\n')) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
          });
        }),
      ),
    {
      fails: 'tls.timeout',
      shown: ['tls.not-tls'],
      consistent: ['path.partial', 'dns.record-wrong: earlier endpoint'],
      never: NETWORK_CAUSES,
    },
  ],
])('where no address was declared, the one with %s', async (_, lead, expected) => {
  expectDiagnosis(await twoAddresses(lead, { expectedAddresses: [] }), expected);
});

test('certificates that differ from address to address are all told', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, SECOND] } };
  const [one, other] = await Promise.all(
    ['one', 'other'].map((name) => otherService(world, [`${name}.example`])),
  );
  await world.connectTo({ [ADDRESS]: one?.port ?? 0, [SECOND]: other?.port ?? 0 });
  const { links } = await check(world, { links: [link(EXPECTED)], timeoutMs });
  expect(links[0]?.causes[0]?.evidence).toMatch(
    /names=DNS:one\.example.*names at 10\.1\.2\.4=DNS:other\.example/,
  );
});

test('where no address was declared, the silent one may also be a leftover', async () => {
  const change = { expectedAddresses: [] };
  expectDiagnosis(await twoAddresses(() => startBlackHole(), change), {
    fails: 'tcp.timeout',
    consistent: ['path.partial', 'dns.record-wrong: earlier endpoint'],
    never: ['endpoint.security-group', 'endpoint.not-accepted', 'host.egress'],
  });
});

const ABOVE_TCP: [how: string, lead: (world: World) => Promise<number>, Expected][] = [
  [
    'takes the request and is silent',
    async (world) => (await handledBy(world, () => 'silent')).port,
    { fails: 'http.timeout', shown: ['path.partial'], never: NETWORK_CAUSES },
  ],
  [
    'takes the request and hangs up',
    async (world) => (await handledBy(world, () => 'reset')).port,
    { fails: 'http.reset', shown: ['path.partial'], never: NETWORK_CAUSES },
  ],
  [
    'is a stranger’s',
    async (world) => (await handledBy(world, () => ({ body: '<html>hello</html>' }))).port,
    { fails: 'http.unexpected-answer', shown: ['path.partial'], never: NETWORK_CAUSES },
  ],
  [
    'has a gateway without the service',
    async (world) => (await handledBy(world, () => ({ status: 502, body: 'bad gateway' }))).port,
    { fails: 'http.server-error', shown: ['path.partial'], never: NETWORK_CAUSES },
  ],
  [
    'redirects',
    async (world) =>
      (await handledBy(world, () => ({ status: 302, headers: { location: '/login' }, body: '' })))
        .port,
    { fails: 'http.unexpected-answer: redirect', shown: ['path.partial'], never: NETWORK_CAUSES },
  ],
  [
    'limits calls',
    async (world) => (await handledBy(world, () => ({ status: 429, body: 'slow down' }))).port,
    {
      fails: 'http.rate-limited',
      shown: ['http.rate-limited', 'path.partial'],
      never: NETWORK_CAUSES,
    },
  ],
  [
    'demands a client certificate',
    async ({ authority }) => {
      const options = { requestCert: true, ca: authority.ca };
      return (await startService(await authority.issue([ENDPOINT_HOST]), options)).port;
    },
    {
      fails: 'tls.client-certificate',
      shown: ['tls.client-certificate', 'path.partial'],
      never: NETWORK_CAUSES,
    },
  ],
  [
    'speaks no TLS',
    async () => (await startService()).port,
    {
      fails: 'tls.not-tls',
      shown: ['tls.not-tls', 'path.partial'],
      never: NETWORK_CAUSES,
    },
  ],
  [
    'shows a stranger’s certificate',
    async (world) => (await otherService(world, ['other.example'])).port,
    {
      fails: 'tls.name-mismatch',
      shown: ['path.partial'],
      never: [...NETWORK_CAUSES, 'tls.server-name'],
    },
  ],
  [
    'shows a certificate for the API host alone',
    async (world) => (await otherService(world, [API_HOST])).port,
    {
      fails: 'tls.name-mismatch',
      shown: ['tls.server-name', 'path.partial'],
      never: NETWORK_CAUSES,
    },
  ],
  [
    'shows an expired certificate',
    async (world) =>
      (await otherService(world, [ENDPOINT_HOST], { fromDays: -9, toDays: -2 })).port,
    {
      fails: 'tls.expired',
      shown: ['tls.expired', 'path.partial'],
      never: [...NETWORK_CAUSES, 'host.clock'],
      ruledOut: [/clock/],
    },
  ],
];

async function handledBy(world: World, handler: ServiceServer['handler']): Promise<ServiceServer> {
  return Object.assign(await otherService(world), { handler });
}

test.each(ABOVE_TCP)('one of two addresses %s, and is named', async (_, lead, expected) => {
  const verification = await twoAddresses(lead);
  expectDiagnosis(verification, expected);
  const zone = verification.links[0]?.causes.find(({ code }) => code === 'path.partial');
  const { httpStatus, location, names } =
    stagesOf(verification).find(({ address, status }) => address === SECOND && status === 'failed')
      ?.evidence ?? {};
  expect(zone?.evidence).toMatch(new RegExp(`^fails=${SECOND}, works=${ADDRESS}(,|$)`));
  for (const seen of [httpStatus, location, names])
    expect(zone?.evidence).toContain(`${seen ?? ''}`);
  expect(outline(verification).slice(-2)).toEqual(['token passed', 'workspaces passed']);
});

test.each([
  ['a fixed address', FIXED_IP],
  ['an address on the internet', INTERNET],
])('%s that is silent above TCP is no zone, and no matter of egress', async (_, change) => {
  const lead = async (world: World) => (await handledBy(world, () => 'silent')).port;
  expectDiagnosis(await twoAddresses(lead, change), {
    fails: 'http.timeout',
    shown: ['path.partial'],
    never: [...NETWORK_CAUSES, 'host.egress'],
  });
});

test.each([
  ['first', true],
  ['last', false],
])('an address that is ready %s and silent leaves the calls to the other', async (_, isFirst) => {
  const world = await createWorld();
  const silent = await otherService(world);
  const gate = await startGate(isFirst ? world.service.port : silent.port);
  silent.handler = () => {
    gate.open();
    return 'silent';
  };
  world.service.handler = () => {
    gate.open();
    return undefined;
  };
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, SECOND] } };
  const [good, bad] = [world.service.port, silent.port];
  await world.connectTo(
    isFirst ? { [ADDRESS]: gate.port, [SECOND]: bad } : { [ADDRESS]: good, [SECOND]: gate.port },
  );
  const verification = await check(world, { links: [link(EXPECTED)], timeoutMs });
  expect(outline(verification).slice(-4)).toEqual([
    'http passed',
    'http failed http.timeout',
    'token passed',
    'workspaces passed',
  ]);
  expectDiagnosis(verification, {
    fails: 'http.timeout',
    shown: ['path.partial'],
    never: NETWORK_CAUSES,
  });
  const jwts = [...world.service.requests, ...silent.requests].flatMap(({ path, headers }) =>
    path.endsWith('/token') ? [headers.authorization] : [],
  );
  expect(jwts).toHaveLength(isFirst ? 2 : 1);
  expect(new Set(jwts).size).toBe(jwts.length);
  expect(verification.verdict).toBe('unreachable');
});

test('a token call that is silent at every address blames none of them', async () => {
  const world = await createWorld();
  const second = await otherService(world);
  const handler: ServiceServer['handler'] = ({ path }) =>
    path.endsWith('/token') ? 'silent' : undefined;
  world.service.handler = handler;
  second.handler = handler;
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, SECOND] } };
  await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: second.port });
  const verification = await check(world, { links: [link(EXPECTED)], timeoutMs });
  expectDiagnosis(verification, {
    fails: 'http.timeout',
    consistent: ['server.unsteady: one call lost'],
    never: ['path.partial', 'server.no-target', 'path.filter', 'path.mtu'],
  });
});
