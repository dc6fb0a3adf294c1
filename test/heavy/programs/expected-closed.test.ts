import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { check, createWorld, link, type World } from '../../support/verifiable-link.js';

const timeoutMs = 20_000;
const HERE = 'here=';
const AT = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

/** A network without any way out, not even to itself, as long as nobody sets one up. */
const ALONE = ['unshare', '--map-root-user', '--net'];
const hasAlone = works([...ALONE, 'ip', 'link']);

function works([program = '', ...words]: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A program in front of the words of the check. */
async function prefix({ folder }: World, name: string, script: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

async function tryFrom(world: World, guests: string, here = HERE) {
  const runVia = [here, `guests:closed=${guests}`];
  const verification = await check(world, { runVia, timeoutMs });
  const [tried] = verification.expectedClosed ?? [];
  return { verification, tried, exit: exitOf(verification) };
}

test('a door that opens ends the check with 23, with who else has reached it', async () => {
  const world = await createWorld();
  const { verification, tried, exit } = await tryFrom(world, 'env');
  const door = `127.0.0.1:${world.service.port}`;
  expect([exit, verification.verdict]).toEqual([23, 'reachable']);
  expect(tried).toMatchObject({
    ...{ link: 'api', vantagePoint: 'guests', door, result: 'OPEN', code: 'intent.open' },
    seen: 'a connection opened',
    reached: expect.stringMatching(
      new RegExp(`^here reached ${door} at ${AT}, and here at ${AT}$`),
    ),
  });
  expect(verification.links.map(({ name }) => name)).toEqual(['api@here']);
  expect(verification.vantagePoints).toMatchObject([
    { name: 'here' },
    { name: 'guests', expect: 'closed', command: 'env', environment: { node: process.version } },
  ]);
  expect(textReport(verification)).toMatch(/^api@guests {2}expected to be closed/m);
});

test.skipIf(!hasAlone)('a door that does not open is closed, by both lines', async () => {
  const world = await createWorld();
  const { tried, exit } = await tryFrom(world, ALONE.join(' '));
  expect(exit).toBe(0);
  expect(tried).toMatchObject({ result: 'closed', seen: expect.stringContaining('tcp.') });
  expect(tried?.code).toBeUndefined();
  expect(tried?.reached).toMatch(new RegExp(`^here reached .* at ${AT}, and here at ${AT}$`));
});

test('what nobody else reaches is not shown', async () => {
  const world = await createWorld();
  await world.connectTo({});
  const { tried, exit } = await tryFrom(world, 'env');
  expect(tried).toMatchObject({
    result: 'not shown',
    seen: 'no other vantage point of this run reached it',
  });
  expect([tried?.door, tried?.reached, exit]).toEqual([undefined, undefined, 12]);
});

test('a vantage point at which no check can run shows nothing', async () => {
  const world = await createWorld();
  const { tried, exit } = await tryFrom(world, 'false');
  expect(tried).toMatchObject({ result: 'not shown', code: 'run.vantage-point' });
  expect(tried?.reached).toMatch(/^here reached /);
  expect(exit).toBe(20);
});

test.skipIf(!hasAlone)(
  'a door that nobody reaches afterwards was not shown to be closed',
  async () => {
    const world = await createWorld();
    const mark = join(world.folder, 'mark');
    const once = await prefix(world, 'once', `test -e ${mark} && exit 1; touch ${mark}; exec "$@"`);
    const { tried, exit } = await tryFrom(world, ALONE.join(' '), `office=${once}`);
    expect(tried).toMatchObject({
      result: 'not shown',
      seen: expect.stringContaining('nobody else reaches it any more either'),
    });
    expect(exit).toBe(20);
  },
);

/** Takes connections in a network of its own, as a proxy that stands in the way of all of them. */
const TAKER = (port: number) => `ip link set lo up
node -e "require('node:net').createServer((one) => one.on('error', () => 0).end('no')).listen(${port}, '127.0.0.1')" < /dev/null > /dev/null 2>&1 &
taker=$!
trap 'kill $taker' EXIT
while ! node -e "require('node:net').connect(${port}, '127.0.0.1').on('error', () => process.exit(1)).on('connect', () => process.exit(0))" < /dev/null; do :; done
"$@"`;

test.skipIf(!hasAlone)('somebody else who takes the connection is no open door', async () => {
  const world = await createWorld();
  const taker = await prefix(world, 'taker', TAKER(world.service.port));
  const { tried, exit } = await tryFrom(world, [...ALONE, taker].join(' '));
  expect(tried).toMatchObject({
    result: 'not shown',
    seen: expect.stringMatching(/^a connection opened, but to somebody else \(tls\./),
  });
  expect([tried?.code, exit]).toEqual([undefined, 20]);
});

test('over plain http a completed handshake is an open door', async () => {
  const world = await createWorld({ scheme: 'http' });
  const links = [link({ baseUrl: link().baseUrl.replace('https:', 'http:') })];
  const options = { links, runVia: [HERE, 'guests:closed=env'], timeoutMs };
  const verification = await check(world, options);
  expect(verification.expectedClosed).toMatchObject([{ result: 'OPEN' }]);
});

test('nothing but a handshake is sent from there, and nothing secret goes there', async () => {
  const world = await createWorld();
  const log = join(world.folder, 'seen');
  const guests = await prefix(world, 'guests', `tee ${log} | "$@"`);
  const { verification } = await tryFrom(world, guests);
  const [from] = verification.links;
  expect(from?.verdict).toBe('reachable');
  // The calls of the other vantage point alone: one for the token, one for the workspaces.
  expect(world.service.requests).toHaveLength(2);
  const seen = (await readFile(log, 'utf8')).split('\n').slice(1).join('\n');
  expect(seen).toContain('"connectOnly":true');
  const { enterpriseId = '', appId = '', keyId = '' } = world.options.credentials ?? {};
  for (const text of ['"jwt"', 'keySource', enterpriseId, appId, keyId]) {
    expect(seen).not.toContain(text);
  }
});

test('a vantage point that asks for a JWT is given none', async () => {
  const world = await createWorld();
  const log = join(world.folder, 'reply');
  const { apiHost } = link();
  const greedy = await prefix(
    world,
    'greedy',
    `echo secure-connectivity-check v24.0.0; read -r program; read -r order
echo '{"say":"sign","id":1,"apiHost":"${apiHost}"}'; read -r reply; printf '%s' "$reply" > ${log}`,
  );
  const { tried } = await tryFrom(world, greedy);
  expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({
    id: 1,
    code: 'run.vantage-point',
  });
  expect(await readFile(log, 'utf8')).not.toContain('ey');
  expect(tried).toMatchObject({ result: 'not shown', code: 'run.vantage-point' });
});

test.each([
  [{ runVia: ['guests:closed=env'] }, '`runVia` must have a vantage point that reaches'],
  [
    { runVia: [HERE, { name: 'a', command: [], expect: 'open' as 'closed' }] },
    '`runVia` must expect "closed" of a vantage point, or nothing, got: "open"',
  ],
  [
    { runVia: [HERE, 'guests:closed=env'], proxy: 'http://127.0.0.1:1' },
    '`runVia` with a vantage point that is expected to be closed cannot be used with `proxy`',
  ],
])('%j is refused before anything is dialled', async (options, message) => {
  const world = await createWorld();
  await expect(check(world, { ...options, timeoutMs })).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(message),
  });
  expect(world.service.count.connections).toBe(0);
});
