import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Verification } from '../../src/verify/model/verification.js';
import { runCli } from '../support/run-cli.js';
import { ADDRESS, createWorld, NETWORK, outline } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

const HOUR_MS = 3_600_000;

/** Sets the wall clock of a process from its reading of a number on. */
function jumpAt(reading: number, ms: number): string {
  return `const now = Date.now; let read = 0;
    Date.now = () => now() + ((read += 1) >= ${reading} ? ${ms} : 0);`;
}

/** Checks a link on which nothing fails, in a process whose clock is set meanwhile. */
async function checkWith(reading: number, ms: number) {
  const world = await createWorld();
  const shim = join(world.folder, 'jump.mjs');
  await writeFile(shim, jumpAt(reading, ms));
  const { baseUrl = '', via = '', apiHost = '' } = world.options.links[0] ?? {};
  const link = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost];
  const expected = ['--expect-address', NETWORK, '--expect-address', ADDRESS];
  const args = ['verify', ...link, ...expected, '--format', 'json', ...worldFlags(world)];
  const { exit, stdout } = await runCli(args, { env: { NODE_OPTIONS: `--import=${shim}` } });
  const report: Verification = JSON.parse(stdout);
  return { exit, lines: outline(report).filter((line) => !line.endsWith('passed')), report };
}

test.each([
  ['is behind from the start', 1, -HOUR_MS],
  ['is set forward once the JWT is signed', 2, HOUR_MS],
])('a clock that %s is told as the clock, and no limit is over for it', async (_, reading, ms) => {
  const { lines, report } = await checkWith(reading, ms);
  expect(lines.join()).toMatch(/host\.clock|host\.clock/);
  expect(lines.join()).not.toMatch(/run\.|timeout|tcp\.|dns\.|address\.|tls\./);
  expect(report.links[0]?.elapsedMs).toBeLessThan(HOUR_MS / 2);
});

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('a clock that is set %s while an answer is awaited proves nothing of the server’s', async (_, ms) => {
  const { exit, lines } = await checkWith(3, ms);
  expect(lines).toEqual([]);
  expect(exit).toBe(0);
});
