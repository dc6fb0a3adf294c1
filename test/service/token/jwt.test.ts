import { createPrivateKey } from 'node:crypto';
import { inspect } from 'node:util';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import {
  type JwtClaimOptions,
  type JwtOptions,
  jwtWarnings,
  Secret,
  signJwt,
} from '../../../src/service/index.js';
import { PKCS1, PKCS8, PUBLIC_KEY } from '../../support/application.js';

const NOW = 1_763_000_000_900;

const OPTIONS: JwtOptions = {
  privateKey: createPrivateKey(PKCS8),
  keyId: 'fingerprint-1',
  appId: 'app-1',
  apiHost: 'api.service.example',
  now: () => NOW,
};

async function claimsOf(options: JwtOptions) {
  const { jwt } = await signJwt(options);
  const { payload } = await jwtVerify(jwt.reveal(), PUBLIC_KEY, { currentDate: new Date(NOW) });
  return payload;
}

test('a JWT has the header and the claims of the specification, and no others', async () => {
  const { jwt } = await signJwt(OPTIONS);
  expect(decodeProtectedHeader(jwt.reveal())).toEqual({
    alg: 'RS256',
    typ: 'JWT',
    kid: 'fingerprint-1',
  });
  expect(await claimsOf(OPTIONS)).toEqual({
    iss: 'app-1',
    aud: 'api.service.example',
    iat: 1_762_999_995,
    exp: 1_763_000_300,
    jti: expect.any(String),
  });
});

test('every JWT has a random jti of its own, longer than 32 bytes', async () => {
  const ids = await Promise.all([OPTIONS, OPTIONS, OPTIONS].map(claimsOf));
  expect(new Set(ids.map(({ jti }) => jti)).size).toBe(3);
  for (const { jti = '' } of ids) expect(Buffer.from(jti, 'base64url').length).toBeGreaterThan(32);
});

test('session, device and lifetime are set when asked for', async () => {
  const claims = await claimsOf({
    ...OPTIONS,
    lifetimeSeconds: 60,
    sessionName: 'user-1',
    device: { deviceId: 'd-1' },
  });
  expect(claims).toMatchObject({
    exp: 1_763_000_060,
    session_name: 'user-1',
    session_context: { device_info: { device_id: 'd-1' } },
  });
  expect(await claimsOf({ ...OPTIONS, device: { customConsumer: 'c-1' } })).toMatchObject({
    session_context: { device_info: { custom_consumer: 'c-1' } },
  });
});

test('a PKCS#1 key signs the same as a PKCS#8 key', async () => {
  const claims = await claimsOf({ ...OPTIONS, privateKey: createPrivateKey(PKCS1) });
  expect(claims.iss).toBe('app-1');
});

test.each<[field: string, change: Partial<JwtClaimOptions>]>([
  ['keyId', { keyId: '' }],
  ['appId', { appId: ' ' }],
  ['apiHost', { apiHost: '' }],
  ['sessionName', { sessionName: '' }],
  ['lifetimeSeconds', { lifetimeSeconds: 0 }],
  ['lifetimeSeconds', { lifetimeSeconds: 1.5 }],
  ['device', { device: {} }],
  // As callers without types give them: a variable that is not set.
  ['appId', { appId: undefined as never }],
  ['keyId', { keyId: 7 as never }],
  ['keyId', { keyId: 'key\ud800' }],
  ['sessionName', { sessionName: ['user'] as never }],
])('refuses a wrong `%s`', async (field, change) => {
  await expect(signJwt({ ...OPTIONS, ...change })).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(`\`${field}\``),
  });
});

test.each([
  '+8613812345678',
  '138 1234 5678',
  '0086-13812345678',
  '+49 (30) 1234567',
])('warns of %s as a consumer, since it looks like a phone number', (customConsumer) => {
  expect(jwtWarnings({ sessionName: 'user-1', device: { customConsumer } })).toHaveLength(1);
});

test.each([
  'user-1',
  '20251121',
  'd41d8cd98f00b204',
  '1234567890123456',
  '13812345678',
])('does not warn of %s as a device', (deviceId) => {
  expect(jwtWarnings({ sessionName: 'user-1', device: { deviceId } })).toEqual([]);
});

test('a secret shows itself only when asked', () => {
  const secret = new Secret('hidden');
  const shown = [`${secret}`, JSON.stringify({ secret }), inspect({ secret }), inspect(secret)];
  expect(shown.join()).not.toContain('hidden');
  expect(secret.reveal()).toBe('hidden');
});

test('warns of a JWT without a session, which may mix the chats of users', () => {
  expect(jwtWarnings({}, { sessionName: '--session-name' })).toEqual([
    '`--session-name` should be the ID of the user: without it the chats of users may be mixed',
  ]);
});
