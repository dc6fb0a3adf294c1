import { expect, test } from 'vitest';
import { reasonOf } from '../../src/codes/codes.js';
import { expectDiagnosis } from '../support/explained.js';
import {
  answerRaw,
  isApiCall,
  isTokenCall,
  ordinary,
  type RawAnswer,
  tokenText,
  written,
} from '../support/raw-service.js';
import { check, createWorld, findingOf } from '../support/verifiable-link.js';

async function checkRaw(answerTo: RawAnswer, timeoutMs = 10_000) {
  const world = await createWorld();
  await answerRaw(world, answerTo);
  return await check(world, { timeoutMs });
}

/** Causes of a server that says nothing, or that is another one. */
const never = [
  ...[
    'http.timeout',
    'http.reset',
    'http.timeout',
    'http.reset',
    'server.unsteady: one call lost',
    'path.filter',
  ],
  ...[
    'server.no-target',
    'server.no-target: behind a front',
    'server.other-service',
    'path.inspection',
  ],
];

test('an answer of which a part of the body comes and no more has begun', async () => {
  const verification = await checkRaw(
    () => 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a',
    6_000,
  );
  expectDiagnosis(verification, { fails: 'http.reset: cut short', never });
  expect(findingOf(verification, 'tls').status).toBe('passed');
  expect(findingOf(verification, 'http').evidence.error).toMatch(
    /of which 3 of 9 bytes came within/,
  );
});

test.each([
  ['the head', 'HTTP/1.1 200 OK\r\ncontent-ty'],
  ['the status', 'HTT'],
  ['an interim answer', 'HTTP/1.1 102 Wait\r\n\r\n'],
])('an answer of which %s comes and no more is no whole answer', async (_, bytes) => {
  const verification = await checkRaw(() => bytes, 6_000);
  expect(findingOf(verification, 'http')).toMatchObject({ status: 'failed', code: 'http.timeout' });
});

const chunked = (body: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`;
const headed = (line: string) => written('200 OK', tokenText(), { 'x-y': `z\r\n${line}` });

test.each([
  [
    'a length of no number',
    'HTTP/1.1 200 OK\r\ncontent-length: 2x\r\n\r\n{}',
    /does not match content-/,
  ],
  ['another version', 'HTTP/2 200 OK\r\ncontent-length: 2\r\n\r\n{}', /Expected dot/],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    /does not match content-/,
  ],
  [
    'a length beside chunks',
    written('200 OK', '{}', { 'transfer-encoding': 'chunked' }),
    /does not match content-/,
  ],
  ['a length at a status without body', written('204 No Content', '{}'), /does not match content-/],
  ['a name with a blank', headed('bad name: 1'), /header/i],
  ['a line without a colon', headed('bad'), /header/i],
  ['a folded header', headed('a: b\r\n\tc'), /header/i],
  ['a zero byte', headed('a: b\0c'), /header/i],
  ['a chunk without size', chunked('ZZ\r\n{}\r\n0\r\n\r\n'), /chunk size/],
  ['a chunk beyond its size', chunked('1\r\n{"a":1}\r\n0\r\n\r\n'), /chunk/],
  ['ends of lines without CR', 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}', /CR/],
  ['a change of protocol', 'HTTP/1.1 101 X\r\n\r\n', /does not take: an impossible status/],
  [
    'a change of protocol that is named',
    'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    /does not take: bad upgrade/,
  ],
  ['an unasked 100', 'HTTP/1.1 100 Continue\r\n\r\n', /does not take: bad response/],
])('%s break the rules of HTTP, which the client says in its own words', async (_, bytes, said) => {
  const verification = await checkRaw(() => bytes);
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer: invalid HTTP',
    never: [...never, 'http.reset: cut short'],
  });
  expect(findingOf(verification, 'http').evidence).toMatchObject({
    error: expect.stringMatching(said),
    sender: expect.stringMatching(/^not shown/),
  });
});

test('bytes that are no HTTP are shown, and a frame of HTTP/2 by its name', async () => {
  const settings = Buffer.from('000012040000000000000300000064', 'hex');
  const second = await checkRaw(() => settings);
  expect(findingOf(second, 'http').evidence.error).toMatch(
    /no valid HTTP: .*, got: a frame of HTTP\/2$/,
  );
  const other = await checkRaw(() => 'hello there\r\n');
  expect(findingOf(other, 'http').evidence.error).toMatch(/no valid HTTP: .*, got: "hello there"$/);
});

const LIST = JSON.stringify({
  code: 0,
  msg: '',
  data: { workspaces: [{ id: 'w1' }], total_count: 1 },
});

test.each([
  ['bytes', '<!-- x -->'],
  ['a whole answer', written('200 OK', '{}')],
])('%s behind an answer are no answer to the next call', async (_, more) => {
  const verification = await checkRaw((request) =>
    isTokenCall(request) ? written('200 OK', tokenText()) + more : undefined,
  );
  expect(verification.verdict).toBe('reachable');
  expect(findingOf(verification, 'workspaces').status).toBe('passed');
});

test('a key that an answer has twice is told of by the call that got it', async () => {
  const odd = (body: string) => written('200 OK', body.replace('{', '{"code":0,"code":0,'));
  const ofToken = await checkRaw((request) =>
    isTokenCall(request) ? odd(tokenText()) : undefined,
  );
  const token = findingOf(ofToken, 'token');
  expect([reasonOf(token), token.evidence.problem]).toEqual([
    'http.odd-answer: token call',
    expect.stringContaining('`code` more than once'),
  ]);
  const ofApi = await checkRaw((request) => (isApiCall(request) ? odd(LIST) : undefined));
  const list = findingOf(ofApi, 'workspaces');
  expect([reasonOf(list), list.evidence.problem]).toEqual([
    'http.odd-answer: API call',
    expect.stringContaining('`code` more than once'),
  ]);
});

test.each([
  ['bytes that nobody asked for', (request: string) => `junk\r\n${ordinary(request)}`],
  ['408 for want of a request', () => written('408 X', '', { connection: 'close' })],
])('%s on a connection that has answered are no answer to the next call', async (_, late) => {
  let calls = 0;
  const verification = await checkRaw((request, n) => {
    if (isApiCall(request)) calls += 1;
    return isApiCall(request) && n > 1 ? late(request) : undefined;
  });
  expect([verification.verdict, calls]).toEqual(['reachable', 2]);
  expect(verification.links[0]?.notes).toHaveLength(1);
});

test('JSON that is nested too deeply to be read is not said to be damaged', async () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const verification = await checkRaw((request) =>
    isApiCall(request) ? written('200 OK', deep) : undefined,
  );
  expect(findingOf(verification, 'workspaces').evidence.problem).toMatch(
    /^JSON that is nested more deeply/,
  );
});

test('a token in answer to the API call is no unknown error of the API', async () => {
  const verification = await checkRaw((request) =>
    isApiCall(request) ? written('200 OK', tokenText()) : undefined,
  );
  expect(reasonOf(findingOf(verification, 'workspaces'))).toBe('http.unexpected-answer: API call');
});

test.each([
  ['is silent', '', ['server.no-target: behind a front', 'path.filter']],
  [
    'answers 503',
    written('503 X', 'no healthy upstream', { 'content-type': 'text/plain' }),
    ['server.no-target: behind a front'],
  ],
])('a front that has completed a handshake and then %s is there', async (_, bytes, consistent) => {
  const verification = await checkRaw(() => bytes, 6_000);
  const absent = ['server.no-target', 'endpoint.not-accepted', 'server.no-target: hung program'];
  const fails = bytes === '' ? 'http.timeout' : 'http.server-error';
  expectDiagnosis(verification, { fails, consistent, never: absent });
});

test('what a front asks callers to wait stands beside its first cause', async () => {
  const closed = written('503 X', '<html>', { 'retry-after': '120' });
  const { links } = await checkRaw(() => closed, 6_000);
  expect(links[0]?.causes[0]).toMatchObject({
    code: 'http.server-error',
    evidence: expect.stringContaining('retryAfterSeconds=120'),
  });
});

test('an error of the service in its own words blames nothing behind a front', async () => {
  const body = JSON.stringify({
    error_code: 'internal_error',
    error_message: 'Service internal error.',
  });
  const verification = await checkRaw((request) =>
    isTokenCall(request) ? written('503 X', body) : undefined,
  );
  expectDiagnosis(verification, {
    fails: 'http.server-error: token call',
    never: ['server.no-target: behind a front'],
  });
});

test('a head that is too long is told with the limit', async () => {
  const world = await createWorld();
  const long = written('200 OK', tokenText(), { 'x-long': 'x'.repeat(40_000) });
  await answerRaw(world, (request) => (isTokenCall(request) ? long : undefined));
  const finding = findingOf(await check(world), 'http');
  expect([reasonOf(finding), finding.evidence.error]).toEqual([
    'http.unexpected-answer: too long',
    expect.stringMatching(
      /the head of the answer to POST \S+ must be at most 32768 bytes, got: more$/,
    ),
  ]);
});
