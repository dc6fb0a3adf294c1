import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../scripts/synthesize.js';
import { COMMANDS } from '../../src/cli/run.js';
import { loadSettings } from '../../src/settings/load-settings.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { synthesizeInto } from '../support/synthesize-all.js';
import { blocksOf, pagesWith, pageText } from './blocks.js';
import { placeOf, shellLines } from './shell-lines.js';

/** Of cdktf, to which `deploy` and `destroy` hand what is not their own. */
const OF_CDKTF = ['--auto-approve', '--outputs-file', '--skip-synth'];

/** Commands of two words. */
const STEPS = [
  'addresses check',
  'sandbox connect-plugin',
  'sandbox call-plugin',
  'render kubernetes-check',
];

interface Call {
  readonly command: string;
  readonly flags: readonly string[];
}

/** Every call of this package's command in a text; what runs inside a sandbox is a call of its own. */
function callsIn(text: string): Call[] {
  return text
    .replaceAll(/ #.*$/gm, '')
    .split(/\n| -- | \| |&&|;|\$\(/)
    .flatMap((part) => {
      const [, words = ''] = /(?:^|[\s(])(?:npx cdktf-)?secure-connectivity (.*)$/.exec(part) ?? [];
      const [command = '', second = ''] = words.split(' ');
      if (command === '') return [];
      const isStep = STEPS.includes(`${command} ${second}`);
      const flags = [...words.matchAll(/(?<= )--[a-z][a-z-]*/g)].map(([flag]) => flag);
      return [{ command: isStep ? `${command} ${second}` : command, flags }];
    });
}

const helps = new Map<string, Promise<string>>();
function helpOf(command: string): Promise<string> {
  const known = helps.get(command) ?? helpText(command);
  helps.set(command, known);
  return known;
}

async function helpText(command: string): Promise<string> {
  const { exit, stdout } = await runHere([...command.split(' '), '--help']);
  expect(exit, command).toBe(0);
  return stdout;
}

describe.each(pagesWith('sh'))('the shell blocks of %s', (page) => {
  test('are read by a shell', () => {
    expect(() =>
      execFileSync('bash', ['--norc', '-n'], { input: pageText('sh', page) }),
    ).not.toThrow();
  });

  test('call commands that exist with flags that they have', async () => {
    const calls = callsIn(pageText('sh', page));
    for (const { command, flags } of calls) {
      expect(Object.keys(COMMANDS)).toContain(command.split(' ')[0]);
      const help = await helpOf(command);
      const others = /^(deploy|destroy)$/.test(command) ? OF_CDKTF : [];
      const known = [...(help.match(/--[a-z][a-z-]*/g) ?? []), ...others];
      expect(known).toEqual(expect.arrayContaining([...flags]));
    }
  });
});

test('an unknown flag, also inside a sandbox, would be found', () => {
  const calls = callsIn('npx secure-connectivity sandbox -- npx secure-connectivity verify --no 1');
  expect(calls).toEqual([
    { command: 'sandbox', flags: [] },
    { command: 'verify', flags: ['--no'] },
  ]);
  expect(blocksOf('sh').flatMap(({ text }) => callsIn(text)).length).toBeGreaterThan(25);
});

test('every line is run by a test, or has a reason why it is not', () => {
  const lines = shellLines();
  expect(lines.filter((line) => placeOf(line) === undefined)).toEqual([]);
  const run = lines.filter((line) => typeof placeOf(line) === 'string');
  expect(run.length).toBeGreaterThan(25);
  expect(placeOf({ page: '', line: 'npx secure-connectivity unknown' })).toBeUndefined();
});

test('each command of docs/firewalls.md does on the shipped examples what the page says', async () => {
  const folder = await temporaryFolder();
  synthesizeInto(join(folder, 'cdktf.out'), loadSettings(SETTINGS, 'production'));
  mkdirSync(join(folder, 'bin'));
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${resolve('dist/cli/main.js')}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'npx'), npx);
  chmodSync(join(folder, 'bin', 'npx'), 0o755);
  const run = (line: string) =>
    execFileSync('bash', ['--norc', '-c', line], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) },
    });
  const page = pageText('sh', 'docs/firewalls.md');
  const lines = page.split('\n').filter((line) => /^npx secure-connectivity render /.test(line));
  const printed = lines.map(run).join('');
  expect(lines.length).toBeGreaterThanOrEqual(6);
  expect(lines.filter((line) => / \| diff addresses\.txt -$/.test(line))).toHaveLength(1);
  expect(printed).toMatch(/^apiVersion: networking[\s\S]*cidr: 10\.30\.1\.\d+\/32/);
  const [, table = 'none'] = /^nft add chain inet (\S+) /m.exec(page) ?? [];
  expect(run('cat connectivity.nft')).toContain(`\ntable inet ${table} {\n`);
}, 180_000);
