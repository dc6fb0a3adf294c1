import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { API_HOST, APPLICATION, ENDPOINT_HOST, PKCS8 } from '../support/application.js';
import { type CliOptions, type CliResult, runCli } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';
import { TOKEN, tokenError } from '../support/service-server.js';
import { ADDRESS, createWorld, type World, type WorldOptions } from '../support/verifiable-link.js';

function token(
  args: readonly string[],
  env: Record<string, string>,
  options: Pick<CliOptions, 'keepsInputOpen'> = {},
): Promise<CliResult> {
  return options.keepsInputOpen
    ? runCli(['token', ...args], { env, ...options })
    : runHere(['token', ...args], { env });
}

async function worldWithEnv(choices?: WorldOptions) {
  const world = await createWorld(choices);
  const env: Record<string, string> = {
    SECURE_CONNECTIVITY_BASE_URL: `${choices?.scheme ?? 'https'}://${ENDPOINT_HOST}`,
    SECURE_CONNECTIVITY_API_HOST: API_HOST,
    SECURE_CONNECTIVITY_ENTERPRISE_ID: APPLICATION.enterpriseId,
    SECURE_CONNECTIVITY_APP_ID: APPLICATION.appId,
    SECURE_CONNECTIVITY_KEY_ID: APPLICATION.keyId,
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: join(world.folder, 'private_key'),
    SECURE_CONNECTIVITY_DNS_SERVER: world.options.dnsServer ?? '',
    SECURE_CONNECTIVITY_CONNECT_TO: world.options.connectTo?.[0] ?? '',
    SECURE_CONNECTIVITY_CA_FILE: world.options.caFile ?? '',
  };
  return { world, env };
}

test('a token without a session, which may mix the chats of users, is warned of', async () => {
  const { env } = await worldWithEnv();
  expect(await token([], env)).toMatchObject({
    exit: 0,
    stdout: `${TOKEN}\n`,
    stderr:
      'token: `--session-name` should be the ID of the user: without it the chats of users may be mixed\n',
  });
});

test('what a check would warn of in key or answer is said, and the token is printed', async () => {
  const { world, env } = await worldWithEnv();
  world.service.handler = () => ({ body: { access_token: TOKEN, expires_in: 4e7 } });
  const key = join(world.folder, 'private_key');
  await chmod(key, 0o640);
  if (process.getuid?.() === 0) await chown(key, 4321, 4321);
  const { exit, stdout, stderr } = await token(['--session-name', 'user-1'], env);
  expect([exit, stdout]).toEqual([0, `${TOKEN}\n`]);
  expect(stderr).toMatch(/^token: The mode of the file lets a group .* Run: chmod /m);
  expect(stderr).toMatch(/^token: .*expires_in/m);
});

test('prints the token and nothing else', async () => {
  const { world, env } = await worldWithEnv();
  const args = [
    ...['--session-name', 'user-1', '--duration-seconds', '900'],
    ...['--device-id', 'device-1', '--custom-consumer', 'line 4'],
  ];
  expect(await token(args, env)).toMatchObject({ exit: 0, stdout: `${TOKEN}\n`, stderr: '' });
  const [request] = world.service.requests;
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ duration_seconds: 900 });
  const [, payload = ''] = (request?.headers.authorization ?? '').split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    aud: API_HOST,
    session_name: 'user-1',
    session_context: { device_info: { device_id: 'device-1', custom_consumer: 'line 4' } },
  });
  expect(world.service.requests).toHaveLength(1);
});

test('takes the key as text, goes over plain http where allowed, and to the next address', async () => {
  const { world, env } = await worldWithEnv({ scheme: 'http' });
  world.dns = { names: { [ENDPOINT_HOST]: ['10.1.2.2', ADDRESS] } };
  await world.connectTo({ '10.1.2.2': 1, [ADDRESS]: world.service.port });
  const { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: _, ...rest } = env;
  const withText = { ...rest, SECURE_CONNECTIVITY_PRIVATE_KEY: PKCS8 };
  const { exit, stdout } = await token(['--allow-plain-http'], withText);
  expect([exit, stdout]).toEqual([0, `${TOKEN}\n`]);
});

type Breaking = (world: World, env: Record<string, string>) => unknown;

test.each<[string, number, RegExp, Breaking, WorldOptions?]>([
  [
    'settings that are missing',
    2,
    /`--base-url`, `--private-key-file` must be given/,
    (_, env) => {
      delete env.SECURE_CONNECTIVITY_BASE_URL;
      env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE = '';
    },
  ],
  [
    'an audience with a port',
    2,
    /`--api-host` must be a host name/,
    (_, env) => Object.assign(env, { SECURE_CONNECTIVITY_API_HOST: 'api.service.example:443' }),
  ],
  [
    'plain http without leave',
    2,
    /needs `--allow-plain-http`/,
    () => undefined,
    { scheme: 'http' },
  ],
  [
    'a name that does not exist',
    10,
    /ENOTFOUND/,
    (world) => {
      world.dns = { names: {} };
    },
  ],
  ['a port where nobody listens', 12, /ECONNREFUSED/, (world) => world.connectTo({ [ADDRESS]: 1 })],
  [
    'a certificate for another name',
    13,
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    () => undefined,
    { names: ['other.example'] },
  ],
  [
    'an application that is deactivated',
    15,
    /currently deactivated/,
    (world) => {
      world.service.handler = () =>
        tokenError('access_deny', 'app: a is currently deactivated by the owner', 403);
    },
  ],
])('%s ends with status %i and one line', async (_, exit, message, breaking, choices) => {
  const { world, env } = await worldWithEnv(choices);
  await breaking(world, env);
  const ended = await token([], env);
  expect(ended).toMatchObject({ exit, stdout: '' });
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

test('TLS verification cannot be switched off', async () => {
  const { world, env } = await worldWithEnv({ untrusted: true });
  const ended = await token([], { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(ended).toMatchObject({ exit: 13, stdout: '' });
  expect(world.service.requests).toEqual([]);
});

test('an ID that was copied with a blank or quotes is named by its flag, and nothing is sent', async () => {
  const { world, env } = await worldWithEnv();
  for (const flag of ['--enterprise-id', '--app-id', '--key-id']) {
    const { exit, stdout, stderr } = await token([flag, '"id 1"'], env);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`\`${flag}\` must have no blanks, quotes`);
  }
  const long = await token(['--duration-seconds', '86400'], env);
  expect(long.stderr).toContain('`--duration-seconds` must be a whole number from 1 to 86399');
  const empty = await token(['--device-id', ''], env);
  expect(empty.stderr).toContain('`--device-id` must be a text that is not empty');
  expect(world.asked).toEqual([]);
});

test('plain http never leaves the private network', async () => {
  const { world, env } = await worldWithEnv({ scheme: 'http' });
  world.dns = { names: { [ENDPOINT_HOST]: ['203.0.113.7'] } };
  await world.connectTo({ '203.0.113.7': world.service.port });
  const ended = await token(['--allow-plain-http'], env);
  expect(ended).toMatchObject({ exit: 11, stdout: '' });
  expect(world.service.requests).toEqual([]);
});

test('the time for the whole is kept', async () => {
  const { world, env } = await worldWithEnv();
  world.service.handler = () => 'silent';
  const ended = await token(['--timeout', '3s'], env);
  expect(ended).toMatchObject({ stdout: '' });
  expect([14, 20]).toContain(ended.exit);
});

test('the time for the whole is kept while a key is awaited on standard input', async () => {
  const { world, env } = await worldWithEnv();
  const args = ['--timeout', '500ms', '--private-key-file', '-'];
  expect(await token(args, env, { keepsInputOpen: true })).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringContaining('standard input must give a private key within 250 ms'),
  });
  expect(world.service.requests).toEqual([]);
});

test('no secret is printed where the key is broken', async () => {
  const { world, env } = await worldWithEnv();
  const body = PKCS8.split('\n')[1] ?? '';
  await writeFile(join(world.folder, 'private_key'), `-----BEGIN PRIVATE KEY-----\n${body}\n`);
  const ended = await token([], env);
  expect(ended).toMatchObject({ exit: 2, stdout: '' });
  expect(ended.stderr).not.toContain(body);
});
