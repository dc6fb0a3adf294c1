import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { exitOf } from '../../src/verify/model/verdict.js';
import { verificationSchema } from '../../src/verify/model/verification.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { expectDiagnosis } from '../support/explained.js';
import { answerRaw } from '../support/raw-service.js';
import { type Handler, LOG_ID, listen, type SeenRequest } from '../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  outline,
} from '../support/verifiable-link.js';

const ALL_PASSED = [
  'preflight passed',
  'dns passed',
  'address passed',
  'tcp passed',
  'tls passed',
  'http passed',
  'token passed',
  'workspaces passed',
];

test('a sound link passes with one connection, one handshake and two requests', async () => {
  const world = await createWorld();
  const verification = await check(world);
  expect(outline(verification)).toEqual(ALL_PASSED);
  expect(world.service.count).toEqual({ connections: 1, handshakes: 1 });
  expect(world.service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/permission/oauth2/enterprise_id/volcano_enterprise%2F1/token',
    'GET /v1/workspaces?page_num=1&page_size=20',
  ]);
  const sizes = world.service.requests.map(({ headers }) => JSON.stringify(headers).length);
  expect(Math.max(...sizes)).toBeGreaterThan(1_500);
  expect(world.asked.toSorted()).toEqual([`A ${ENDPOINT_HOST}`, `AAAA ${ENDPOINT_HOST}`]);
});

test('the report follows its schema and shows digest, key, workspaces, connect-to and certificate', async () => {
  const world = await createWorld();
  const verification = await check(world);
  expect(verificationSchema.parse(verification)).toEqual(verification);
  expect(verification).toMatchObject({ verdict: 'reachable', accessDigest: 'digest-1', skewMs: 0 });
  expect(exitOf(verification)).toBe(0);
  expect(verification.links[0]?.connectTo).toEqual([
    { from: '10.1.2.3:443', to: `127.0.0.1:${world.service.port}` },
  ]);
  expect(findingOf(verification, 'preflight').evidence).toMatchObject({
    kid: 'fingerprint-1',
    iss: 'app-1',
    aud: 'api.service.example',
    keyBits: 2048,
  });
  expect(findingOf(verification, 'tls').evidence).toMatchObject({
    serverName: ENDPOINT_HOST,
    issuer: 'Test Authority',
    trust: 'by caFile',
    validTo: expect.stringMatching(/^\d{4}-/),
  });
  expect(findingOf(verification, 'token')).toMatchObject({ logId: LOG_ID });
  expect(findingOf(verification, 'workspaces').evidence).toEqual({
    count: 2,
    workspaces: 'w1 First; w2',
  });
});

test('the request is for the host of the base URL, whatever name TLS verifies', async () => {
  const world = await createWorld({ names: ['api.service.example'] });
  const links = [link({ tlsServerName: 'api.service.example' })];
  expect(outline(await check(world, { links }))).toEqual(ALL_PASSED);
  expect(world.service.requests[0]?.headers.host).toBe(ENDPOINT_HOST);
});

test('over plain http the service is recognised before JWT and token are sent unencrypted', async () => {
  const world = await createWorld({ scheme: 'http' });
  const links = [link({ baseUrl: `http://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links });
  expect(outline(verification)).toEqual(
    ALL_PASSED.map((line) => (line === 'tls passed' ? 'tls skipped' : line)),
  );
  expect(verification.links[0]?.notes.join()).toMatch(/travel unencrypted/);
  expect(world.service.count.connections).toBe(1);
  expect(
    world.service.requests.map(({ method, headers }) => [method, !headers.authorization]),
  ).toEqual([
    ['GET', true],
    ['POST', false],
    ['GET', false],
  ]);
});

const isFilled = ({ headers }: SeenRequest) => headers['x-filling'] !== undefined;

test.each<[string, Handler]>([
  ['431', (request) => (isFilled(request) ? { status: 431, body: '<html>' } : undefined)],
  ['a reset', (request) => (isFilled(request) ? 'reset' : undefined)],
  ['a code', (request) => (isFilled(request) ? { body: { code: 4000, msg: 'x' } } : undefined)],
])('a front that refuses the header that fills packets with %s is no fault of the link', async (_, handler) => {
  for (const auth of [true, false]) {
    const world = await createWorld();
    world.service.handler = handler;
    expect((await check(world, { auth })).verdict).toBe('reachable');
  }
});

test('a call that is lost with that header, and answered without it, fails', async () => {
  const world = await createWorld();
  world.service.handler = (request) => (isFilled(request) ? 'silent' : undefined);
  expectDiagnosis(await check(world, { timeoutMs: 4_000 }), {
    fails: 'http.timeout',
    consistent: ['path.mtu'],
    never: ['server.unsteady: one call lost'],
  });
});

test('what comes and goes is told, whether or not a call fills packets', async () => {
  const world = await createWorld();
  let count = 0;
  world.service.handler = (request) => {
    count += isFilled(request) ? 1 : 0;
    return isFilled(request) && count === 1 ? { status: 500, body: '<html>' } : undefined;
  };
  expect(outline(await check(world)).at(-1)).toBe('workspaces failed http.server-error');
});

test('the hello has the size that today’s clients send, and servers pass over what fills it', async () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const world = await createWorld();
    const port = await answerRaw(world, () => undefined, world.authority, { maxVersion });
    const sizes: number[] = [];
    const relay = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      near.once('data', (bytes) => sizes.push(bytes.length));
      near.pipe(far).pipe(near);
    });
    await world.connectTo({ [ADDRESS]: await listen(relay) });
    const verification = await check(world);
    expect(findingOf(verification, 'tls').evidence.protocol).toBe(maxVersion);
    expect([verification.verdict, (sizes[0] ?? 0) > 1_460]).toEqual(['reachable', true]);
  }
});

test('without credentials the check ends after the service was recognised', async () => {
  const world = await createWorld();
  const verification = await check(world, { auth: false, credentials: undefined });
  expect(outline(verification).slice(5)).toEqual([
    'http passed',
    'token skipped',
    'workspaces skipped',
  ]);
  expect(verification.verdict).toBe('reachable');
  expect(world.service.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('every address is dialled once, and the first that is ready carries the calls', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: ['10.1.2.3', '10.1.2.4'] } };
  await world.connectTo({ '10.1.2.3': world.service.port, '10.1.2.4': world.service.port });
  const links = [link({ expectedAddresses: ['10.1.2.3/32', '10.1.2.4/32'] })];
  const verification = await check(world, { links });
  expect(verification.verdict).toBe('reachable');
  expect(outline(verification).filter((line) => line.startsWith('http'))).toHaveLength(2);
  expect(world.service.count).toEqual({ connections: 2, handshakes: 2 });
  expect(world.service.requests.filter(({ headers }) => headers.authorization)).toHaveLength(2);
});

test('a server that closes after each answer is called again on a new connection', async () => {
  const world = await createWorld();
  world.service.handler = ({ headers }) =>
    headers.authorization?.includes('czs_')
      ? undefined
      : {
          headers: { connection: 'close', 'x-tt-logid': LOG_ID },
          body: {
            access_token: 'czs_secret-access-token',
            expires_in: Math.floor(Date.now() / 1000) + 900,
          },
        };
  const verification = await check(world);
  expect(outline(verification)).toEqual(ALL_PASSED);
  expect(world.service.count.connections).toBe(2);
  expect(findingOf(verification, 'token').evidence).toMatchObject({
    validForSeconds: expect.closeTo(900, -2),
  });
});

test('a server that closes after the first answer without saying so is called again, which the report notes', async () => {
  const world = await createWorld();
  let resets = 1;
  world.service.handler = ({ path }) => {
    if (!path.startsWith('/v1/') || resets === 0) return undefined;
    resets -= 1;
    return 'reset';
  };
  const verification = await check(world);
  expect(outline(verification)).toEqual(ALL_PASSED);
  expect(world.service.count.connections).toBe(2);
  expect(verification.links[0]?.attempts).toBe(1);
  expect(verification.links[0]?.notes.join()).toMatch(
    /took no further call on the connection after an answer/,
  );
  expect(world.service.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
});
