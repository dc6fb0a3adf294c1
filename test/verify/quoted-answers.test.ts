import { expect, test } from 'vitest';
import { reasonOf } from '../../src/codes/codes.js';
import { expectDiagnosis } from '../support/explained.js';
import type { Handler, Reply } from '../support/service-server.js';
import { check, createWorld, findingOf } from '../support/verifiable-link.js';

/** As long as a token, in no shape by which one is known. */
const SECRET = 'opaque.0123456789abcdef';

function onToken(reply: Reply): Handler {
  return ({ path }) => (path.endsWith('/token') ? reply : undefined);
}

test.each([
  ['another name', { accessToken: SECRET, expiresIn: 900 }],
  ['an object', { access_token: { value: SECRET }, expires_in: 900 }],
  ['a list', [SECRET]],
  ['a text', SECRET],
])('a token that is given as %s is not quoted', async (_, body) => {
  const world = await createWorld();
  world.service.handler = onToken({ body });
  const verification = await check(world);
  expect(reasonOf(findingOf(verification, 'token'))).toBe('http.unexpected-answer: token call');
  expect(JSON.stringify(verification)).not.toContain(SECRET);
});

test('words with a slash between them are no secret', async () => {
  const world = await createWorld();
  const said = 'upstream connect error or disconnect/reset before headers';
  world.service.handler = onToken({ status: 200, body: said });
  expect(findingOf(await check(world), 'token').evidence.problem).toContain(said);
});

test.each([
  [401, { 'www-authenticate': 'Negotiate' }, /www-authenticate Negotiate/],
  [405, { allow: 'GET, HEAD' }, /allow GET, HEAD/],
  [426, { upgrade: 'h2' }, /upgrade h2/],
])('an answer with status %i tells what its sender wants', async (status, headers, wants) => {
  const world = await createWorld();
  world.service.handler = () => ({ status, headers, body: '<html>no</html>' });
  expect(findingOf(await check(world), 'http').evidence.problem).toMatch(wants);
});

test('a text for people in the field of an OAuth error is no code of the service', async () => {
  const world = await createWorld();
  const body = { timestamp: '2026-11-26', status: 403, error: 'Forbidden', path: '/' };
  world.service.handler = onToken({ status: 403, body });
  const verification = await check(world);
  const { evidence } = findingOf(verification, 'token');
  expect(evidence).not.toHaveProperty('serviceCode');
  expect(evidence.problem).toContain('"error":"Forbidden"');
  expect(verification.links[0]?.causes[0]?.code).toBe('path.gateway');
});

test('a success without a credential is noted', async () => {
  const world = await createWorld();
  world.service.handler = () => ({ body: { code: 0, msg: '', data: { workspaces: [] } } });
  const { links } = await check(world, { auth: false });
  expect(links[0]?.verdict).toBe('reachable');
  expect(links[0]?.notes.join('; ')).toMatch(/a call without credential succeeds/);
});

test('a refusal in the form of OAuth is rather that of the token endpoint than of a gateway', async () => {
  const world = await createWorld();
  const body = { error: 'invalid_grant', error_description: 'audience' };
  world.service.handler = onToken({ status: 400, body });
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer: token call',
    consistent: ['http.unexpected-answer: token call', 'path.gateway'],
    never: ['server.other-service'],
  });
  expect(findingOf(verification, 'token').evidence).toMatchObject({
    serviceCode: 'invalid_grant',
    problem: expect.stringContaining('audience'),
  });
});
