import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import {
  checkStatements,
  readStatements,
} from '../../../src/cli/deploy/approval/read-statements.js';
import { removeGivenProviders } from '../../../src/cli/deploy/approval/reviewed.js';
import { temporaryFolder } from '../../support/cleanup.js';

const OWN = generateKeyPairSync('ed25519');
const OTHER = generateKeyPairSync('ed25519');
const RSA = createPrivateKey(inject('foreignKey'));
const spki = OWN.publicKey.export({ format: 'der', type: 'spki' });

const statement = { schema: 'secure-connectivity/statement@1', base: {}, head: {} };
const APPROVED = { ...statement, decision: 'needs-approval', approvedBy: ['reviewer'] };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact JWS with any head, whatever signs it. */
function jws(head: object, signed: (input: string) => Buffer, payload: object = APPROVED): string {
  const input = `${part(head)}.${part(payload)}`;
  return `${input}.${signed(input).toString('base64url')}`;
}

const byKey = (pair: typeof OWN) => (input: string) =>
  sign(undefined, Buffer.from(input), pair.privateKey);

async function judged(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'statement.jws');
  writeFileSync(file, text);
  try {
    await checkStatements(await readStatements([file]), spki.toString('base64'));
    return 'passes';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a statement that the key has signed passes', async () => {
  expect(await judged(jws({ alg: 'EdDSA' }, byKey(OWN)))).toBe('passes');
});

const honest = jws({ alg: 'EdDSA' }, byKey(OWN));
const [head = '', payload = '', signature = ''] = honest.split('.');

test.each<[string, string]>([
  ['no signature', jws({ alg: 'none' }, () => Buffer.from('x'))],
  ['an empty signature', `${part({ alg: 'none' })}.${payload}.`],
  [
    'the public key as a secret',
    jws({ alg: 'HS256' }, (i) => createHmac('sha256', spki).update(i).digest()),
  ],
  ['another key', jws({ alg: 'EdDSA' }, byKey(OTHER))],
  [
    'another key, named in the head',
    jws({ alg: 'EdDSA', jwk: OTHER.publicKey.export({ format: 'jwk' }), kid: 'own' }, byKey(OTHER)),
  ],
  [
    'a key that the head has a place for',
    jws({ alg: 'EdDSA', jku: 'https://example.com/keys' }, byKey(OTHER)),
  ],
  [
    'an algorithm of another kind of key',
    jws({ alg: 'RS256' }, (i) => sign('sha256', Buffer.from(i), RSA)),
  ],
  [
    'a head that asks for what nobody knows',
    jws({ alg: 'EdDSA', crit: ['exp'], exp: 1 }, byKey(OWN)),
  ],
  ['a payload that is not encoded', jws({ alg: 'EdDSA', b64: false, crit: ['b64'] }, byKey(OWN))],
  ['another payload', `${head}.${part({ ...APPROVED, approvedBy: ['mallory'] })}.${signature}`],
  ['a part more', `${honest}.${signature}`],
  ['JSON', JSON.stringify(APPROVED)],
  [
    'a change that nobody approved',
    jws({ alg: 'EdDSA' }, byKey(OWN), { ...APPROVED, approvedBy: [] }),
  ],
  [
    'a change that is forbidden',
    jws({ alg: 'EdDSA' }, byKey(OWN), { ...APPROVED, decision: 'forbidden' }),
  ],
])('a statement with %s is refused', async (_, text) => {
  expect(await judged(text)).toMatch(/^(a statement must be|`--reviewed` must name)/);
});

test('programs of providers in the tree are not run, and what a link leads to stays', async () => {
  const [folder, linked] = [await temporaryFolder(), await temporaryFolder()];
  const program = join('.terraform', 'providers', 'evil');
  mkdirSync(join(folder, '.terraform', 'providers'), { recursive: true });
  writeFileSync(join(folder, program), 'program');
  writeFileSync(join(folder, '.terraform', 'terraform.tfstate'), '{}');
  symlinkSync(join(folder, '.terraform'), join(linked, '.terraform'));
  removeGivenProviders(linked);
  expect(existsSync(join(folder, program))).toBe(true);
  removeGivenProviders(folder);
  expect(existsSync(join(folder, program))).toBe(false);
  expect(existsSync(join(folder, '.terraform', 'terraform.tfstate'))).toBe(true);
});
