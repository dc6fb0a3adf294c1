import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/codes/exit-status.js';
import { runHere } from '../support/run-here.js';

test('without a command the commands are listed, and it is a wrong usage', async () => {
  const { exit, stdout, stderr } = await runHere([]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/\n {2}verify .*\n {2}sandbox /s);
  expect(await runHere(['--help'])).toMatchObject({ exit: 0, stderr: '' });
});

test('commands are listed in four groups, and each in one', async () => {
  const { stdout } = await runHere(['--help']);
  const groups = [...stdout.matchAll(/^(\w+):\n((?: {2}.*\n)+)/gm)].map(([, group, lines = '']) => [
    group,
    [...lines.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name),
  ]);
  expect(groups.filter(([group]) => group !== 'Options')).toEqual([
    ['Build', ['init', 'synth', 'ready', 'deploy', 'destroy', 'adopt']],
    ['Prove', ['verify', 'exporter', 'token', 'explain']],
    ['Review', ['review', 'rehearse', 'reach', 'render', 'addresses']],
    ['Try', ['sandbox']],
  ]);
});

test('the help of a command says what the list of commands says of it', async () => {
  const said = (text: string) => text.replaceAll(/\s+/g, ' ');
  const { stdout } = await runHere(['--help']);
  const [, summary = ''] = /^ {2}explain +(.*)$/m.exec(stdout) ?? [];
  expect(summary).toBe('explain an error code or an exit status');
  expect(said((await runHere(['explain', '--help'])).stdout)).toContain(
    ' Explain an error code or an exit status. ',
  );
});

test('help of a command is its --help, and of none the overview', async () => {
  const named = await runHere(['help', 'explain']);
  expect(named).toEqual(await runHere(['explain', '--help']));
  expect(await runHere(['help'])).toEqual(await runHere(['--help']));
  expect(await runHere(['help', 'nonsense'])).toMatchObject({ exit: 2 });
});

test.each([
  ['--preflight', ['--preflight', '--stack', 'a'], 'got: --stack'],
  ['--from', ['--from', 'a.json', '--base-url', 'https://a.example'], 'got: --base-url'],
  [
    '--exit-status',
    ['--from', 'a.json', '--exit-status', '--format', 'json'],
    '`--exit-status` must not have flags beside it that it does not use, got: --format',
  ],
  ['--exit-status', ['--exit-status'], '`--exit-status` needs `--from`'],
])('verify refuses what says nothing beside %s, or without it', async (_, args, message) => {
  const { exit, stderr } = await runHere(['verify', ...args]);
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  'review',
  'render',
  'adopt',
])('the help of %s tells no default that is empty', async (command) => {
  const { exit, stdout } = await runHere([command, '--help']);
  expect(exit).toBe(0);
  expect(stdout).not.toContain('(default: [])');
});

test.each(['--version', '-V'])('%s prints the version of the package', async (flag) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(await runHere([flag])).toMatchObject({ exit: 0, stdout: `${version}\n`, stderr: '' });
});

test('the help of token speaks of one base URL, not of links', async () => {
  const { stdout } = await runHere(['token', '--help']);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('verify (default: the host of the base URL)');
  expect(text).not.toMatch(/link’s|expected private networks/);
});

test('every flag of verify stands in a named group of its help', async () => {
  const { stdout } = await runHere(['verify', '--help']);
  const groups = [...stdout.matchAll(/^([A-Z][\w ]*):\n((?: {2}.*\n)+)/gm)].map(
    ([, heading, lines = '']) => [heading, lines.match(/^ {2}(-h, )?--[\w-]+/gm)?.length] as const,
  );
  expect(groups.map(([heading]) => heading)).toEqual([
    'Links',
    'Credentials',
    'Run',
    'Report',
    'Network',
    'In place of a check',
    'Help',
  ]);
  const all = stdout.match(/^ {2}(-h, )?--[\w-]+/gm)?.length;
  expect(groups.reduce((sum, [, flags = 0]) => sum + flags, 0)).toBe(all);
});

test('the help of verify fits two screens of 50 lines and 80 columns, with at most 38 flags', async () => {
  const { stdout } = await runHere(['verify', '--help']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(100);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(stdout.match(/^ {2}--[\w-]+/gm)?.length).toBeLessThanOrEqual(38);
});

test('a flag that verify does not have is one error that names the nearest', async () => {
  const { exit, stderr } = await runHere(['verify', '--expect-adress', '10.0.0.0/8']);
  expect(exit).toBe(2);
  expect(stderr).toBe(
    "error: unknown option '--expect-adress'\n(Did you mean --expect-address?)\n",
  );
});

test('help of a command within a command is that of the inner one', async () => {
  expect(await runHere(['help', 'render', 'kubernetes-check'])).toEqual(
    await runHere(['render', 'kubernetes-check', '--help']),
  );
});

const STATUSES = ['dns', 'address', 'tcp', 'tls', 'http', 'token', 'workspaces'] as const;

test('the help of verify names every status that a check ends with', async () => {
  const { stdout } = await runHere(['verify', '--help']);
  const [, statuses = ''] = stdout.split('Exit status: ');
  const rest = ['connection', 'clock', 'deadline', 'strictWarning', 'doorOpen'] as const;
  for (const name of [...STATUSES, ...rest]) {
    expect(statuses).toMatch(new RegExp(`\\b${EXIT[name]} `));
  }
});

test.each([
  'deploy',
  'destroy',
])('the help of %s fits 110 columns and says how it ends', async (command) => {
  const { stdout } = await runHere([command, '--help']);
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110);
  expect(stdout).toMatch(/\n {2}-h, --help .*\n\nSTACK is .*\nExit status: 0 \w+; /s);
});

test('the help of deploy names the statuses of intents', async () => {
  const { stdout } = await runHere(['deploy', '--help']);
  expect(stdout).toMatch(/Exit status: .*\b23\) if the check failed; 2, 4 or 22 /s);
});

test.each([
  ['init', 'false'],
  ['review', '"500"'],
  ['sandbox demo', 'false'],
])('the help of %s quotes no default', async (command, value) => {
  const { stdout } = await runHere([...command.split(' '), '--help']);
  expect(stdout).not.toContain(`(default: ${value})`);
});
