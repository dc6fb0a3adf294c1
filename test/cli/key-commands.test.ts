import { spawn, spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PKCS8 } from '../support/application.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { HAS_TERMINAL } from '../support/run-in-terminal.js';

const KEY = createPrivateKey(PKCS8);
const PASSPHRASE = 'correct horse';
const encrypted = (type: 'pkcs1' | 'pkcs8') =>
  KEY.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE }).toString();

async function ofOpenSsh(passphrase: string): Promise<string> {
  const file = join(await temporaryFolder(), 'key');
  writeFileSync(file, PKCS8, { mode: 0o600 });
  spawnSync('ssh-keygen', ['-p', '-N', passphrase, '-f', file]);
  return readFileSync(file, 'utf8');
}

/** Runs a command on a terminal of its own, and gives the passphrase when it asks. */
function onTerminal(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env, stdio: 'pipe' });
  child.stdout.on('data', (chunk) => {
    if (/pass ?phrase.*:\s*$/i.test(String(chunk))) child.stdin.write(`${PASSPHRASE}\n`);
  });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}

const ONE_LINE = (pem: string) => pem.trim().replaceAll('\n', '\\n');

const HAS_TOOLS =
  HAS_TERMINAL && ['openssl', 'ssh-keygen'].every((one) => !spawnSync(one, ['-h']).error);

test.runIf(HAS_TOOLS).each<[string, string, () => string | Promise<string>]>([
  ['an encrypted file', "key of 'me'.pem", () => encrypted('pkcs8')],
  ['an encrypted file of PKCS#1', '-key.pem', () => encrypted('pkcs1')],
  ['a file in the format of OpenSSH', 'id_rsa', () => ofOpenSsh('')],
  ['an encrypted file in the format of OpenSSH', 'id rsa', () => ofOpenSsh(PASSPHRASE)],
  ['an encrypted variable', '', () => encrypted('pkcs8')],
  ['an encrypted variable in one line', '', () => ONE_LINE(encrypted('pkcs1'))],
  ['a variable in the format of OpenSSH', '', () => ofOpenSsh('')],
])('the command for %s writes a copy that can be used', async (_, name, pem) => {
  const folder = await temporaryFolder();
  const text = await pem();
  const file = join(folder, name);
  if (name !== '') writeFileSync(file, text, { mode: 0o400 });
  const variables = name === '' ? { SECURE_CONNECTIVITY_PRIVATE_KEY: text } : {};
  const env = { PATH: process.env.PATH, HOME: folder, ...variables };
  const args =
    'verify --preflight --api-host api.example.com --enterprise-id e --app-id a --key-id k';
  const preflight = (given: NodeJS.ProcessEnv) => runHere(args.split(' '), { env: given });

  const { exit, stderr } = await preflight(
    name === '' ? env : { ...env, SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: file },
  );
  expect([exit, stderr]).toEqual([2, expect.stringContaining('key.unusable')]);
  expect(stderr).toContain(name === '' ? 'SECURE_CONNECTIVITY_PRIVATE_KEY must hold' : file);
  const command = /\(umask 077; .*? COPY\)/s.exec(stderr)?.[0] ?? '';
  expect(await onTerminal(command, folder, env)).toBe(0);
  const copy = join(folder, 'COPY');
  expect(await preflight({ SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: copy })).toMatchObject({
    exit: 0,
    stderr: '',
  });
});
