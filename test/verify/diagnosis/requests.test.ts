import { expect, test } from 'vitest';
import { fillingSession } from '../../../src/verify/transport/tls/secure.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import {
  type Handler,
  LOG_ID,
  type Reply,
  TOKEN,
  tokenError,
} from '../../support/service-server.js';
import { check, createWorld, findingOf, outline } from '../../support/verifiable-link.js';

const timeoutMs = 4_000;

/** Where OpenSSL exchanges keys that fill a packet, the handshake shows that full packets come. */
const SIZE_CAUSE = fillingSession() === undefined ? [] : ['path.mtu'];
const HTML: Reply = { status: 200, body: '<html>please log in</html>' };

function onToken(reply: ReturnType<Handler>): Handler {
  return ({ path, headers }) =>
    path.endsWith('/token') && headers.authorization ? reply : undefined;
}

function onWorkspaces(reply: ReturnType<Handler>): Handler {
  return ({ path, headers }) =>
    path.startsWith('/v1/workspaces') && headers.authorization ? reply : undefined;
}

/** Gives no answer to the first call with a JWT. */
function losesFirst(): Handler {
  let isFirst = true;
  return (request) => {
    const reply = isFirst ? onToken('silent')(request) : undefined;
    isFirst &&= reply === undefined;
    return reply;
  };
}

test.each<[row: string, handler: Handler, expected: Expected]>([
  [
    'a page of a portal',
    () => HTML,
    {
      fails: 'http.unexpected-answer',
      consistent: ['path.inspection', 'server.other-service'],
      never: ['api.unknown-error: token call', 'token.invalid-client'],
      notRuledOut: [/between here and the service/],
    },
  ],
  [
    'a service that takes large and small requests, but not the token call',
    onToken('silent'),
    {
      fails: 'http.timeout',
      // Without a JWT it is answered, and no packet from there was full: its answer may be too large.
      consistent: [...SIZE_CAUSE, 'server.unsteady: one call lost'],
      never: ['tls.timeout', 'server.no-target', 'path.filter'],
      ruledOut: [/^the route/m],
      notRuledOut: [/^the network/m, /MTU/],
    },
  ],
  [
    'a service that answers no token call, with a JWT or without',
    ({ path }) => (path.endsWith('/token') ? 'silent' : undefined),
    {
      fails: 'http.timeout',
      consistent: ['server.unsteady: one call lost'],
      never: ['path.mtu', 'tls.timeout', 'server.no-target', 'path.filter'],
      notRuledOut: [/^the network/m, /MTU/],
    },
  ],
  [
    'a service that loses the first token call alone',
    losesFirst(),
    {
      fails: 'http.timeout',
      consistent: ['server.unsteady: one call lost'],
      never: ['path.mtu', 'tls.timeout', 'server.no-target'],
      notRuledOut: [/^the network/m],
    },
  ],
  [
    'a service that says nothing at all',
    () => 'silent',
    {
      fails: 'http.timeout',
      consistent: ['server.no-target: behind a front', 'path.filter'],
      never: ['path.mtu', 'tls.timeout', 'tcp.timeout', 'server.no-target'],
      notRuledOut: [/MTU/, /network, for small/],
    },
  ],
  [
    'only large requests are lost, but in small packets too',
    ({ path, headers }) => {
      const size = JSON.stringify(headers).length;
      return size > 2_000 || path.endsWith('/token') ? 'silent' : undefined;
    },
    {
      fails: 'http.timeout',
      consistent: ['path.filter', 'path.mtu'],
      never: ['server.no-target', 'server.unsteady: one call lost', 'tls.timeout'],
      notRuledOut: [/^the network/m, /MTU/],
    },
  ],
  [
    'the key is not registered',
    onToken(tokenError('invalid_client', 'invalid jwt: kid not been registred')),
    {
      fails: 'token.invalid-client: unknown key ID',
      consistent: ['token.key-pair', 'token.key-pair: another app'],
      never: ['token.invalid-client', 'host.clock: JWT out of time', 'host.clock', 'token.region'],
      ruledOut: [/network between here and the service/, /clock/],
    },
  ],
  [
    'the JWT is refused without a reason',
    onToken(tokenError('invalid_client', '')),
    {
      fails: 'token.invalid-client',
      consistent: ['token.key-pair', 'token.key-pair: another app'],
      never: [
        'token.invalid-client: unknown key ID',
        'host.clock',
        'host.clock: JWT out of time',
        'token.region',
      ],
      ruledOut: [/network/, /clock/],
    },
  ],
  [
    'a front takes the header with the JWT away',
    ({ path }) => (path.endsWith('/token') ? tokenError('invalid_client', '') : undefined),
    {
      fails: 'token.invalid-client',
      consistent: ['token.key-pair', 'path.gateway'],
      never: [],
      ruledOut: [/^the route, security groups and certificate$/m],
      notRuledOut: [/^the network/m],
    },
  ],
  ...[
    [{ age: '3600' }, true],
    [{ 'x-cache': 'HIT from edge-1' }, true],
    [{ 'x-cache': 'TCP_REFRESH_HIT from edge-1', age: '0' }, true],
    [{ 'cf-cache-status': 'STALE' }, true],
    [{ 'x-cache-status': 'HIT' }, true],
    [{ age: '0' }, false],
    [{ age: '2', 'x-cache': 'MISS' }, false],
  ].map(([headers, isCached]): [string, Handler, Expected] => [
    `a refusal with the headers of a cache: ${JSON.stringify(headers)}`,
    onToken({
      ...tokenError('invalid_client', 'signature is invalid'),
      headers: headers as Record<string, string>,
    }),
    isCached
      ? {
          fails: 'token.invalid-client',
          shown: ['path.gateway'],
          never: [],
          notRuledOut: [/^the network/m],
        }
      : { fails: 'token.invalid-client', never: ['path.gateway'], ruledOut: [/^the network/m] },
  ]),
  [
    'a front drops the body of the token call',
    ({ path }) =>
      path.endsWith('/token') ? tokenError('unsupported_grant_type', 'no type', 400) : undefined,
    {
      fails: 'token.application: grant type',
      consistent: ['path.gateway'],
      never: [],
      notRuledOut: [/^the network/m],
    },
  ],
  ...['invalid request: grant_type', 'grant_type is missing'].map(
    (message): [string, Handler, Expected] => [
      `a front drops the body, and the service says: ${message}`,
      onToken(tokenError('invalid_request', message, 400)),
      {
        fails: 'api.invalid-request: token call',
        consistent: ['path.gateway'],
        never: ['token.enterprise'],
        notRuledOut: [/^the network/m],
      },
    ],
  ),
  [
    'a front takes the header with the token away from reads',
    ({ path }) =>
      path.startsWith('/v1/') ? { status: 401, body: { code: 4100, msg: 'no' } } : undefined,
    {
      fails: 'api.token-rejected',
      consistent: ['path.gateway', 'token.region'],
      never: [],
      notRuledOut: [/^the network/m],
    },
  ],
  [
    'the service answers 503 after the token, as while it restarts',
    onWorkspaces({ status: 503, body: '<html>' }),
    {
      fails: 'http.server-error',
      consistent: ['server.unsteady: one call lost', 'server.no-target: behind a front'],
      never: [],
    },
  ],
  [
    'the service says when to try again',
    onWorkspaces({ status: 503, body: '<html>', headers: { 'retry-after': '3' } }),
    {
      fails: 'http.server-error',
      shown: ['http.server-error'],
      consistent: ['server.no-target: behind a front'],
      never: [],
    },
  ],
  [
    'the application is deactivated',
    onToken(tokenError('access_deny', 'app: x is currently deactivated by the owner', 403)),
    {
      fails: 'token.application: deactivated',
      never: ['token.application', 'token.invalid-client', 'token.region'],
      ruledOut: [/network/],
    },
  ],
  [
    'a parameter is wrong',
    onToken(tokenError('invalid_request', 'invalid request: enterprise_id', 400)),
    {
      fails: 'api.invalid-request: token call',
      consistent: ['token.enterprise'],
      never: ['token.invalid-client', 'token.region', 'http.unexpected-answer'],
      ruledOut: [/network/],
    },
  ],
  [
    'another parameter is wrong',
    onToken(tokenError('invalid_request', 'invalid request: duration_seconds', 400)),
    {
      fails: 'api.invalid-request: token call',
      never: ['token.enterprise'],
      ruledOut: [/network/],
    },
  ],
  [
    'the grant type is not supported',
    onToken(tokenError('unsupported_grant_type', 'not supported grant type: x', 400)),
    { fails: 'token.application: grant type', never: ['token.enterprise'], ruledOut: [/network/] },
  ],
  [
    'there is no such path',
    onToken({ status: 404, body: 'not found' }),
    {
      fails: 'api.not-found: token call',
      consistent: ['token.enterprise'],
      never: ['http.unexpected-answer', 'api.unknown-error: token call'],
    },
  ],
  [
    'the API refuses the token',
    onWorkspaces({ status: 401, body: { code: 4100, msg: 'authentication is invalid' } }),
    {
      fails: 'api.token-rejected',
      consistent: ['token.region'],
      never: ['api.permission', 'token.invalid-client', 'token.key-pair'],
      ruledOut: [/network/],
    },
  ],
  [
    'the token lacks the permission',
    onWorkspaces({ status: 200, body: { code: 4101, msg: 'no permission' } }),
    {
      fails: 'api.permission',
      never: ['api.token-rejected', 'token.region'],
      ruledOut: [/network/],
    },
  ],
  [
    'the token is another region’s',
    onWorkspaces({ body: { code: 4101, msg: 'the token you entered is incorrect' } }),
    { fails: 'api.token-rejected', consistent: ['token.region'], never: ['api.permission'] },
  ],
])('%s', async (_, handler, expected) => {
  const world = await createWorld();
  world.service.handler = handler;
  expectDiagnosis(await check(world, { timeoutMs }), expected);
});

test.each<[how: string, handler: Handler, fails: string]>([
  ['gets no answer', onWorkspaces('silent'), 'http.timeout'],
  [
    'gets no answer, with a credential or without',
    ({ path }) => (path.startsWith('/v1/workspaces') ? 'silent' : undefined),
    'http.timeout',
  ],
  ['is cut off', onWorkspaces('reset'), 'http.reset'],
])('an API call that %s is the provider’s matter, with a log id to quote', async (_, handler, fails) => {
  const world = await createWorld();
  world.service.handler = handler;
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails,
    consistent: ['server.unsteady: one call lost'],
    never: ['server.no-target', 'path.filter', 'path.mtu', 'token.region'],
    ruledOut: [/^the route, security groups and certificate$/m],
    notRuledOut: [/^the network/m],
  });
  const [cause] = verification.links[0]?.causes ?? [];
  expect(cause).toMatchObject({
    code: 'server.unsteady',
    evidence: expect.stringMatching(`^seen=one call lost.*logId=${LOG_ID}$`),
    remedy: expect.stringMatching(/quote .* log id/),
  });
});

test('what is ruled out has the log id of the answer that proves it', async () => {
  const world = await createWorld();
  world.service.handler = onToken(tokenError('invalid_client', ''));
  const { links } = await check(world);
  expect(links[0]?.ruledOut[0]).toEqual({
    text: 'the network between here and the service',
    evidence: `http passed, log id ${LOG_ID}`,
  });
});

test('a JWT signed by the server’s clock is accepted, so it is the clock', async () => {
  const world = await createWorld();
  const behindMs = 600_000;
  world.service.handler = ({ path, headers }) => {
    if (!path.endsWith('/token') || !headers.authorization) return undefined;
    const date = new Date(Date.now() - behindMs).toUTCString();
    const { iat } = claimsOf(headers.authorization);
    const isTimely = Math.abs(iat * 1000 - (Date.now() - behindMs)) < 60_000;
    const refusal = tokenError('invalid_client', '');
    const reply = isTimely
      ? { body: { access_token: TOKEN, expires_in: iat + 900 }, headers: {} }
      : refusal;
    return { ...reply, headers: { ...reply.headers, date } };
  };
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'host.clock: JWT out of time',
    shown: ['host.clock'],
    never: ['token.invalid-client', 'token.invalid-client: unknown key ID', 'token.key-pair'],
    ruledOut: [/network/],
    notRuledOut: [/clock/],
  });
  const probe = verification.links[0]?.probes?.find(({ name }) => name === 'server-time');
  expect(probe?.ok).toBe(true);
});

test('a JWT signed by the server’s clock is refused too, so it is not the clock', async () => {
  const world = await createWorld();
  const date = new Date(Date.now() + 30_000).toUTCString();
  const { headers, ...refusal } = tokenError('invalid_client', '');
  world.service.handler = onToken({ ...refusal, headers: { ...headers, date } });
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'token.invalid-client',
    consistent: ['token.key-pair', 'token.key-pair: another app'],
    never: ['host.clock', 'host.clock: JWT out of time', 'token.region'],
    ruledOut: [/clock/],
  });
  const jwts = world.service.requests.flatMap(({ path, headers: sent }) =>
    path.endsWith('/token') && sent.authorization ? [sent.authorization] : [],
  );
  expect([jwts.length, new Set(jwts).size]).toEqual([2, 2]);
});

test('a token call that is lost is not repeated with the same JWT', async () => {
  const world = await createWorld();
  world.service.handler = onToken('reset');
  const verification = await check(world, { waitMs: 30_000, retryDelayMs: 1, ...stopAfter(3) });
  expect(verification.links[0]?.attempts).toBe(3);
  const jtis = world.service.requests.flatMap(({ path, headers }) =>
    path.endsWith('/token') && headers.authorization ? [claimsOf(headers.authorization).jti] : [],
  );
  expect([jtis.length, new Set(jtis).size]).toEqual([3, 3]);
});

test('workspaces of another enterprise are a warning', async () => {
  const world = await createWorld();
  const workspaces = [{ id: 'w1', name: 'First', enterprise_id: 'volcano_other' }];
  world.service.handler = onWorkspaces({ body: { code: 0, msg: '', data: { workspaces } } });
  const verification = await check(world);
  expect(outline(verification).at(-1)).toBe('workspaces warned api.permission');
  expect(findingOf(verification, 'workspaces').evidence.seen).toBe('another enterprise');
  expect(findingOf(verification, 'workspaces').evidence.others).toBe('volcano_other');
  expect(verification.verdict).toBe('reachable');
});

const inSevenSeconds = () => new Date(Date.now() + 7_000).toUTCString();
const date = () => new Date().toUTCString();
const LIMITED = tokenError('4013', 'slow down', 429);

test.each<[what: string, reply: () => Reply]>([
  ['a token call', () => ({ ...LIMITED, headers: { 'x-tt-logid': LOG_ID, 'retry-after': '7' } })],
  [
    'a token call, with a date',
    () => ({
      ...LIMITED,
      headers: { 'x-tt-logid': LOG_ID, date: date(), 'retry-after': inSevenSeconds() },
    }),
  ],
  ['a gateway', () => ({ status: 503, headers: { 'retry-after': '7' }, body: 'down' })],
  [
    'a gateway, with a date',
    () => ({
      status: 503,
      headers: { date: date(), 'retry-after': inSevenSeconds() },
      body: 'down',
    }),
  ],
])('%s that says how long to stay away is obeyed', async (_, reply) => {
  const world = await createWorld();
  world.service.handler = (request) => onToken(reply())(request);
  const waits: number[] = [];
  const controller = new AbortController();
  const verification = await check(world, {
    waitMs: 60_000,
    retryDelayMs: 1,
    signal: controller.signal,
    onProgress: (progress) => {
      if (progress.kind !== 'retry') return;
      waits.push(progress.nextInMs);
      controller.abort();
    },
  });
  // A date of HTTP has no fractions of a second.
  expect(waits.map((ms) => Math.abs(ms - 7_000) <= 1_000)).toEqual([true]);
  expect(
    verification.links[0]?.stages.find(({ status }) => status === 'failed')?.evidence,
  ).toMatchObject({ retryAfterSeconds: expect.any(Number) });
});

function stopAfter(attempts: number) {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onProgress: (progress: { kind: string; attempt?: number }) => {
      if (progress.kind === 'retry' && progress.attempt === attempts) controller.abort();
    },
  };
}

function claimsOf(authorization = ''): { iat: number; jti: string } {
  return JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
}
