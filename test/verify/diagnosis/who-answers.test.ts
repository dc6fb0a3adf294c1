import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import {
  answerRaw,
  isApiCall,
  isTokenCall,
  ordinary,
  type RawAnswer,
  tokenText,
  written,
} from '../../support/raw-service.js';
import { listen, TOKEN } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, findingOf, link } from '../../support/verifiable-link.js';

const PAGE = '<html><h1>403 Forbidden</h1><hr>openresty</html>';
const HTML = { 'content-type': 'text/html', server: 'openresty' };
const OWN_JSON = written('404 Not Found', '{"message":"no Route matched"}', { via: '1.1 kong' });

async function checkRaw(answerTo: RawAnswer) {
  const world = await createWorld();
  await answerRaw(world, answerTo);
  return await check(world, { timeoutMs: 6_000 });
}

/** The answer of a server over plain http to every call. */
async function checkPlain(bytes: string) {
  const world = await createWorld({ scheme: 'http' });
  const port = await listen(
    createServer((socket) =>
      socket.on('data', () => socket.end(bytes)).on('error', () => undefined),
    ),
  );
  await world.connectTo({ [ADDRESS]: port });
  const links = [link({ baseUrl: `http://${ENDPOINT_HOST}` })];
  return await check(world, { links, timeoutMs: 6_000 });
}

test.each([
  ['a page', written('403 Forbidden', PAGE, HTML), /\(text\/html, server openresty\): <html>/],
  ['JSON of its own', OWN_JSON, /\(application\/json, via 1\.1 kong\): \{"message"/],
])('a front with the right certificate that answers every call with %s comes before another service', async (_, bytes, problem) => {
  const verification = await checkRaw(() => bytes);
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer',
    consistent: ['path.gateway', 'path.inspection', 'server.other-service'],
    never: [],
  });
  expect(findingOf(verification, 'http').evidence.problem).toMatch(problem);
});

test.each([
  ['refuses', written('403 Forbidden', PAGE), ['path.gateway', 'server.other-service']],
  ['greets', written('200 OK', PAGE), ['server.other-service', 'path.gateway']],
  [
    'passes on',
    written('200 OK', PAGE, { via: '1.1 x' }),
    ['path.gateway', 'server.other-service'],
  ],
])('over plain http there is no TLS to intercept, and what %s is ordered by its answer', async (_, bytes, consistent) => {
  const verification = await checkPlain(bytes);
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer',
    consistent,
    never: ['path.inspection'],
  });
});

const marked = (answer: string) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return written(head.split('\r\n')[0]?.slice(9) ?? '', `\uFEFF${body}`);
};

test.each<[string, RawAnswer, string]>([
  [
    'a token without its expiry',
    (request) =>
      isTokenCall(request) ? written('200 OK', JSON.stringify({ access_token: TOKEN })) : undefined,
    'http.unexpected-answer: token call',
  ],
  [
    'a refusal whose code is a number',
    (request) =>
      isTokenCall(request)
        ? written('400 X', '{"error_code":4001,"error_message":"x"}')
        : undefined,
    'http.unexpected-answer: token call',
  ],
  [
    'a success whose code is a text',
    (request) => (isApiCall(request) ? written('200 OK', '{"code":"0","msg":""}') : undefined),
    'http.unexpected-answer: API call',
  ],
  [
    'a token under a status of failure',
    (request) => (isTokenCall(request) ? written('418 X', tokenText()) : undefined),
    'http.unexpected-answer: token call',
  ],
  [
    'a token behind a byte order mark',
    (request) => (isTokenCall(request) ? marked(ordinary(request)) : undefined),
    'http.unexpected-answer: token call',
  ],
  [
    'a list behind a byte order mark',
    (request) => (isApiCall(request) ? marked(ordinary(request)) : undefined),
    'http.unexpected-answer: API call',
  ],
  [
    'every answer behind a byte order mark',
    (request) => marked(ordinary(request)),
    'http.unexpected-answer',
  ],
])('%s is the service’s own, and nobody’s in its place', async (_, answerTo, fails) => {
  expectDiagnosis(await checkRaw(answerTo), {
    fails,
    never: ['path.gateway', 'path.inspection', 'server.other-service'],
    ruledOut: [/certificate/],
  });
});

test('a code that repeats the status of HTTP is not said to be missing', async () => {
  const own = written('404 Not Found', '{"code":404,"msg":"no route"}');
  const verification = await checkRaw((request) => (isApiCall(request) ? own : undefined));
  expect(findingOf(verification, 'workspaces').evidence.problem).toMatch(
    /^JSON without a `code` that is no status of HTTP \(/,
  );
});

const LATE = written('408 Request Timeout', '<html>', { connection: 'close' });

test('408 says that no whole request came, and shows no other server', async () => {
  const verification = await checkRaw(() => LATE);
  expectDiagnosis(verification, {
    fails: 'http.timeout: HTTP 408',
    never: ['server.other-service', 'http.unexpected-answer', 'server.no-target: behind a front'],
    notRuledOut: [/the network/],
  });
});
