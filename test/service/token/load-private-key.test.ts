import { execFile, spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmod, chown, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadPrivateKey, parsePrivateKey } from '../../../src/service/index.js';
import { PKCS1, PKCS8 } from '../../support/application.js';
import { temporaryFolder } from '../../support/cleanup.js';

const run = promisify(execFile);

async function keyFile(mode: number, text = PKCS8): Promise<string> {
  const file = join(await temporaryFolder(), 'private key');
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

test.each([
  ['PKCS#8', PKCS8],
  ['PKCS#1', PKCS1],
  ['PKCS#8 with Windows line ends', PKCS8.replaceAll('\n', '\r\n')],
  ['PKCS#8 with a byte order mark', `\uFEFF${PKCS8}`],
  ['PKCS#8 with escaped line ends', PKCS8.replaceAll('\n', '\\n')],
])('reads %s', (_, pem) => {
  expect(parsePrivateKey(pem, 'key').asymmetricKeyDetails?.modulusLength).toBe(2048);
});

const ENCRYPTED = createPrivateKey(PKCS8).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'x',
});
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SHORT = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

test.each([
  ['nothing', '', 'key.unusable', /got: nothing/],
  ['other text', 'hello', 'key.unusable', /text without a PEM label/],
  ['an encrypted key', ENCRYPTED, 'key.unusable', /got: an encrypted one.*openssl pkey -in KEY/],
  ['a path', '~/key.pem', 'key.unusable', /got: a path, which goes to `privateKeyFile`/],
  ['a fingerprint', `SHA256:${'x'.repeat(43)}`, 'key.unusable', /got: a fingerprint is the key ID/],
  [
    'a key as ssh-keygen writes it',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
    'key.unusable',
    /got: one in the format of OpenSSH; write a copy of it as PEM/,
  ],
  ['a damaged key', PKCS8.replace(/\n.{20}/, '\n'), 'key.unusable', /damaged PRIVATE KEY/],
  [
    'a public key',
    EC.publicKey.export({ type: 'spki', format: 'pem' }),
    'key.unusable',
    /PUBLIC KEY/,
  ],
  ['an EC key', EC.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'key.unusable', /got: ec/],
  ['a short key', SHORT.export({ type: 'pkcs8', format: 'pem' }), 'key.unusable', /got: 1024/],
])('refuses %s without repeating it', (_, pem, code, message) => {
  const text = pem.toString();
  const error = errorOf(() => parsePrivateKey(text, 'key'));
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  for (const line of text.split('\n').filter((one) => /^[\w+/=]{20,}$/.test(one))) {
    expect(error).not.toMatchObject({ message: expect.stringContaining(line) });
  }
});

test('a file that only its owner reads is read without a note', async () => {
  expect((await loadPrivateKey(await keyFile(0o400))).groupReadable).toBeUndefined();
});

const isRoot = process.getuid?.() === 0;

test('a file that its group reads gets a note with the chmod to run, unless root owns it', async () => {
  const file = await keyFile(0o640);
  const note = `chmod 600 '${file}'`;
  expect((await loadPrivateKey(file)).groupReadable).toBe(isRoot ? undefined : note);
  if (isRoot) await chown(file, 4321, 4321);
  expect((await loadPrivateKey(file)).groupReadable).toBe(note);
});

const NAMESPACE = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']);

test.skipIf(NAMESPACE.status !== 0).each([
  ['0644', 'ro', 'rsa'],
  ['0440', 'ro', 'rsa'],
  ['0440', 'rw', 'rsa'],
  ['0644', 'rw', 'key.permissions'],
])(
  'a key of mode %s in a volume that is mounted %s, owned by root: %s',
  async (mode, way, seen) => {
    const folder = dirname(await keyFile(Number.parseInt(mode, 8)));
    const mount = `mount --bind "$0" "$0" && mount -o remount,bind,${way} "$0" && "$NODE" -e "$SCRIPT" "$0/private key"`;
    const env = { ...process.env, NODE: process.execPath, SCRIPT: LOAD };
    const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, folder];
    const { stdout } = await run('unshare', args, { env });
    expect(stdout).toBe(`${seen}\n`);
  },
);

test.each([0o644, 0o604, 0o602, 0o660])('a file of mode %o is refused', async (mode) => {
  const file = await keyFile(mode);
  await expect(loadPrivateKey(file)).rejects.toMatchObject({
    code: 'key.permissions',
    message: expect.stringContaining(`chmod 600 '${file}'`),
  });
});

test('a file that holds no private key may be open to others, and is refused for what it holds', async () => {
  const pem = createPublicKey(PKCS8).export({ type: 'spki', format: 'pem' }).toString();
  await expect(loadPrivateKey(await keyFile(0o644, pem))).rejects.toMatchObject({
    code: 'key.unusable',
  });
});

test('a link is followed, and the file behind it is judged', async () => {
  const [closed, open] = [await keyFile(0o600), await keyFile(0o644)];
  await symlink(closed, `${closed}-link`);
  await symlink(open, `${open}-link`);
  expect((await loadPrivateKey(`${closed}-link`)).key.type).toBe('private');
  await expect(loadPrivateKey(`${open}-link`)).rejects.toMatchObject({
    message: expect.stringContaining(`chmod 600 '${open}'`),
  });
});

test('a path without a file, a folder and a large file have errors of their own', async () => {
  const folder = await temporaryFolder();
  await expect(loadPrivateKey(join(folder, 'no'))).rejects.toMatchObject({ code: 'key.unusable' });
  await expect(loadPrivateKey('~/no.pem')).rejects.toThrow(/only a shell expands/);
  await expect(loadPrivateKey(folder)).rejects.toMatchObject({ code: 'key.unusable' });
  const large = await keyFile(0o600, 'x'.repeat(100_000));
  await expect(loadPrivateKey(large)).rejects.toMatchObject({ code: 'key.unusable' });
});

test('the text of a key in place of its path is refused, and not repeated', async () => {
  await expect(loadPrivateKey(PKCS8)).rejects.toMatchObject({
    code: 'credentials.missing',
    message: expect.not.stringContaining(PKCS8.slice(40, 80)),
  });
});

const LOAD = `
  import('./dist/service/index.js').then(({ loadPrivateKey }) =>
    loadPrivateKey(process.argv.at(-1)).then(({ key }) => key.asymmetricKeyType, ({ code }) => code),
  ).then(console.log);`;

test.each([
  ['standard input', '"$NODE" -e "$SCRIPT" - < "$KEY"'],
  ['a pipe into standard input', 'cat "$KEY" | "$NODE" -e "$SCRIPT" -'],
  ['an open descriptor', '"$NODE" -e "$SCRIPT" /dev/fd/3 3< "$KEY"'],
  ['a pipe', '"$NODE" -e "$SCRIPT" <(cat "$KEY")'],
])('reads a key from %s', async (_, command) => {
  const { stdout } = await run('bash', ['-c', command], {
    env: { ...process.env, NODE: process.execPath, SCRIPT: LOAD, KEY: await keyFile(0o600) },
  });
  expect(stdout).toBe('rsa\n');
});

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test.each<[string, (pem: string) => string | Buffer, RegExp]>([
  ['UTF-16', (pem) => Buffer.from(`\uFEFF${pem}`, 'utf16le'), /text in UTF-16; save it as UTF-8/],
  ['base64 once more', (pem) => Buffer.from(pem).toString('base64'), /in base64 once more/],
  [
    'base64 of UTF-16',
    (pem) => Buffer.from(pem, 'utf16le').toString('base64'),
    /UTF-16 that is encoded in base64/,
  ],
])('a key that was saved in %s is named as that', async (_, change, message) => {
  const folder = await temporaryFolder();
  const path = join(folder, 'key.pem');
  await writeFile(path, change(PKCS8), { mode: 0o600 });
  await expect(loadPrivateKey(path)).rejects.toMatchObject({
    code: 'key.unusable',
    message: expect.stringMatching(message),
  });
});
