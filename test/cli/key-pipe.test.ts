import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PKCS8 } from '../support/application.js';
import { runCli } from '../support/run-cli.js';
import { unwrapped } from '../support/unwrapped.js';
import { createWorld, link, type World } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

async function worldWithPipe() {
  const world = await createWorld();
  const pipe = join(world.folder, 'key-pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  return { world, pipe };
}

function flags(world: World, key: string): string[] {
  const { baseUrl, apiHost } = link();
  const own = worldFlags(world);
  own[own.indexOf('--private-key-file') + 1] = key;
  return ['--base-url', baseUrl, '--api-host', apiHost, ...own];
}

const VERIFY = ['verify', '--via', 'private-network', '--expect-network', '10.0.0.0/8'];

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
    /key-pipe must give a private key within 1500 ms, got: nothing/,
  );
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});

test('a key that comes late, and in two pieces, is waited for', async () => {
  const { world, pipe } = await worldWithPipe();
  const running = runCli([...VERIFY, ...flags(world, pipe)]);
  await new Promise((resolve) => {
    setTimeout(resolve, 700);
  });
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
