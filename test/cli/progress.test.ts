import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { encodeLinks } from '../../src/link/link.js';
import { runHere } from '../support/run-here.js';
import { HAS_TERMINAL, runInTerminal } from '../support/run-in-terminal.js';
import { createWorld, link, type World } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

const CLEAR = '\r\u001b[K';

/** Nothing of bar, live line or colour. */
function expectPlain(report: string): void {
  for (const sign of ['█', '░', '\u001b']) expect(report).not.toContain(sign);
}

/** The flags that check so many links of a world. */
async function links(world: World, count: number): Promise<string[]> {
  const file = join(world.folder, 'outputs.json');
  const { accessDigest: _, ...one } = link();
  const all = Array.from({ length: count }, (_, i) => ({ ...one, name: `link-${i + 1}` }));
  const connectivity = encodeLinks({ rulesDigest: 'd', links: all });
  await writeFile(file, JSON.stringify({ stack: { connectivity } }));
  return ['verify', '--outputs-file', file, ...worldFlags(world)];
}

/** Every other attempt finds the service starting. */
function starting(world: World): void {
  let attempts = 0;
  world.service.handler = ({ path }) => {
    if (path.endsWith('/token')) attempts += 1;
    return attempts % 2 === 1 ? { status: 503, body: 'starting' } : undefined;
  };
}

test('without a terminal every new attempt of a few links has a line', async () => {
  const world = await createWorld();
  starting(world);
  const args = [...(await links(world, 2)), '--wait', '1m', '--concurrency', '1'];
  const { exit, stderr } = await runHere(args);
  expect(exit).toBe(0);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/\d\.\d s$/, 'N s'))).toEqual([
    'verify: link-1: attempt 1 failed with http.server-error, next in N s',
    'verify: link-2: attempt 1 failed with http.server-error, next in N s',
  ]);
});

test('without a terminal a run of many links says only now and then that they wait', async () => {
  const world = await createWorld();
  world.service.handler = () => ({ status: 503, body: 'starting' });
  const { exit, stderr } = await runHere([...(await links(world, 20)), '--wait', '1s']);
  expect([exit, stderr]).toEqual([14, expect.not.stringContaining('attempt')]);
});

test('without a terminal there is no bar and no live line', async () => {
  const world = await createWorld();
  for (const count of [1, 3]) {
    expect(await runHere(await links(world, count))).toMatchObject({ exit: 0, stderr: '' });
  }
});

describe.skipIf(!HAS_TERMINAL)('on a terminal (skipped without the `script` of util-linux)', () => {
  test('a single link has a live line with its stage, and it is gone in the end', async () => {
    const world = await createWorld();
    const [out, json] = [join(world.folder, 'out'), join(world.folder, 'report.json')];
    const args = [...(await links(world, 1)), '--format', `json=${json}`];
    const { exit, screen } = await runInTerminal(args, { stdout: out });
    expect(exit).toBe(0);
    expect(screen).toContain(`${CLEAR}link-1: preflight …${CLEAR}link-1: dns …`);
    expect(screen.endsWith(CLEAR)).toBe(true);
    expect(screen).not.toContain('\n');
    const report = await readFile(out, 'utf8');
    expect(report).toMatch(/^reachable in .*\r?\n\r?\nlink-1 {2}service-endpoint/);
    expectPlain(report);
    expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ verdict: 'reachable' });
  });

  test('several links have a bar, which tells how many wait, and it is gone in the end', async () => {
    const world = await createWorld();
    starting(world);
    const [out, json] = [join(world.folder, 'out'), join(world.folder, 'report.json')];
    const args = [...(await links(world, 2)), '--wait', '1m', '--concurrency', '1'];
    const { exit, screen } = await runInTerminal([...args, '--format', `json=${json}`], {
      stdout: out,
    });
    expect(exit).toBe(0);
    const drawn = screen.split(CLEAR);
    expect(drawn).toContain(`${'░'.repeat(24)}  0/2  1 waiting`);
    const half = drawn.filter((one) => one.startsWith(`${'█'.repeat(12)}${'░'.repeat(12)}  1/2`));
    expect(half.at(-1)).toMatch(/ {2}1\/2 {2}(1 waiting {2})?\d+(\.\d)?\/s {2}\d+ s left$/);
    expect(half.some((one) => one.includes('1 waiting'))).toBe(true);
    expect(drawn.at(-1)).toBe('');
    expect(screen).not.toMatch(/\n|attempt/);
    expectPlain(await readFile(out, 'utf8'));
    expect(JSON.parse(await readFile(json, 'utf8')).links).toHaveLength(2);
  });

  test('a report on the terminal itself begins on a clean line', async () => {
    const world = await createWorld();
    const { exit, screen } = await runInTerminal(await links(world, 2));
    expect(exit).toBe(0);
    const report = screen.slice(screen.lastIndexOf(CLEAR) + CLEAR.length);
    expect(stripVTControlCharacters(report)).toMatch(
      /^reachable in .*\r?\n\r?\nlink-1 {2}service-endpoint/,
    );
    expect(report).not.toMatch(/[█░]/);
  });

  test('lines of many links on the terminal itself stand by themselves', async () => {
    const world = await createWorld();
    const file = join(world.folder, 'targets.jsonl');
    const { accessDigest: _, ...one } = link();
    await writeFile(file, `${JSON.stringify(one)}\n`.repeat(5));
    const { exit, screen } = await runInTerminal([
      ...['verify', '--targets', file, ...worldFlags(world)],
    ]);
    expect(exit).toBe(0);
    const lines = screen.split('\n').filter((line) => line.includes('"schema"'));
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      expect(JSON.parse(line.split(CLEAR).at(-1) ?? '')).toMatchObject({ name: 'api' });
    }
  });
});

test('without a terminal a silence of two seconds says what is waited for', async () => {
  const world = await createWorld();
  world.service.handler = ({ path }) => (path.startsWith('/v1/') ? 'silent' : undefined);
  const args = [...(await links(world, 1)), '--timeout', '6s', '--no-probes'];
  const { exit, waits } = await runHere(args);
  expect(exit).toBe(16);
  expect(waits).toMatch(/^verify: waiting for link-1: workspaces\n/m);
});
