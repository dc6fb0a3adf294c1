import { expect, test } from 'vitest';
import { exitOf } from '../../src/verify/model/verdict.js';
import { verificationSchema } from '../../src/verify/model/verification.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { LOG_ID } from '../support/service-server.js';
import { check, createWorld, findingOf, link, outline } from '../support/verifiable-link.js';

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
