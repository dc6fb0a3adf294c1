import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { API_HOST, ENDPOINT_HOST } from '../../support/application.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import { startNameFilter } from '../../support/fake-fronts.js';
import { listen } from '../../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  type WorldOptions,
} from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const DAY_MS = 86_400_000;

const reset = (socket: Socket) => socket.resetAndDestroy();
const alert = (socket: Socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 112]));

test.each<[row: string, answer: (socket: Socket) => void, expected: Expected]>([
  [
    'cut off whatever the name',
    (socket) => socket.once('data', () => reset(socket)),
    {
      fails: 'tls.reset',
      consistent: ['server.no-target', 'path.filter'],
      never: ['tls.timeout', 'tcp.refused', 'path.name-filter', 'tls.server-name', 'path.mtu'],
      ruledOut: [/server name/, /security groups/],
    },
  ],
  [
    'silent whatever the name',
    () => undefined,
    {
      fails: 'tls.timeout',
      consistent: ['server.no-target', 'path.mtu', 'path.filter'],
      never: ['tcp.timeout', 'http.timeout', 'endpoint.security-group', 'path.name-filter'],
      ruledOut: [/server name/],
      notRuledOut: [/MTU/],
    },
  ],
  [
    'plain http on the port',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    {
      fails: 'tls.not-tls',
      shown: ['tls.not-tls'],
      never: ['tls.timeout', 'tls.untrusted', 'http.unexpected-answer', 'path.inspection'],
    },
  ],
])('%s', async (_, answer, expected) => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await listen(createServer(answer)) });
  expectDiagnosis(await check(world, { timeoutMs }), expected);
});

test.each<[row: string, names: readonly string[], refuse: (socket: Socket) => void, cause: string]>(
  [
    ['a filter that resets', [ENDPOINT_HOST], reset, 'path.name-filter'],
    ['a filter that alerts', [ENDPOINT_HOST], alert, 'path.name-filter'],
    ['a filter that is silent', [ENDPOINT_HOST], () => undefined, 'path.name-filter'],
    [
      'a filter before a certificate for both',
      [ENDPOINT_HOST, API_HOST],
      reset,
      'path.name-filter',
    ],
    ['a load balancer that knows the API host', [API_HOST], reset, 'tls.server-name'],
  ],
)('%s for one name only', async (_, names, refuse, cause) => {
  const world = await createWorld({ names });
  const port = await startNameFilter(ENDPOINT_HOST, world.service.port, refuse);
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails: `${reasonOf(findingOf(verification, 'tls'))}`,
    shown: [cause],
    never: ['server.no-target', 'path.mtu', 'tls.untrusted'],
    notRuledOut: [/server name/],
  });
  expect(world.service.requests).toEqual([]);
});

test.each<[what: string, choices: WorldOptions]>([
  ['has expired', { fromDays: -90, toDays: -2 }],
  ['is not valid yet', { fromDays: 2, toDays: 90 }],
])('for one name only, before a certificate that %s', async (_, choices) => {
  const world = await createWorld({ names: [ENDPOINT_HOST, API_HOST], ...choices });
  const port = await startNameFilter(ENDPOINT_HOST, world.service.port, reset);
  await world.connectTo({ [ADDRESS]: port });
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'tls.reset',
    shown: ['path.name-filter'],
    never: ['server.no-target', 'path.filter'],
  });
});

test.each<[row: string, choices: WorldOptions, expected: Expected]>([
  [
    'the certificate is for the API host',
    { names: [API_HOST] },
    {
      fails: 'tls.name-mismatch',
      shown: ['tls.server-name'],
      never: ['server.other-service', 'path.inspection', 'tls.untrusted'],
    },
  ],
  [
    'by a wildcard too',
    { names: [API_HOST.replace(/^[^.]+/, '*')] },
    { fails: 'tls.name-mismatch', shown: ['tls.server-name'], never: ['server.other-service'] },
  ],
  [
    'the certificate is for strangers',
    { names: ['other.example'] },
    {
      fails: 'tls.name-mismatch',
      consistent: ['server.other-service', 'path.inspection'],
      never: ['tls.server-name', 'tls.untrusted', 'path.name-filter'],
    },
  ],
  [
    'the right name from an unknown authority',
    { untrusted: true },
    {
      fails: 'tls.untrusted',
      consistent: ['tls.untrusted: unknown authority', 'path.inspection'],
      never: ['tls.name-mismatch', 'tls.expired', 'server.other-service'],
    },
  ],
  [
    'a strange name from an unknown authority',
    { untrusted: true, names: ['other.example'] },
    {
      fails: 'tls.untrusted',
      consistent: ['server.other-service', 'path.inspection'],
      never: ['tls.untrusted: unknown authority', 'tls.name-mismatch', 'tls.server-name'],
    },
  ],
  [
    'a client certificate is demanded',
    { clientCertificate: true },
    {
      fails: 'tls.client-certificate',
      shown: ['tls.client-certificate'],
      consistent: ['server.other-service', 'path.inspection'],
      never: ['http.reset', 'tls.reset', 'tls.untrusted'],
    },
  ],
])('%s', async (_, choices, expected) => {
  const world = await createWorld(choices);
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, expected);
  expect(verification.links[0]?.causes[0]?.evidence).toMatch(/names=|issuer=|serverName=/);
});

const EXPIRED: WorldOptions = { fromDays: -30, toDays: -2 };
const EARLY: WorldOptions = { fromDays: 2, toDays: 30 };

test.each<[row: string, choices: WorldOptions, days: number | undefined, expected: Expected]>([
  [
    'not yet valid, and the server’s clock agrees with this one',
    EARLY,
    0,
    {
      fails: 'tls.expired: not yet valid',
      shown: ['tls.expired: not yet valid'],
      never: ['host.clock'],
      ruledOut: [/clock/],
    },
  ],
  [
    'expired, and the server’s clock agrees with this one',
    EXPIRED,
    0,
    { fails: 'tls.expired', shown: ['tls.expired'], never: ['host.clock'], ruledOut: [/clock/] },
  ],
  [
    'expired only by this machine’s clock',
    EXPIRED,
    -10,
    {
      fails: 'tls.expired',
      shown: ['host.clock'],
      never: ['tls.expired: not yet valid', 'tls.untrusted'],
      notRuledOut: [/clock/],
    },
  ],
  [
    'expired, and no clock to compare with',
    EXPIRED,
    undefined,
    {
      fails: 'tls.expired',
      consistent: ['tls.expired', 'host.clock'],
      never: ['tls.untrusted', 'tls.expired: not yet valid'],
      notRuledOut: [/clock/],
    },
  ],
  [
    'not yet valid only by this machine’s clock',
    EARLY,
    10,
    {
      fails: 'tls.expired: not yet valid',
      shown: ['host.clock'],
      never: ['tls.expired', 'tls.untrusted'],
    },
  ],
  [
    'not yet valid, and no clock to compare with',
    EARLY,
    undefined,
    {
      fails: 'tls.expired: not yet valid',
      consistent: ['host.clock', 'tls.expired: not yet valid'],
      never: ['tls.expired'],
    },
  ],
])('%s', async (_, choices, days, expected) => {
  const world = await createWorld(choices);
  const hasClock = typeof days === 'number';
  const date = hasClock ? new Date(Date.now() + days * DAY_MS).toUTCString() : 'unknown';
  world.service.handler = () => ({ headers: { date } });
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, expected);
  const ports = verification.links[0]?.hosts?.flatMap(({ use, port }) =>
    use === 'service' ? port : [],
  );
  expect(new Set(ports)).toEqual(new Set([443]));
});

test('a server that knows none of the names says so in its alert', async () => {
  const world = await createWorld();
  const port = await listen(createServer((socket) => socket.once('data', () => alert(socket))));
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'tls.failed: alert',
    shown: ['tls.server-name: unknown to the server'],
    never: ['tls.failed', 'path.name-filter', 'server.no-target'],
    notRuledOut: [/server name/],
  });
  const evidence = verification.links[0]?.causes[0]?.evidence ?? '';
  expect(evidence).toMatch(`knows none of these names=${ENDPOINT_HOST}, ${API_HOST}`);
  expect(findingOf(verification, 'tls').evidence.alert).toBe('unrecognized_name');
});

test('a handshake that comes byte by byte is slow, and stopped by nothing', async () => {
  const world = await createWorld();
  const server = createServer((near) => {
    const far = connect(world.service.port, '127.0.0.1');
    const rest: number[] = [];
    far.on('data', (bytes) => rest.push(...bytes));
    const timer = setInterval(() => near.write(Buffer.from(rest.splice(0, 1))), 20);
    near.on('error', () => undefined).on('close', () => clearInterval(timer));
    near.on('close', () => far.destroy()).pipe(far);
  });
  await world.connectTo({ [ADDRESS]: await listen(server) });
  expectDiagnosis(await check(world, { timeoutMs: 4_000 }), {
    fails: 'tls.timeout',
    shown: ['tls.timeout'],
    never: ['path.mtu', 'path.filter', 'server.no-target', 'server.no-target: hung program'],
  });
});

test('answers that stop after different numbers of bytes are not told to go on coming', async () => {
  const world = await createWorld();
  let most = 500;
  const server = createServer((near) => {
    const far = connect(world.service.port, '127.0.0.1');
    let left = most++;
    far.on('data', (bytes) => {
      near.write(bytes.subarray(0, left));
      left = Math.max(0, left - bytes.length);
    });
    near.on('error', () => undefined).on('close', () => far.destroy());
    near.pipe(far);
  });
  await world.connectTo({ [ADDRESS]: await listen(server) });
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails: 'tls.timeout',
    consistent: ['path.mtu'],
    never: ['server.no-target: hung program'],
  });
  expect(verification.links[0]?.causes[0]?.code).toBe('path.mtu');
});
