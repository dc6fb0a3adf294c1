import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { COMMANDS } from '../../src/cli/run.js';
import { runHere } from '../support/run-here.js';

const PEM = inject('foreignKey');
const privateKey = createPrivateKey(PEM);
const JWK = privateKey.export({ format: 'jwk' });
const JWT = [{ alg: 'RS256', typ: 'JWT' }, { iss: 'app' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('c2lnbmF0dXJlc2lnbmF0dXJl')
  .join('.');

/** Secrets as people paste them, with the parts that must not be repeated. */
const SECRETS: Readonly<Record<string, readonly [text: string, ...parts: string[]]>> = {
  pem: [PEM, PEM.slice(60, 100), PEM.slice(-80, -40)],
  'pem in one line': [PEM.replaceAll('\n', '\\n'), PEM.slice(60, 100)],
  'pem in base64': [
    Buffer.from(PEM).toString('base64'),
    Buffer.from(PEM).toString('base64').slice(40, 80),
  ],
  jwk: [
    JSON.stringify(JWK),
    ...[JWK.d, JWK.p, JWK.q, JWK.dp, JWK.dq, JWK.qi].map((member) => member?.slice(0, 40) ?? '-'),
  ],
  jwt: [JWT, JWT.split('.')[1] ?? '-', 'c2lnbmF0dXJl'],
  token: ['czs_0123456789abcdefABCDEF', '0123456789abcdef'],
  'access key': [`AKLT${'YmFzZTY0Mz'.repeat(4)}`, 'YmFzZTY0Mz'],
  'secret key': ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLE1K', 'wJalrXUtnFEMI'],
  'secret key in base64': [`${'TVRnM01qSTNaV1Zq'.repeat(3)}TnpVMk5E==`, 'TVRnM01qSTN'],
};

const PLACES: Readonly<Record<string, (secret: string) => string[]>> = {
  'as an argument': (secret) => [secret],
  'after two dashes': (secret) => ['--', secret],
  'as a second argument': (secret) => ['a', secret],
  'as an option': (secret) => [`--${secret}`],
  'as the value of an unknown option': (secret) => [`--no-such-option=${secret}`],
  'as a short option': (secret) => [`-${secret}`],
};

/** A sandbox takes the words after two dashes for a command. */
const names = Object.keys(COMMANDS);

const folder = mkdtempSync(join(tmpdir(), 'misplaced-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(SECRETS))('%s', (_, [secret, ...parts]) => {
  const shows = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
    parts.filter((part) => `${stdout}${stderr}`.includes(part));

  test.each(Object.entries(PLACES))('is repeated by no command %s', async (place, wordsOf) => {
    for (const name of names) {
      if (name === 'sandbox' && place === 'after two dashes') continue;
      const result = await runHere([name, ...wordsOf(secret)], { cwd: folder });
      expect([name, shows(result)]).toEqual([name, []]);
      expect([name, result.exit]).not.toEqual([name, 0]);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is not repeated as a command', async () => {
    expect(shows(await runHere([secret]))).toEqual([]);
  });
});

/** Flags without a value, and those whose value makes a program stay. */
const VALUELESS = new Set(['--help', '--seal', '--live', '--listen', '--version']);

test('is repeated by no option of any command', async () => {
  let tried = 0;
  for (const name of names.filter((one) => one !== 'sandbox')) {
    const { stdout: help } = await runHere([name, '--help'], { cwd: folder });
    const flags = [...help.matchAll(/^\s+(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
    for (const kind of ['pem', 'jwk', 'jwt', 'token', 'secret key']) {
      const [secret = '', ...parts] = SECRETS[kind] ?? [];
      for (const flag of flags.filter((one) => !VALUELESS.has(one))) {
        const { stdout, stderr } = await runHere([name, flag, secret], { cwd: folder });
        const shown = parts.filter((part) => `${stdout}${stderr}`.includes(part));
        expect([name, flag, kind, shown]).toEqual([name, flag, kind, []]);
        tried += 1;
      }
    }
  }
  expect(tried).toBeGreaterThan(500);
  expect(readdirSync(folder)).toEqual([]);
});

test('a password in a URL becomes the name of no folder', async () => {
  const { exit, stderr } = await runHere(['init', 'https://user:hunter2@host/a'], { cwd: folder });
  expect([exit, readdirSync(folder)]).toEqual([2, []]);
  expect(stderr).not.toContain('hunter2');
});

/** Where no line holds a slash, the whole is one name, which is too long for any file. */
test.each([
  ['as it is', PEM.replace('M', '/')],
  ['without a slash', PEM.replaceAll('/', '+')],
])('a key in the place of a sandbox command is not repeated, %s', async (_, pem) => {
  const args = ['sandbox', '--state', join(folder, 'state'), '--', pem];
  const { exit, stderr } = await runHere(args);
  rmSync(join(folder, 'state'), { recursive: true, force: true });
  expect([126, 127], stderr).toContain(exit);
  expect(stderr).not.toMatch(/internal\.bug/);
  expect(stderr).not.toContain(pem.slice(60, 100));
});
