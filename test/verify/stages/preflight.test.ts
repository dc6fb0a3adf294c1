import { generateKeyPairSync } from 'node:crypto';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkId } from '../../../src/service/token/jwt.js';
import { audienceProblem } from '../../../src/verify/stages/preflight.js';
import { API_HOST } from '../../support/application.js';
import { check, createWorld, findingOf, outline } from '../../support/verifiable-link.js';

const PRIVATE_HOST = 'ep-1.private.example';

test.each<[aud: string, problem: RegExp | undefined]>([
  [API_HOST, undefined],
  ['localhost', undefined],
  ['10.1.2.3', /address/],
  ['[fd00::1]', /address/],
  ['fd00::1', /address/],
  ['0x7f.1', /address/],
  ['2130706433', /address/],
  ['https://api.service.example', /bare host name/],
  ['api.service.example:443', /bare host name/],
  ['api.service.example/', /bare host name/],
  ['api.service.example.', /bare host name/],
  ['EP-1.private.example', /private domain/],
])('the audience %s', (aud, problem) => {
  const found = audienceProblem({ apiHost: aud, via: 'service-endpoint' }, PRIVATE_HOST);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

test('the host of a fixed-IP base URL is no audience: it is called in place of the public one', () => {
  const found = (host: string) =>
    audienceProblem({ apiHost: API_HOST, via: 'fixed-ip-egress' }, host);
  expect(found(API_HOST.toUpperCase())).toMatch(/fixed-IP base URL/);
  expect(found('static.service.example')).toBeUndefined();
});

test('on the internet the API host may be the host of the link', () => {
  expect(audienceProblem({ apiHost: API_HOST, via: 'internet' }, API_HOST)).toBeUndefined();
});

test('the report shows which key was used, and where key ID and key came from', async () => {
  const world = await createWorld();
  const settings = [{ name: '--key-id', source: 'SECURE_CONNECTIVITY_KEY_ID', value: 'x' }];
  const { evidence } = findingOf(await check(world, { settings }), 'preflight');
  expect(evidence).toMatchObject({
    kid: 'fingerprint-1',
    kidSource: 'SECURE_CONNECTIVITY_KEY_ID',
    keySource: world.options.credentials?.privateKeyFile,
  });
});

test.each([
  ['short', 'key.unusable', () => generateKeyPairSync('rsa', { modulusLength: 1024 })],
  ['elliptic', 'key.unusable', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
])('a key that is %s is refused before any packet', async (name, code, create) => {
  const world = await createWorld();
  const privateKeyFile = join(world.folder, name);
  const pem = create().privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(privateKeyFile, pem, { mode: 0o600 });
  const credentials = { ...world.options.credentials, privateKeyFile };
  const verification = await check(world, { credentials });
  expect(outline(verification)[0]).toBe(`preflight failed ${code}`);
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});

test('a key that the group can read is warned of, and used', async () => {
  const world = await createWorld();
  const { privateKeyFile = '' } = world.options.credentials ?? {};
  await chmod(privateKeyFile, 0o640);
  if (process.getuid?.() === 0) await chown(privateKeyFile, 4321, 4321);
  const verification = await check(world);
  expect(outline(verification)[0]).toBe('preflight warned key.permissions');
  expect(verification.verdict).toBe('reachable');
});

test.each([
  './public.pem',
  '../keys/id',
  '~/key',
  '~deploy/key',
  'key.pem',
  'id_rsa.pub',
  'file:///run/key',
  String.raw`C:\keys\kid`,
  '/run/secrets/kid',
])('the path of a file in place of the key ID is refused before any packet: %s', async (keyId) => {
  const world = await createWorld();
  const credentials = { ...world.options.credentials, keyId };
  const verification = await check(world, { credentials });
  const { code, evidence } = findingOf(verification, 'preflight');
  expect(code).toBe('usage.invalid');
  expect(evidence.error).toBe(
    `\`keyId\` must be the fingerprint of the public key, as the edit page of the application shows it, got: "${keyId}", which looks like the path of a file`,
  );
  expect(world.asked).toEqual([]);
});

test.each([
  `/${'Ab1+/'.repeat(8)}xy`,
  `SHA256:a/${'Ab1+/'.repeat(8)}x`,
  'key.v2',
  'a/b',
  'app~1',
])('%s can be a key ID', (id) => {
  expect(() => checkId('keyId', id)).not.toThrow();
});

test.each([
  ['keyId', 'fingerprint-1 '],
  ['keyId', '"fingerprint-1"'],
  ['keyId', 'fingerprint\u200b-1'],
  ['appId', " '117'"],
  ['enterpriseId', 'volcano_1\n'],
])('an ID with blanks or quotes is refused before any packet: %s %j', async (field, id) => {
  const world = await createWorld();
  const credentials = { ...world.options.credentials, [field]: id };
  const verification = await check(world, { credentials });
  const { code, evidence } = findingOf(verification, 'preflight');
  expect(code).toBe('usage.invalid');
  expect(evidence.error).toMatch(/must have no blanks, quotes or invisible characters, got: "/);
  expect(world.asked).toEqual([]);
});
