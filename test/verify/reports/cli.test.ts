import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/cli/verify/formats.js';
import { PKCS8 } from '../../support/application.js';
import { runCli } from '../../support/run-cli.js';
import { TOKEN } from '../../support/service-server.js';
import { createWorld, link, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';

function byHand(world: World): string[] {
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost];
  return ['verify', ...flags, '--expect-network', '10.1.0.0/16', ...worldFlags(world)];
}

test('one run writes every report, each to its file, and none holds a secret', async () => {
  const world = await createWorld();
  world.service.handler = ({ headers }) =>
    headers.authorization?.includes(TOKEN)
      ? { body: { code: 99, msg: `you sent ${headers.authorization}` } }
      : undefined;
  const files = FORMAT_NAMES.map((name) => join(world.folder, `report.${name}`));
  const formats = FORMAT_NAMES.flatMap((name, i) => ['--format', `${name}=${files[i]}`]);
  const { exit, stdout } = await runCli([...byHand(world), ...formats]);
  expect(exit).toBe(16);
  const reports = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  for (const report of [stdout, ...reports]) {
    expect(report).toContain('api.unknown-error');
    for (const secret of [TOKEN, 'eyJ', PKCS8.split('\n')[1] ?? '']) {
      expect(report).not.toContain(secret);
    }
  }
  expect((await readdir(world.folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('for GitHub the summary of the step is added to what is there', async () => {
  const world = await createWorld();
  const summary = join(world.folder, 'summary.md');
  await writeFile(summary, '# Before\n');
  const { exit, stdout } = await runCli([...byHand(world), '--format', 'github'], {
    env: { GITHUB_STEP_SUMMARY: summary },
  });
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^::stop-commands::/);
  expect(await readFile(summary, 'utf8')).toMatch(/^# Before\n## ✅ Connectivity: reachable/);
});

test('a format that does not exist, two for standard output, and a folder as file are mistakes', async () => {
  const world = await createWorld();
  const runs = await Promise.all([
    runCli([...byHand(world), '--format', 'pdf']),
    runCli([...byHand(world), '--format', 'json', '--format', 'html']),
    runCli([...byHand(world), '--format', `html=${world.folder}`]),
  ]);
  expect(runs.map(({ exit }) => exit)).toEqual([2, 2, 2]);
  expect(runs.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('must be one of text, json, jsonl, junit'),
    expect.stringContaining('can be given once without a file, got: json, html'),
    expect.stringContaining('must name a file that can be written'),
  ]);
});
