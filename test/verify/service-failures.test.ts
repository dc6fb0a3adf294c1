import { expect, test } from 'vitest';
import { exitOf } from '../../src/verify/model/verdict.js';
import type { Verification } from '../../src/verify/model/verification.js';
import {
  type Handler,
  LOG_ID,
  type Reply,
  type SeenRequest,
  tokenError,
} from '../support/service-server.js';
import { check, createWorld, findingOf, outline, stagesOf } from '../support/verifiable-link.js';

const HTML: Reply = { status: 200, body: '<html>please log in</html>' };

function always(reply: ReturnType<Handler>): Handler {
  return () => reply;
}

function onToken(reply: ReturnType<Handler>): Handler {
  return ({ path, headers }) =>
    path.endsWith('/token') && headers.authorization ? reply : undefined;
}

const REFUSALS = [
  'api.invalid-request',
  'token.invalid-client',
  'token.application',
  'api.token-rejected',
  'api.permission',
];

/** Expects that a fault of the service says nothing of the credentials, unless it refuses them. */
function verdictFor(code: string): string {
  return REFUSALS.includes(code) ? 'not-authorized' : 'incomplete';
}

/** Causes that lie in the network, on which a service that answered can no longer fail. */
const OF_THE_NETWORK = /^(dns|address|tcp|tls|http|host|path|endpoint|proxy)\./;

/** @param own the code that the link fails with, which may stand for itself */
function networkCauses({ links }: Verification, own: string): string[] {
  const codes = links.flatMap(({ causes }) => causes.map(({ code }) => code));
  return codes.filter((code) => code !== own && OF_THE_NETWORK.test(code));
}

function onWorkspaces(reply: ReturnType<Handler>): Handler {
  return ({ path, headers }) =>
    path.startsWith('/v1/workspaces') && headers.authorization ? reply : undefined;
}

test.each<[why: string, handler: Handler, code: string]>([
  ['a captive portal', always(HTML), 'http.unexpected-answer'],
  ['JSON of another service', always({ body: { hello: 'world' } }), 'http.unexpected-answer'],
  ['a body without end', always({ body: 'x'.repeat(2_000_000) }), 'http.unexpected-answer'],
  ['a network login', always({ status: 511, body: HTML.body }), 'http.unexpected-answer'],
  [
    'a redirect',
    always({ status: 302, headers: { location: 'https://login.example/' } }),
    'http.unexpected-answer',
  ],
  [
    'a gateway without the service',
    always({ status: 502, body: 'bad gateway' }),
    'http.server-error',
  ],
  ['a connection cut off', always('reset'), 'http.reset'],
  ['no answer', always('silent'), 'http.timeout'],
])('%s', async (_, handler, code) => {
  const world = await createWorld();
  world.service.handler = handler;
  const verification = await check(world, { timeoutMs: 4_000 });
  expect(outline(verification).slice(5)).toEqual([
    `http failed ${code}`,
    'token skipped',
    'workspaces skipped',
  ]);
  expect([verification.verdict, exitOf(verification)]).toEqual(['unreachable', 14]);
});

test.each<[stage: 'http' | 'token' | 'workspaces', isStruck: (request: SeenRequest) => boolean]>([
  ['http', () => true],
  ['token', ({ path }) => path.endsWith('/token')],
  [
    'workspaces',
    ({ path, headers }) => path.startsWith('/v1') && headers.authorization !== undefined,
  ],
])('a redirect at the stage %s is told with where it leads, without what it passes there', async (stage, isStruck) => {
  const world = await createWorld();
  const location = 'https://login.example/?session=abc';
  world.service.handler = (request) =>
    isStruck(request) ? { status: 302, headers: { location } } : undefined;
  const verification = await check(world);
  const failed = stagesOf(verification).find(({ status }) => status === 'failed');
  expect(failed).toMatchObject({
    code: 'http.unexpected-answer',
    evidence: { location: 'https://login.example/?…' },
  });
  expect(JSON.stringify(verification)).not.toContain('session=');
  expect([stage, 'http']).toContain(failed?.stage);
});

test('tls does not pass before a byte of an answer has come', async () => {
  const world = await createWorld();
  world.service.handler = always('silent');
  const verification = await check(world, { timeoutMs: 4_000 });
  expect(findingOf(verification, 'tls')).toMatchObject({
    status: 'skipped',
    evidence: { reason: expect.stringMatching(/no whole answer/) },
  });
});

test('a redirect is shown and not followed', async () => {
  const world = await createWorld();
  world.service.handler = always({ status: 307, headers: { location: 'https://login.example/' } });
  const verification = await check(world);
  expect(findingOf(verification, 'http').evidence.location).toBe('https://login.example/');
  expect(world.service.requests.map(({ path }) => path.split('?')[0])).toEqual([
    '/api/permission/oauth2/enterprise_id/volcano_enterprise%2F1/token',
    '/v1/workspaces',
  ]);
});

test.each<[code: string, message: string, status: number, expected: string]>([
  ['invalid_request', 'invalid request: enterprise_id', 400, 'api.invalid-request'],
  ['invalid_client', '', 401, 'token.invalid-client'],
  ['invalid_client', 'invalid jwt: kid not been registred', 401, 'token.invalid-client'],
  ['unsupported_grant_type', 'not supported grant type: x', 400, 'token.application'],
  ['access_deny', 'app: check is currently deactivated by the owner', 403, 'token.application'],
  ['access_deny', 'for another reason', 403, 'token.application'],
  ['access_deny', '', 403, 'token.application'],
  ['invalid_request', 'invalid request: app is deactivated', 400, 'api.invalid-request'],
  ['internal_error', 'login session invalid', 500, 'http.server-error'],
  ['some_code', 'invalid app type', 400, 'token.application'],
  ['some_code', 'login session invalid', 401, 'token.application'],
  ['internal_error', 'Service internal error.', 500, 'http.server-error'],
  ['4013', 'slow down', 429, 'http.rate-limited'],
  ['teapot', 'short and stout', 418, 'api.unknown-error'],
  ['invalid_client', '', 200, 'token.invalid-client'],
])('the token call answers %s "%s" with status %i', async (code, message, status, expected) => {
  const world = await createWorld();
  world.service.handler = onToken(tokenError(code, message, status));
  const verification = await check(world);
  expect(outline(verification).slice(5)).toEqual([
    'http passed',
    `token failed ${expected}`,
    'workspaces skipped',
  ]);
  expect(findingOf(verification, 'token')).toMatchObject({
    logId: LOG_ID,
    evidence: { httpStatus: status, serviceCode: code },
  });
  expect(findingOf(verification, 'http').evidence.withoutCredential).toMatch(
    /HTTP 401 in the service’s format/,
  );
  expect(verification.links[0]?.ruledOut[0]?.text).toMatch(/network/);
  expect([verification.verdict, exitOf(verification)]).toEqual([verdictFor(expected), 15]);
  expect(networkCauses(verification, expected)).toEqual([]);
});

test('a service that answers all but the token call is not called a stranger', async () => {
  const world = await createWorld();
  world.service.handler = onToken({ status: 404, body: 'not found' });
  expect(outline(await check(world)).slice(5, 7)).toEqual([
    'http passed',
    'token failed api.not-found',
  ]);
});

test.each([
  ['behind', -600],
  ['ahead', 600],
])('the clock of the server is %s and it refuses the JWT', async (_, seconds) => {
  const world = await createWorld();
  const date = new Date(Date.now() + seconds * 1000).toUTCString();
  const { headers, ...refusal } = tokenError('invalid_client', '');
  world.service.handler = onToken({ ...refusal, headers: { ...headers, date } });
  const verification = await check(world);
  expect(outline(verification).slice(5, 7)).toEqual([
    'http warned host.clock',
    'token failed host.clock',
  ]);
  expect(Math.round((verification.skewMs ?? 0) / 10_000) * 10).toBe(seconds);
});

test('a skew that explains nothing is a warning, not the cause', async () => {
  const world = await createWorld();
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { headers, ...refusal } = tokenError('invalid_client', '');
  world.service.handler = onToken({ ...refusal, headers: { ...headers, date } });
  expect(outline(await check(world)).slice(5, 7)).toEqual([
    'http warned host.clock',
    'token failed token.invalid-client',
  ]);
});

test.each<[why: string, reply: ReturnType<Handler>, code: string]>([
  [
    '4100',
    { status: 401, body: { code: 4100, msg: 'authentication is invalid' } },
    'api.token-rejected',
  ],
  [
    '700012006',
    { status: 401, body: { code: 700012006, msg: 'access token invalid' } },
    'api.token-rejected',
  ],
  ['4101', { status: 200, body: { code: 4101, msg: 'no permission' } }, 'api.permission'],
  [
    '4101 of another region',
    { body: { code: 4101, msg: 'the token you entered is incorrect' } },
    'api.token-rejected',
  ],
  ['4013', { status: 429, body: { code: 4013, msg: 'slow down' } }, 'http.rate-limited'],
  ['429 without a body', { status: 429, body: '' }, 'http.rate-limited'],
  ['503', { status: 503, body: 'down' }, 'http.server-error'],
  ['an unknown code', { body: { code: 99, msg: 'what' } }, 'api.unknown-error'],
  ['silence', 'silent', 'http.timeout'],
  ['a cut', 'reset', 'http.reset'],
])('the workspaces call answers %s', async (_, reply, code) => {
  const world = await createWorld();
  world.service.handler = onWorkspaces(reply);
  const verification = await check(world, { timeoutMs: 4_000 });
  expect(outline(verification).slice(6)).toEqual(['token passed', `workspaces failed ${code}`]);
  expect([verification.verdict, exitOf(verification)]).toEqual([verdictFor(code), 16]);
  expect(networkCauses(verification, code)).toEqual([]);
});

test('an application that sees no workspace is warned of', async () => {
  const world = await createWorld();
  world.service.handler = onWorkspaces({ body: { code: 0, msg: '', data: { workspaces: [] } } });
  const verification = await check(world);
  expect(outline(verification).at(-1)).toBe('workspaces warned api.permission');
  expect([exitOf(verification), exitOf(verification, { strict: true })]).toEqual([0, 21]);
});
