import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/cli/verify/flags/row.js';
import { decodeLinks, encodeLinks, linkSchema } from '../../src/link/link.js';
import { parseSettings } from '../../src/settings/load-settings.js';
import { parseTarget, targetSchema } from '../../src/verify/run/many/targets.js';
import { verify } from '../../src/verify/run/verify.js';
import { CANARIES, expectNoCanary, PASSWORD } from '../support/canaries.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { tokenError } from '../support/service-server.js';
import { createWorld, link } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

const { PEM, JWT, token } = CANARIES;

/** One mix-up of today's CI systems, and everything else at once. */
const VALUES = [PEM, [...Object.values(CANARIES), `https://alice:${PASSWORD}@host`].join(' ')];

/** Every flag that takes a value, and every variable, as the commands' own help names them. */
async function namesIn(command: readonly string[]) {
  const { stdout } = await runHere([...command, '--help']);
  return {
    flags: [...stdout.matchAll(/^ {2}(--[a-z-]+) </gm)].map(([, flag = '']) => flag),
    variables: [...stdout.matchAll(/\(env:\s+(\w+)/g)].map(([, name = '']) => name),
  };
}

async function commands(): Promise<string[][]> {
  const { stdout } = await runHere(['--help']);
  const [, list = ''] = stdout.split('\nBuild:');
  const names = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => [name]);
  return [...names, ['addresses', 'diff'], ['addresses', 'check']];
}

test('no flag of any command shows a secret that was given to it by mistake', async () => {
  const runs: string[][] = [];
  for (const command of await commands()) {
    const { flags } = await namesIn(command);
    runs.push(...flags.flatMap((flag) => VALUES.map((value) => [...command, flag, value])));
  }
  expect(runs.length).toBeGreaterThan(100);
  for (const args of runs) {
    const { exit, stdout, stderr } = await runHere(args);
    expectNoCanary(stdout + stderr);
    expect([args.slice(0, -1), exit]).toEqual([args.slice(0, -1), 2]);
    if (['verify', 'token'].includes(args[0] ?? '')) expect(stderr).toContain(args.at(-2));
  }
}, 300_000);

test('nor does a variable, a command or a value without a flag', async () => {
  const named = [await namesIn(['verify']), await namesIn(['token'])];
  const variables = new Set(named.flatMap((one) => one.variables));
  expect(variables).toContain('SECURE_CONNECTIVITY_PRIVATE_KEY_FILE');
  const runs = [
    ...[...variables].flatMap((name) => VALUES.map((value) => ({ args: ['verify'], name, value }))),
    ...VALUES.map((value) => ({ args: ['token'], name: 'SECURE_CONNECTIVITY_KEY_ID', value })),
    ...VALUES.map((value) => ({
      args: ['verify', '--links-from-environment'],
      name: 'SECURE_CONNECTIVITY_LINKS',
      value,
    })),
    ...VALUES.flatMap((value) =>
      [[value], ['verify', value], ['verify', '--from', value], ['explain', value]].map((args) => ({
        args,
        name: 'UNUSED',
        value: '',
      })),
    ),
  ];
  for (const { args, name, value } of runs) {
    const { exit, stdout, stderr } = await runHere(args, { env: { [name]: value } });
    expectNoCanary(stdout + stderr);
    expect([name, exit]).toEqual([name, 2]);
  }
}, 300_000);

test('a base URL with user and password is refused without showing them', async () => {
  const flags = ['--via', 'internet', '--api-host', 'api.service.example'];
  for (const url of [`https://alice:${PASSWORD}@host`, `alice:${PASSWORD}@host`]) {
    for (const command of ['verify', 'token']) {
      const own = command === 'verify' ? flags : flags.slice(2);
      const { exit, stdout, stderr } = await runHere([command, '--base-url', url, ...own]);
      expect(exit).toBe(2);
      expectNoCanary(stdout + stderr);
    }
  }
});

const FIELDS = Object.keys(targetSchema.shape);

test.each(FIELDS)('the field `%s` of a target is refused with a secret in it', (field) => {
  for (const secret of Object.values(CANARIES)) {
    for (const value of [secret, [secret], [{ name: secret, network: '10.0.0.0/8' }]]) {
      const { accessDigest: _, ...sound } = link();
      const line = JSON.stringify({ ...sound, [field]: value });
      expectRefusal(() => parseTarget(line, 'line 1', { folder: '/', allowPlainHttp: true }));
    }
  }
});

test.each(Object.keys(linkSchema.shape))('the field `%s` of a link is refused', async (field) => {
  const world = await createWorld();
  for (const secret of Object.values(CANARIES)) {
    const { accessDigest: _, ...sound } = link();
    const wrong = {
      ...sound,
      [field]: Array.isArray(Reflect.get(sound, field)) ? [secret] : secret,
    };
    const text = encodeLinks({ rulesDigest: '', links: [wrong] });
    const refused = async () => {
      const { links } = decodeLinks(text, 'the environment');
      await verify({ ...world.options, links });
    };
    const error = await refused().then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).toContain(field);
    expectNoCanary(`${error?.message}`);
  }
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});

test('every text of the settings is refused with a secret in its place', async () => {
  const settings = JSON.parse(await readFile('stacks/settings/production.json', 'utf8'));
  const places = textsIn(settings, []);
  expect(places.length).toBeGreaterThan(5);
  for (const path of places) {
    for (const secret of Object.values(CANARIES)) {
      expectRefusal(() =>
        parseSettings(JSON.stringify(withText(settings, path, secret)), 'x.json'),
      );
    }
  }
});

test('what is asked of the library under its own names is refused before a packet', async () => {
  const world = await createWorld();
  const { credentials } = world.options;
  for (const [field, value] of Object.entries({ ...credentials })) {
    if (typeof value !== 'string') continue;
    const wrong = { ...world.options, credentials: { ...credentials, [field]: PEM } };
    await expect(verify(wrong)).rejects.toThrow(`\`${field}\` must`);
  }
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});

test('what the service sends back is in no report and no file', async () => {
  const world = await createWorld();
  const all = Object.values(CANARIES).join(' ');
  const headers = {
    'x-tt-logid': JWT,
    location: `https://alice:${PASSWORD}@host/?jwt=${JWT}`,
    'content-type': `text/${token}`,
  };
  for (const reply of [
    tokenError('invalid_client', all),
    tokenError(JWT, `${PEM} ${token}`),
    { status: 200, headers, body: all },
    { status: 302, headers, body: { code: 1, msg: all, access_token: token } },
  ]) {
    world.service.handler = () => reply;
    const files = FORMAT_NAMES.map((name) => join(world.folder, `report.${name}`));
    const { baseUrl, via, apiHost } = link();
    const { stdout, stderr } = await runHere([
      ...['verify', '--base-url', baseUrl, '--via', via, '--api-host', apiHost],
      ...[...worldFlags(world), '--expect-address', '10.0.0.0/8'],
      ...FORMAT_NAMES.flatMap((name, i) => ['--format', `${name}=${files[i]}`]),
    ]);
    const reports = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    for (const text of [stdout, stderr, ...reports]) expectNoCanary(text);
    expect(reports[1]).toContain('[redacted]');
  }
});

test('a report of another program that holds secrets is passed on without them', async () => {
  const folder = await temporaryFolder();
  const world = await createWorld();
  const verification = await verify(world.options);
  const [first] = verification.links;
  const file = join(folder, 'report.json');
  const notes = Object.values(CANARIES);
  await writeFile(file, JSON.stringify({ ...verification, links: [{ ...first, notes }] }));
  for (const format of ['text', 'json', 'jsonl', 'markdown', 'html']) {
    const { exit, stdout, stderr } = await runHere(['verify', '--from', file, '--format', format]);
    expect([exit, stderr]).toEqual([0, '']);
    expectNoCanary(stdout);
  }
});

function expectRefusal(work: () => unknown): void {
  let message = '';
  try {
    work();
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).not.toBe('');
  expectNoCanary(message);
}

function textsIn(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

function withText(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((inner, i) => (`${i}` === key ? withText(inner, rest, text) : inner));
  return { ...(value as object), [key]: withText(Reflect.get(value as object, key), rest, text) };
}
