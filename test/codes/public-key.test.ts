import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { refuseSecrets } from '../../src/codes/misplaced-secrets.js';
import { isFingerprintOf, readPublicKey } from '../../src/codes/public-key.js';
import { createAuthority } from '../support/certificates.js';

const PEM = inject('foreignKey');
const KEY = createPublicKey(PEM);
const OTHER = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const SPKI = KEY.export({ type: 'spki', format: 'der' });
const PKCS1 = KEY.export({ type: 'pkcs1', format: 'der' });
const LABELLED = KEY.export({ type: 'spki', format: 'pem' }).toString();
const JWK = KEY.export({ format: 'jwk' });
const SHA256 = createHash('sha256').update(SPKI).digest('base64url');

const pairs = (hex: string) => hex.match(/../g)?.join(':') ?? '';
const digest = (algorithm: string, data: Buffer) => createHash(algorithm).update(data);

/** The public key as OpenSSH writes it, made by OpenSSH itself. */
const hasSsh = spawnSync('ssh-keygen', ['-?']).error === undefined;
let sshKey = '';
const sshPrints: string[] = [];
beforeAll(async () => {
  if (!hasSsh) return;
  const folder = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  const [pem, open] = ['pub.pem', 'open.pub'].map((name) => join(folder, name)) as [string, string];
  await writeFile(pem, LABELLED);
  sshKey = execFileSync('ssh-keygen', ['-i', '-m', 'PKCS8', '-f', pem], { encoding: 'utf8' });
  await writeFile(open, sshKey);
  for (const kind of ['sha256', 'md5']) {
    const said = execFileSync('ssh-keygen', ['-l', '-E', kind, '-f', open], { encoding: 'utf8' });
    sshPrints.push(said.split(' ')[1] ?? '');
  }
  await rm(folder, { recursive: true });
});

describe('a public key in place of its fingerprint is named as that, with its fingerprint', () => {
  const forms: readonly [string, string][] = [
    ['PEM', LABELLED],
    ['PEM with Windows line ends', LABELLED.replaceAll('\n', '\r\n')],
    ['PEM in one line', LABELLED.trim().replaceAll('\n', '\\n')],
    ['PEM with spaces', LABELLED.trim().replaceAll('\n', ' ')],
    ['PKCS#1', KEY.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['a PEM in base64', Buffer.from(LABELLED).toString('base64')],
    ['no labels', SPKI.toString('base64')],
    ['PKCS#1 without labels', PKCS1.toString('base64')],
    ['a JWK', JSON.stringify({ ...JWK, use: 'sig', kid: 'x' })],
  ];
  const refusal = (data: object) => () => refuseSecrets(data, (path) => `--${path}`);

  test.each(forms)('%s', (_, text) => {
    expect(refusal({ keyId: text })).toThrow(
      `\`--keyId\` must be the fingerprint of the public key, got: a public key with the SHA-256 fingerprint ${SHA256}`,
    );
    expect(refusal({ appId: text })).toThrow('`--appId` must not hold a key, got: a public key');
    expect(refusal({ privateKeyFile: text })).toThrow(
      /must be the path of a file, got: a public key with the SHA-256 fingerprint [\w-]{43}$/,
    );
  });

  test.runIf(hasSsh)('the form of OpenSSH, with a comment', () => {
    for (const text of [sshKey, `${sshKey.trim()} me@host`, sshKey.split(' ')[1] ?? '']) {
      expect(refusal({ keyId: text })).toThrow(SHA256);
    }
  });

  test('a certificate', async () => {
    const { cert } = await (await createAuthority()).issue(['a.example']);
    expect(refusal({ keyId: cert })).toThrow(/got: a public key with the SHA-256/);
  });

  test.each<[string, string]>([
    ['PKCS#8', PEM],
    ['PKCS#1', createPrivateKey(PEM).export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['no labels', PEM.split('\n').slice(1, -2).join('\n')],
    [
      'PKCS#1 without labels',
      createPrivateKey(PEM).export({ type: 'pkcs1', format: 'der' }).toString('base64'),
    ],
    ['a JWK', JSON.stringify(createPrivateKey(PEM).export({ format: 'jwk' }))],
    ['a public key and then a private one', `${LABELLED}${PEM}`],
    ['a private key under the label of a public one', PEM.replaceAll('PRIVATE', 'PUBLIC')],
  ])('and a private key is not: %s', (_, text) => {
    expect(readPublicKey(text)).toBeUndefined();
    expect(refusal({ keyId: text })).toThrow(/must not hold a secret, got: a private key/);
  });
});

/** What tools say of the same key. */
const prints = (): readonly string[] => [
  ...[SPKI, PKCS1].flatMap((data) => [
    digest('sha256', data).digest('base64url'),
    digest('sha256', data).digest('base64'),
    digest('sha256', data).digest('hex'),
    pairs(digest('sha256', data).digest('hex').toUpperCase()),
    pairs(digest('sha1', data).digest('hex')),
    pairs(digest('md5', data).digest('hex')),
    `SHA256:${digest('sha256', data).digest('hex')}`,
    `sha-1:${digest('sha1', data).digest('base64')}`,
  ]),
  ...sshPrints,
  sshPrints[0]?.slice('SHA256:'.length) ?? SHA256,
];

test('an ID is compared with what any of them says', async () => {
  const thumbprint = await calculateJwkThumbprint(JWK);
  const all = [
    ...prints(),
    thumbprint,
    `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${thumbprint}`,
  ];
  expect(all.length).toBeGreaterThanOrEqual(hasSsh ? 21 : 19);
  for (const id of all) {
    expect([id, isFingerprintOf(id, KEY)]).toEqual([id, true]);
    expect([id, isFingerprintOf(id, OTHER)]).toEqual([id, false]);
  }
});

test.each([
  '',
  'k',
  'kid-1',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'V1StGXR8_Z5jdHi6B-myT',
  'SHA256:short',
  'MD5:d41d8cd98f00b204e9800998ecf8427',
  'x'.repeat(42),
  'x'.repeat(45),
  `${'x'.repeat(42)}.`,
])('an ID in no form of a fingerprint says nothing: "%s"', (id) => {
  expect(isFingerprintOf(id, KEY)).toBeUndefined();
});
