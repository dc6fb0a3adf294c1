import { createHash, createPublicKey } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { PKCS8 } from '../support/application.js';
import { runHere } from '../support/run-here.js';

const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, PKCS8, { mode: 0o600 });
const brokenFile = join(folder, 'broken.pem');
writeFileSync(brokenFile, 'no key', { mode: 0o600 });

const env = {
  SECURE_CONNECTIVITY_ENTERPRISE_ID: 'e',
  SECURE_CONNECTIVITY_APP_ID: 'a',
  SECURE_CONNECTIVITY_KEY_ID: 'k',
  SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: keyFile,
};
const ARGS = ['verify', '--preflight', '--api-host', 'api.example.com'];
const inside = ['--preflight', '10.20.0.0/16', '--own-address', '10.20.9.9'];
const outside = ['--preflight', '10.20.0.0/16', '--own-address', '192.0.2.7'];

test('a machine with a key inside a network that may call is ready', async () => {
  expect(await runHere([...ARGS, ...inside], { env })).toMatchObject({
    exit: 0,
    stdout: 'preflight: credentials and key can be used; 10.20.9.9 may call the service\n',
    stderr: '',
  });
});

test('what a check would warn of is said here', async () => {
  const shared = join(folder, 'shared.pem');
  writeFileSync(shared, PKCS8);
  chmodSync(shared, 0o640);
  // Root may let a group read; this file is another user's.
  if (process.getuid?.() === 0) chownSync(shared, 65_534, 65_534);
  const file = { ...env, SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: shared };
  const readable = await runHere([...ARGS, ...inside], { env: file });
  expect(readable).toMatchObject({ exit: 0, stdout: expect.stringContaining('can be used') });
  expect(readable.stderr).toMatch(/^preflight: key\.permissions: .*chmod/s);
});

test('a key ID that is the fingerprint of another key, or names a file with a key, is told, and another form is not', async () => {
  const print = (pem: string) =>
    createHash('sha256')
      .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
      .digest('base64url');
  const own = print(PKCS8);
  const preflight = (id: string) =>
    runHere([...ARGS, ...inside, '--key-id', id], { env, cwd: folder });
  for (const name of [own, 'id_rsa']) writeFileSync(join(folder, name), PKCS8);
  writeFileSync(join(folder, 'k'), 'no key');
  for (const id of [own, 'k', '3f2504e0-4f89-11d3-9a0c-0305e82c3301']) {
    expect(await preflight(id)).toMatchObject({ exit: 0, stderr: '' });
  }
  for (const other of [print(inject('foreignKey')), 'id_rsa']) {
    const { exit, stderr } = await preflight(other);
    expect(exit).toBe(0);
    expect(stderr).toContain(
      `token.key-pair: \`--key-id\` and the private key (${keyFile}) may be of two key pairs, got: ${other}, where the key has the SHA-256 fingerprint ${own}. Compare it`,
    );
  }
});

test('a variable that nothing reads is named with the one that was meant', async () => {
  const { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: file, ...rest } = env;
  const slips = {
    ...rest,
    SECURE_CONNECTIVITY_PRIVATE_KEYFILE: file,
    SECURE_CONNECTIVITY_OTHER: '1',
  };
  const { exit, stderr } = await runHere([...ARGS, ...inside], { env: slips });
  expect(exit).toBe(2);
  expect(stderr.split('\n')[0]).toBe(
    'verify: nothing reads the variable SECURE_CONNECTIVITY_PRIVATE_KEYFILE; did you mean SECURE_CONNECTIVITY_PRIVATE_KEY_FILE?',
  );
  expect(stderr).not.toContain('OTHER');
});

test.each([
  [['--no-auth'], /`--preflight` must not have flags beside it .* got: --no-auth/],
  [['--preflight', 'abc'], /--preflight .*abc/],
  [['--preflight', '10.0.0.0/99'], /--preflight .*mask/],
  [['--preflight', '10.0.0.1/8'], /--preflight .*host bits/],
])('flags that it cannot use are named: %j', async (args, message) => {
  const { exit, stdout, stderr } = await runHere([...ARGS, ...args], { env });
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('host.outside-network');
});

test.each<[string, Record<string, string>, readonly string[], string]>([
  ['no key', { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '' }, inside, 'credentials.missing: '],
  [
    'a key file that is not there',
    { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: join(folder, 'none.pem') },
    inside,
    'key.unusable: ',
  ],
  [
    'a key file that holds no key',
    { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: brokenFile },
    inside,
    'key.unusable: ',
  ],
  [
    'a machine that cannot be inside',
    {},
    outside,
    'host.outside-network: this machine has 192.0.2.7, and only 10.20.0.0/16 may call the service. Deploy from inside the network',
  ],
])('is refused, or only reported: %s', async (_, more, args, message) => {
  const refused = await runHere([...ARGS, ...args], { env: { ...env, ...more } });
  expect(refused).toMatchObject({ exit: 2, stdout: '' });
  expect(refused.stderr).toContain(message);
  const reported = await runHere([...ARGS, ...args, '--report-only'], { env: { ...env, ...more } });
  expect(reported).toMatchObject({ exit: 0, stderr: refused.stderr });
});

test('a file of a sandbox leaves the location in a new network open', async () => {
  const args = ['--preflight', '10.50.0.0/16', '--own-address', '10.20.9.9'];
  const { exit, stdout } = await runHere([...ARGS, ...args, '--own-address', '*'], { env });
  expect([exit, stdout]).toEqual([
    0,
    'preflight: credentials and key can be used; the location is not known yet\n',
  ]);
});

test('a network of a sandbox that has a client leaves nothing open', async () => {
  const own = ['--own-address', '10.20.1.252', '--own-address', '*!10.20.0.0/16'];
  const refused = await runHere([...ARGS, '--preflight', '10.20.9.0/24', ...own], { env });
  expect(refused.exit).toBe(2);
  expect(refused.stderr).toContain('this machine has 10.20.1.252, and only 10.20.9.0/24 may call');
  const elsewhere = await runHere([...ARGS, '--preflight', '10.50.0.0/16', ...own], { env });
  expect(elsewhere.stdout).toContain('the location is not known yet');
});

test('where any network may call, no location is judged', async () => {
  const { exit, stdout } = await runHere(ARGS, { env });
  expect([exit, stdout]).toEqual([0, 'preflight: credentials and key can be used\n']);
});
