import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/cli/verify/flags/row.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { PKCS8 } from '../../support/application.js';
import { runHere } from '../../support/run-here.js';
import { TOKEN } from '../../support/service-server.js';
import { createWorld, link, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';
import { GOOD, MIXED } from './samples.js';

function byHand(world: World): string[] {
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost];
  return ['verify', ...flags, '--expect-address', '10.1.0.0/16', ...worldFlags(world)];
}

test('one run writes every report, each to its file, and none holds a secret', async () => {
  const world = await createWorld();
  world.service.handler = ({ headers }) =>
    headers.authorization?.includes(TOKEN)
      ? { body: { code: 99, msg: `you sent ${headers.authorization}` } }
      : undefined;
  const files = FORMAT_NAMES.map((name) => join(world.folder, `report.${name}`));
  const formats = FORMAT_NAMES.flatMap((name, i) => ['--format', `${name}=${files[i]}`]);
  const { exit, stdout } = await runHere([...byHand(world), ...formats]);
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
  const { exit, stdout } = await runHere([...byHand(world), '--format', 'github'], {
    env: { GITHUB_STEP_SUMMARY: summary },
  });
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^reachable in /);
  expect(await readFile(summary, 'utf8')).toMatch(/^# Before\n## ✅ reachable in /);
});

test.each([
  'text',
  'github',
  'json',
  'jsonl',
])('a report in %s holds the words of a server, and no command that a runner obeys', async (format) => {
  const world = await createWorld();
  const msg = '::set-output name=a::b\n##[add-mask]a ###[group] ::::';
  world.service.handler = () => ({ status: 400, body: { code: 99, msg } });
  const { stdout } = await runHere([...byHand(world), '--format', format]);
  const foreign = stdout.split('\n').filter((line) => !/^::error title=link%3A/.test(line));
  expect(foreign.join('\n')).not.toMatch(/^\s*::|##/m);
  expect(stdout).toContain(':set-output name=a::b');
  if (!format.startsWith('json')) return;
  const { stages } = format === 'json' ? JSON.parse(stdout).links[0] : JSON.parse(stdout);
  expect(JSON.stringify(stages)).toContain('##[add-mask]a ###[group] ::::');
});

test('a format that does not exist, two for standard output, and a folder as file are mistakes', async () => {
  const world = await createWorld();
  const runs = await Promise.all([
    runHere([...byHand(world), '--format', 'pdf']),
    runHere([...byHand(world), '--format', 'json', '--format', 'html']),
    runHere([...byHand(world), '--format', `html=${world.folder}`]),
  ]);
  expect(runs.map(({ exit }) => exit)).toEqual([2, 2, 2]);
  expect(runs.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('must be one of text, json, jsonl, junit'),
    expect.stringContaining('can be given once without a file, got: json, html'),
    expect.stringContaining('must name a file that can be written'),
  ]);
});

test.each([
  ['a date that is no ISO 8601', '"21.11.2026 10:00"', /`startedAt` must be a time such as 2026-/],
  ['a date that does not exist', '"2026-13-45T10:00:00Z"', /`startedAt` must be a time such as/],
  [
    'lists in lists',
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    /text that is not JSON, or is nested too deeply/,
  ],
])('%s in saved results is one clear error', async (_, startedAt, message) => {
  const lines = jsonLinesReport({ ...GOOD, startedAt: 'HERE' }).replaceAll('"HERE"', startedAt);
  const whole = jsonReport({ ...GOOD, startedAt: 'HERE' }).replaceAll('"HERE"', startedAt);
  for (const input of [lines, whole]) {
    const { exit, stderr } = await runHere(['verify', '--from', '-', '--format', 'prometheus'], {
      input,
    });
    expect([exit, stderr.split('\n').length]).toEqual([2, 2]);
    expect(stderr).toMatch(message);
  }
});

test.each([
  ['lists', '['.repeat(200_000), ']'.repeat(200_000)],
  ['objects', '{"a":'.repeat(200_000), `1${'}'.repeat(200_000)}`],
])('deep nesting of %s in saved results is one clear error', async (_, open, close) => {
  const deep = `${open}${close}`;
  const inEvidence = (report: string) =>
    report.replace(/"evidence": ?\{\s*/, `$&"deep": ${deep}, `);
  const later = jsonReport(GOOD).replace('{', `{ "later": ${deep}, `);
  const bad = [deep, open, later, inEvidence(jsonReport(GOOD)), inEvidence(jsonLinesReport(GOOD))];
  for (const input of bad) {
    const { exit, stderr } = await runHere(['verify', '--from', '-'], { input });
    expect([exit, stderr.split('\n').length]).toEqual([2, 2]);
    expect(stderr).toMatch(/must be a re(port|sult) that `verify --format jsonl?` wrote, got: /);
  }
});

test('of saved results only the end is shown, with the exit status of the check', async () => {
  const input = jsonReport({ ...MIXED, title: 'check of net-test' });
  const ended = await runHere(['verify', '--from', '-', '--exit-status'], { input });
  expect([ended.exit, ended.stdout]).toEqual([10, '']);
  expect(ended.stderr.split('\n')).toEqual([
    'check of net-test: half-dead is unreachable: tcp: tcp.timeout: The connection attempt gets no answer',
    'check of net-test: no-name is unreachable: dns: dns.not-found: The name does not resolve',
    'check of net-test: failed with status 10, report above',
    '',
  ]);
  const good = await runHere(['verify', '--from', '-', '--exit-status'], {
    input: jsonReport(GOOD),
  });
  expect(good).toMatchObject({ exit: 0, stdout: '', stderr: '' });
});

test('a server is named in the end of saved results where its address is known', async () => {
  const failed = { name: 'plugin', serviceId: 'epsvc-1', status: 'failed', elapsedMs: 3 } as const;
  const backends = [
    { ...failed, code: 'backend.unhealthy', seen: 'refused', server: '10.0.0.1:8080' },
    { ...failed, code: 'run.vantage-point', seen: 'nothing' },
  ];
  const input = jsonReport({ ...GOOD, title: 'check', backends });
  const { stderr } = await runHere(['verify', '--from', '-', '--exit-status'], { input });
  const [known, unknown] = stderr.split('\n');
  expect(known).toContain('check: plugin at 10.0.0.1:8080: backend.unhealthy: ');
  expect(unknown).toContain('check: plugin: run.vantage-point: ');
});
