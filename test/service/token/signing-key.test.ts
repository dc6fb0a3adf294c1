import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  webcrypto,
} from 'node:crypto';
import { inspect } from 'node:util';
import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { type JwtKey, signJwt } from '../../../src/service/index.js';
import { API_HOST, APPLICATION, PKCS1, PKCS8, PUBLIC_KEY } from '../../support/application.js';

const { keyId, appId } = APPLICATION;
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

function jwtBy(key: JwtKey) {
  return signJwt({ keyId, appId, apiHost: API_HOST, ...key });
}

function der(pem: string): Buffer {
  return createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
}

async function webKey(usages: webcrypto.KeyUsage[] = ['sign'], algorithm: object = RSA) {
  return await webcrypto.subtle.importKey('pkcs8', der(PKCS8), algorithm as never, false, usages);
}

test.each<[string, () => Promise<JwtKey> | JwtKey]>([
  ['PKCS#8 text', () => ({ privateKey: PKCS8 })],
  ['PKCS#1 text', () => ({ privateKey: PKCS1 })],
  ['a key object', () => ({ privateKey: createPrivateKey(PKCS8) })],
  [
    'a key of Web Cryptography that cannot be exported',
    async () => ({ privateKey: await webKey() }),
  ],
  ['a callback', () => ({ sign: async (input) => sign('RSA-SHA256', input, PKCS8) })],
])('signs with %s', async (_, key) => {
  const { jwt } = await jwtBy(await key());
  const { payload, protectedHeader } = await jwtVerify(jwt.reveal(), PUBLIC_KEY, {
    audience: API_HOST,
    issuer: appId,
  });
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: keyId });
  expect(Buffer.from(String(payload.jti), 'base64url').length).toBeGreaterThan(32);
});

test.each<[string, string, () => Promise<JwtKey> | JwtKey]>([
  ['a public key', 'key.unusable', () => ({ privateKey: createPublicKey(PKCS8) })],
  ['no key at all', 'key.unusable', () => ({ privateKey: undefined as never })],
  [
    'what a file was loaded into, and not the key in it',
    'key.unusable',
    () => ({ privateKey: { key: createPrivateKey(PKCS8) } as never }),
  ],
  ['text that is no key', 'key.unusable', () => ({ privateKey: 'nothing' })],
  [
    'an elliptic key',
    'key.unusable',
    () => ({ privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
  ],
  [
    'a short key',
    'key.unusable',
    () => ({ privateKey: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey }),
  ],
  [
    'a key of Web Cryptography for another algorithm',
    'key.unusable',
    async () => ({ privateKey: await webKey(['sign'], { ...RSA, name: 'RSA-PSS' }) }),
  ],
  ['a callback that gives too little', 'key.unusable', () => ({ sign: () => new Uint8Array(64) })],
])('refuses %s', async (_, code, key) => {
  await expect(jwtBy(await key())).rejects.toMatchObject({ code });
});

test('keeps the error of a callback as the cause, and out of the message', async () => {
  const secret = 'token of the key store';
  const failed = jwtBy({
    sign: () => {
      throw new Error(secret);
    },
  });
  await expect(failed).rejects.toMatchObject({
    reason: 'key.unusable: no signature',
    cause: { message: secret },
  });
  const error = await failed.catch((thrown: Error) => thrown);
  expect(inspect((error as Error).message)).not.toContain(secret);
});

test('a JWT alone, too, waits for a callback only so long, and no longer than its signal', async () => {
  const key = { keyId, appId, apiHost: API_HOST, sign: () => new Promise<never>(() => {}) };
  await expect(signJwt(key, { timeoutMs: 50 })).rejects.toMatchObject({
    reason: 'key.unusable: no signature',
  });
  const controller = new AbortController();
  const signed = signJwt(key, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(signed).rejects.toThrow('enough');
});

test.each([
  'https://api.service.example',
  'api.service.example:443',
  '10.1.2.3',
  'a/b',
  '',
])('refuses the audience "%s"', async (apiHost) => {
  const code = apiHost === '' ? 'usage.invalid' : 'usage.invalid';
  await expect(signJwt({ keyId, appId, apiHost, privateKey: PKCS8 })).rejects.toMatchObject({
    code,
  });
});
