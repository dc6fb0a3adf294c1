import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PKCS8 } from '../support/application.js';
import { runCli } from '../support/run-cli.js';
import { unwrapped } from '../support/unwrapped.js';
import { createWorld, link, type World } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

async function worldWithPipe() {
  const world = await createWorld();
  const pipe = join(world.folder, 'a-pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  return { world, pipe };
}

function flags(world: World, key: string): string[] {
  const { baseUrl, apiHost } = link();
  const own = worldFlags(world);
  own[own.indexOf('--private-key-file') + 1] = key;
  return ['--base-url', baseUrl, '--api-host', apiHost, ...own];
}

const VERIFY = ['verify', '--via', 'service-endpoint', '--expect-address', '10.0.0.0/8'];

test.each([
  ['verify', VERIFY],
  ['token', ['token']],
])('%s does not wait longer than its time for a key pipe without a writer', async (_, command) => {
  const { world, pipe } = await worldWithPipe();
  const { exit, stdout, stderr } = await runCli([
    ...command,
    ...flags(world, pipe),
    '--timeout',
    '3s',
  ]);
  expect(exit).toBe(2);
  expect(unwrapped(stdout + stderr)).toMatch(
    /a-pipe must give a private key within 1500 ms, got: nothing/,
  );
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});

const LINK = ['--base-url', link().baseUrl, '--api-host', link().apiHost, ...VERIFY.slice(1)];

test.each([
  ['--outputs-file', (pipe: string) => ['--outputs-file', pipe]],
  ['--targets', (pipe: string) => ['--targets', pipe]],
  ['--ca-file', (pipe: string) => ['--ca-file', pipe, ...LINK]],
])('%s does not wait longer than its time for a pipe without a writer', async (flag, words) => {
  const { world, pipe } = await worldWithPipe();
  const own = [...worldFlags(world), ...words(pipe), '--timeout', '3s'];
  const { exit, stdout, stderr } = await runCli(['verify', ...own]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`\`${flag}\` must `);
  expect(unwrapped(stderr)).toMatch(/within 1500 ms, got: .*a-pipe/);
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});

test('targets that come late, and slowly, are waited for', async () => {
  const { world, pipe } = await worldWithPipe();
  const { accessDigest: _, ...target } = link();
  const running = runCli(['verify', '--targets', pipe, ...worldFlags(world), '--timeout', '4s']);
  await sleep(700);
  const writer = createWriteStream(pipe);
  const line = `${JSON.stringify({ ...target, name: 'first' })}\n`;
  writer.write(line.slice(0, 30));
  await sleep(2_500);
  writer.end(`${line.slice(30)}${line}`);
  const { exit, stderr } = await running;
  expect([exit, stderr]).toEqual([0, expect.stringContaining('2 links checked: 2 reachable')]);
});

test('a key that comes late, and in two pieces, is waited for', async () => {
  const { world, pipe } = await worldWithPipe();
  const running = runCli([...VERIFY, ...flags(world, pipe)]);
  await sleep(700);
  const writer = createWriteStream(pipe);
  writer.write(PKCS8.slice(0, 300));
  setTimeout(() => writer.end(PKCS8.slice(300)), 300);
  expect((await running).exit).toBe(0);
});

test('standard input that stays open does not hold the check past its time', async () => {
  const world = await createWorld();
  const ended = await runCli([...VERIFY, ...flags(world, '-'), '--timeout', '3s'], {
    keepsInputOpen: true,
  });
  expect(ended.exit).toBe(2);
  expect(unwrapped(ended.stdout)).toMatch(/standard input must give a private key within 1500 ms/);
});
