import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { fillingSession } from '../../../src/verify/transport/tls/secure.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import { answerRaw, isApiCall, type RawAnswer, written } from '../../support/raw-service.js';
import { check, createWorld, findingOf } from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const HTML = { 'content-type': 'text/html' };

async function checkRaw(answer: RawAnswer) {
  const world = await createWorld();
  await answerRaw(world, answer);
  return await check(world, { timeoutMs });
}

const HOW: [how: string, answer: string, fails: string][] = [
  ['is left unanswered', '', 'http.timeout'],
  [
    'gets 400 from the front',
    written('400 Bad Request', 'bad', HTML),
    'http.unexpected-answer: API call',
  ],
  ['gets 502 from the front', written('502 Bad Gateway', 'bad', HTML), 'http.server-error'],
];

test.each(HOW)('a second call on a connection that %s', async (_, answer, fails) => {
  const verification = await checkRaw((_request, n) => (n > 1 ? answer : undefined));
  expectDiagnosis(verification, {
    fails,
    shown: ['server.unsteady: first call only'],
    never: [
      'server.unsteady: one call lost',
      'path.gateway',
      'path.inspection',
      'server.no-target: behind a front',
    ],
  });
  expect(verification.verdict).toBe('incomplete');
});

const ALWAYS: Readonly<Record<string, Omit<Expected, 'fails' | 'never'>>> = {
  'http.timeout': { consistent: ['server.unsteady: one call lost'] },
  'http.unexpected-answer: API call': { consistent: ['path.gateway'] },
  'http.server-error': { consistent: ['server.no-target: behind a front'] },
};

test.each(HOW)('a call that %s on every connection', async (_, answer, fails) => {
  const verification = await checkRaw((request) => (isApiCall(request) ? answer : undefined));
  expectDiagnosis(verification, {
    ...ALWAYS[fails],
    fails,
    never: ['server.unsteady: first call only'],
  });
  expect(reasonOf(findingOf(verification, 'workspaces'))).toBe(fails);
});

test.each([
  ['no packet was full', false],
  ['full packets came in the handshake', true],
])('a call that is answered as soon as its answer is small, where %s', async (_, hasLongKey) => {
  const world = await createWorld();
  const certificate = await world.authority.issue(
    [ENDPOINT_HOST],
    hasLongKey ? { rsaBits: 4096 } : {},
  );
  // OpenSSL from 3.5 on exchanges keys that fill a packet.
  const isLarge = hasLongKey || fillingSession() === undefined;
  const isLost = (request: string) => isApiCall(request) && !/page_size=1\b/.test(request);
  await answerRaw(world, (request) => (isLost(request) ? '' : undefined), undefined, certificate);
  const bySize = ['path.mtu'];
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'http.timeout',
    consistent: [...(isLarge ? [] : bySize), 'server.unsteady: one call lost'],
    never: ['server.unsteady: first call only', ...(isLarge ? bySize : [])],
  });
});

test('a success under a status of failure is no answer on a new connection either', async () => {
  const body = JSON.stringify({ code: 0, msg: '', data: {} });
  const answer = written('401 Unauthorized', body);
  const verification = await checkRaw((request) => (isApiCall(request) ? answer : undefined));
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer: API call',
    shown: [],
    never: ['server.unsteady: first call only'],
  });
});
