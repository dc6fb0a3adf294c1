import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { reasonOf } from '../../src/codes/codes.js';
import { verify } from '../../src/verify/run/verify.js';
import { expectDiagnosis } from '../support/explained.js';
import { type Handler, LOG_ID, type Reply, TOKEN } from '../support/service-server.js';
import { check, createWorld, findingOf, outline } from '../support/verifiable-link.js';

function onToken(reply: Reply): Handler {
  return ({ path }) => (path.endsWith('/token') ? reply : undefined);
}

/** Without a credential the service itself answers. */
function onApi(reply: Reply): Handler {
  return ({ path, headers }) =>
    path.startsWith('/v1/workspaces') && headers.authorization ? reply : undefined;
}

const PAGE = '<html><h1>Request blocked by Example WAF</h1></html>';

/** Answers of things that are not the service, whatever they look like. */
const STRANGERS: readonly (readonly [string, Reply])[] = [
  ['a page with 401', { status: 401, body: PAGE }],
  ['a page with 403', { status: 403, body: PAGE }],
  ['a page with 403 and a log id', { status: 403, headers: { 'x-tt-logid': LOG_ID }, body: PAGE }],
  ['a body without anything', { status: 403, body: '' }],
  ['JSON with the status as its code', { status: 401, body: { code: 401, msg: 'Unauthorized' } }],
  [
    'JSON with the status as its code, and the header of the log id',
    { status: 403, headers: { 'x-tt-logid': LOG_ID }, body: { code: 403, msg: 'Forbidden' } },
  ],
  ['JSON without a message', { status: 401, body: { code: 4100 } }],
  ['the OAuth error of another server', { status: 401, body: { error: 'invalid_client' } }],
  ['a page with 200', { body: PAGE }],
];

const REFUSALS = ['api.permission', 'api.token-rejected', 'token.invalid-client', 'token.region'];

test.each(
  STRANGERS,
)('%s in answer to the API call is not the service’s verdict', async (_, reply) => {
  const world = await createWorld();
  world.service.handler = onApi(reply);
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer: API call',
    consistent: ['path.gateway'],
    never: REFUSALS,
    ruledOut: [/^the route and the security groups$/m],
    notRuledOut: [/the network/, /certificate/],
  });
  expect(verification.verdict).toBe('incomplete');
});

test.each(STRANGERS)('%s in answer to the token call is neither', async (_, reply) => {
  const world = await createWorld();
  world.service.handler = onToken(reply);
  expectDiagnosis(await check(world), {
    fails: 'http.unexpected-answer: token call',
    consistent: ['path.gateway'],
    never: REFUSALS,
    ruledOut: [/^the route and the security groups$/m],
    notRuledOut: [/the network/, /certificate/],
  });
});

test.each(STRANGERS)('%s in answer to everything is a stranger', async (_, reply) => {
  const world = await createWorld();
  world.service.handler = () => reply;
  const verification = await check(world);
  expectDiagnosis(verification, { fails: 'http.unexpected-answer', never: REFUSALS });
  expect(verification.verdict).toBe('unreachable');
});

test('a log id in the body shows the service even where its code is a status', async () => {
  const world = await createWorld();
  const body = { code: 403, msg: 'no', detail: { logid: LOG_ID } };
  world.service.handler = onApi({ status: 403, body });
  expect(outline(await check(world)).at(-1)).toBe('workspaces failed api.permission');
});

const TRUNCATED = '{"code":0,"msg":"","data":{"works';

/** A success of the workspaces call. */
function listed(data: object): Reply {
  return { body: { code: 0, msg: '', data } };
}

test.each<[string, Reply, string, RegExp]>([
  [
    'HTML',
    { body: PAGE },
    'http.unexpected-answer: API call',
    /HTML or XML .*text\/html.*Request blocked/,
  ],
  [
    'compressed JSON',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}').toString('latin1') },
    'http.unexpected-answer: API call',
    /compressed body \(gzip\)/,
  ],
  [
    'a truncated body',
    { body: TRUNCATED },
    'http.unexpected-answer: API call',
    /breaks off after 33 char.*"code":0/,
  ],
  [
    'a byte order mark',
    { body: '\uFEFF{"code":0}' },
    'http.unexpected-answer: API call',
    /byte order mark/,
  ],
  ['no body', { body: '' }, 'http.unexpected-answer: API call', /an empty body/],
  [
    'text',
    { body: 'hello' },
    'http.unexpected-answer: API call',
    /text in place of JSON \(text\/html\): hello/,
  ],
])('the workspaces call answered with %s names it', async (_, reply, reason, problem) => {
  const world = await createWorld();
  world.service.handler = onApi(reply);
  const finding = findingOf(await check(world), 'workspaces');
  expect(reasonOf(finding)).toBe(reason);
  expect(finding.evidence.problem).toMatch(problem);
});

test.each<[string, Reply, string, RegExp]>([
  [
    'HTML',
    { body: PAGE },
    'http.unexpected-answer: token call',
    /HTML or XML .*text\/html.*Request blocked/,
  ],
  [
    'a truncated body',
    { body: '{"access_token":"czs_abcdefghijkl' },
    'http.unexpected-answer: token call',
    /breaks off/,
  ],
  [
    'a byte order mark',
    { body: '\uFEFF{"access_token":"x"}' },
    'http.unexpected-answer: token call',
    /byte order/,
  ],
  [
    'no token',
    { body: { code: 0, msg: '' } },
    'http.unexpected-answer: token call',
    /JSON without `access_token`/,
  ],
  [
    'an expiry alone',
    { body: { expires_in: 2_000_000_000 } },
    'http.unexpected-answer: token call',
    /JSON without `access_token`/,
  ],
  [
    'no expiry',
    { body: { access_token: 'czs_abcdefghijkl' } },
    'http.unexpected-answer: token call',
    /JSON without a number `expires_in`/,
  ],
  ...[true, '', [4_000_000_000], '2040-01-01T00:00:00Z'].map(
    (expiry): [string, Reply, string, RegExp] => [
      `the expiry ${JSON.stringify(expiry)}`,
      { body: { access_token: 'czs_abcdefghijkl', expires_in: expiry } },
      'http.unexpected-answer: token call',
      /JSON without a number `expires_in`/,
    ],
  ),
  [
    'a token that no header can carry',
    { body: { access_token: 'czs_a\nb', expires_in: 2_000_000_000 } },
    'http.unexpected-answer: token call',
    /no header can carry/,
  ],
])('the token call answered with %s names it and shows no token', async (_, reply, reason, problem) => {
  const world = await createWorld();
  world.service.handler = onToken(reply);
  const verification = await check(world);
  const finding = findingOf(verification, 'token');
  expect(reasonOf(finding)).toBe(reason);
  expect(finding.evidence.problem).toMatch(problem);
  expect(JSON.stringify(verification)).not.toContain('czs_a');
  expect(outline(verification)).not.toContain('workspaces failed http.reset');
});

test('a call without an ID is not blamed for a wrong ID', async () => {
  const world = await createWorld();
  world.service.handler = onApi({ status: 404, body: { code: 4200, msg: 'not found' } });
  const { stages = [] } = (await verify(world.options)).links[0] ?? {};
  const finding = stages.find(({ stage }) => stage === 'workspaces');
  expect(finding && reasonOf(finding)).toBe('api.not-found: call without ID');
  expect(`${finding?.cause} ${finding?.remedy}`).not.toMatch(/ID is wrong|check the id\b/i);
});

test.each<[string, object, RegExp]>([
  [
    'no `data`',
    { code: 0, msg: '' },
    /JSON without an array `data.workspaces` \(application\/json\)/,
  ],
  ['another form', { code: 0, msg: '', data: [{ id: 'w1' }] }, /JSON without an array/],
  ['empty `data`', { code: 0, msg: '', data: {} }, /JSON without an array `data.workspaces`/],
  ['no list', { code: 0, msg: '', data: { workspaces: {} } }, /an array `data.workspaces`/],
  ['null for seven', { code: 0, msg: '', data: { workspaces: null, total_count: 7 } }, /an array/],
  ['null and a number', { code: 0, data: { workspaces: [null, 7, {}] } }, /2 of 3 .* no objects/],
])('a success with %s for a list is one warning', async (_, body, problem) => {
  const world = await createWorld();
  world.service.handler = onApi({ body });
  const verification = await check(world);
  expect(verification.verdict).toBe('reachable');
  const { code, evidence } = findingOf(verification, 'workspaces');
  expect([code, evidence.seen]).toEqual(['http.odd-answer', 'API call']);
  expect(evidence.problem).toMatch(problem);
});

test.each<[string, object, string]>([
  ['a Unix time long past', { expires_in: 4e7 }, 'a Unix time that is over'],
  ['a lifetime', { expires_in: 900 }, 'read as a lifetime in seconds'],
  ['an error code', { error_code: 'invalid_client' }, 'an `error_code` is beside the token'],
  ['another type', { token_type: 'mac' }, '`token_type` is "mac", and calls carry it as a bearer'],
])('a token beside %s warns where the next call takes it', async (_, change, problem) => {
  const world = await createWorld();
  const body = { access_token: TOKEN, expires_in: 4_000_000_000, ...change };
  world.service.handler = onToken({ body });
  const verification = await check(world);
  expect(reasonOf(findingOf(verification, 'token'))).toBe('http.odd-answer: token call');
  expect(findingOf(verification, 'token').evidence.problem).toContain(problem);
  expect(verification.verdict).toBe('reachable');
});

test('a token that was over from the start is the cause where the API refuses it', async () => {
  const world = await createWorld();
  world.service.handler = onToken({ body: { access_token: 'czs_another', expires_in: 4e7 } });
  expectDiagnosis(await check(world), {
    fails: 'api.token-rejected',
    shown: ['api.token-rejected: expired when issued'],
    never: ['http.unexpected-answer: token call'],
  });
});

test.each([
  ['content-encoding', 'gzip'],
  ['transfer-encoding', 'gzip, chunked'],
])('a body that is not encoded as its head says in `%s` warns', async (name, coding) => {
  const world = await createWorld();
  const headers = { [name]: coding };
  const body = { code: 0, msg: '', data: { workspaces: [{ id: 'w1' }] } };
  world.service.handler = onApi({ headers, body });
  const finding = findingOf(await check(world), 'workspaces');
  expect(reasonOf(finding)).toBe('http.odd-answer: API call');
  expect(finding.evidence.problem).toContain(`\`${name}\` is ${coding}, which the body is not`);
});

test.each([
  [203, /a proxy has changed the answer/],
  [206, /a part of an answer, where the whole was asked for/],
])('status %i is a success that stricter clients refuse', async (status, problem) => {
  const world = await createWorld();
  const body = { access_token: TOKEN, expires_in: Math.floor(Date.now() / 1000) + 900 };
  world.service.handler = onToken({ status, body: { ...body, token_type: 'Bearer' } });
  const verification = await check(world);
  const { code, evidence } = findingOf(verification, 'token');
  expect([code, verification.verdict]).toEqual(['http.odd-answer', 'reachable']);
  expect(evidence.problem).toMatch(problem);
  expect(evidence.problem).not.toContain('token_type');
});

test.each([
  [
    'a negative total',
    '{"code":0,"msg":"","data":{"workspaces":[{}],"total_count":-7}}',
    /`total_count` is -7/,
  ],
  [
    'a total below its list',
    '{"code":0,"data":{"workspaces":[{},{}],"total_count":1}}',
    /beside 2 workspaces/,
  ],
  ['a total that is a text', '{"code":0,"data":{"workspaces":[{}],"total_count":"1"}}', /is "1"/],
])('a workspace list with %s is one warning, and its total counts for nothing', async (_, body, problem) => {
  const world = await createWorld();
  world.service.handler = onApi({ body });
  const verification = await check(world);
  const { code, evidence } = findingOf(verification, 'workspaces');
  expect([code, verification.verdict]).toEqual(['http.odd-answer', 'reachable']);
  expect(evidence.problem).toMatch(problem);
  expect(Number(evidence.count)).toBeGreaterThan(0);
});

test.each([
  ['an unknown extra', { workspaces: [{ id: 'w1', later: { x: 1 } }], later: [1] }, 'passed'],
  ['no optional field', { workspaces: [{}] }, 'passed'],
  ['an empty list', { workspaces: [] }, 'warned api.permission'],
  ['null for an empty list', { workspaces: null, total_count: 0 }, 'warned api.permission'],
])('the workspaces call answered with %s fails no working link', async (_, data, end) => {
  const world = await createWorld();
  world.service.handler = onApi(listed(data));
  const verification = await check(world);
  expect(outline(verification).at(-1)).toBe(`workspaces ${end}`);
  expect(verification.verdict).toBe('reachable');
});

const NO_HTTP = /an answer that is no valid HTTP/;

test('a greeting of another protocol is an answer that cannot be read, and no closed connection', async () => {
  const raw = 'SSH-2.0-x\r\n\r\n';
  const world = await createWorld();
  world.service.handler = onToken({ raw });
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer',
    consistent: ['path.gateway'],
    never: [
      'http.reset',
      'server.no-target',
      'server.unsteady: one call lost',
      'server.other-service',
    ],
  });
  expect(outline(verification)).toContain('tls passed');
  expect(findingOf(verification, 'http').evidence.error).toMatch(NO_HTTP);
  world.service.handler = () => ({ raw });
  expectDiagnosis(await check(world), {
    fails: 'http.unexpected-answer',
    consistent: ['server.other-service'],
    never: ['http.reset', 'server.no-target', 'path.gateway'],
  });
});

const SLOW_DOWN: Reply = { status: 429, headers: { 'retry-after': '9' }, body: PAGE };

test('a page that says to slow down shows nothing of the service', async () => {
  const world = await createWorld();
  world.service.handler = () => SLOW_DOWN;
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'http.rate-limited',
    never: ['http.rate-limited: token call', 'http.unexpected-answer'],
    notRuledOut: [/the network/],
  });
  expect(findingOf(verification, 'http').evidence.retryAfterSeconds).toBe(9);
  world.service.handler = () => ({ ...SLOW_DOWN, headers: { 'retry-after': 'soon' } });
  const odd = await check(world);
  expect(findingOf(odd, 'http').evidence.retryAfter).toBe('not readable: "soon"');
  world.service.handler = onToken({ ...SLOW_DOWN, headers: { 'retry-after': '-5' } });
  expect(findingOf(await check(world), 'token').evidence.retryAfter).toBe('not readable: "-5"');
  world.service.handler = onToken(SLOW_DOWN);
  expect(reasonOf(findingOf(await check(world), 'token'))).toBe('http.rate-limited: token call');
});

test.each([
  ['invalid app type', 'token.application: wrong type'],
  ['login session invalid', 'token.application: login session'],
])('the message "%s" has no code by the specification', async (message, code) => {
  const world = await createWorld();
  world.service.handler = onToken({ status: 400, body: { error_message: message } });
  expectDiagnosis(await check(world), {
    fails: code,
    never: ['http.unexpected-answer: token call'],
  });
});
