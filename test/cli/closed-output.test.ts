import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jsonLinesReport } from '../../src/verify/reports/json.js';
import { GOOD } from '../verify/reports/samples.js';

/** Runs the program and closes one of its outputs before it can write there. */
async function withClosed(output: 'stdout' | 'stderr', args: readonly string[]) {
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args]);
  let text = '';
  child[output === 'stdout' ? 'stderr' : 'stdout'].on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child[output].destroy();
  const [status, signal] = await once(child, 'close');
  return { status, signal, text };
}

test.each([
  ['--help', 0],
  ['explain', 0],
  ['verify --help', 0],
] as const)('%s: a reader that has left ends nothing in an error', async (line, status) => {
  expect(await withClosed('stdout', line.split(' '))).toEqual({ status, signal: null, text: '' });
});

test('wrong usage keeps its exit status where nobody reads the error', async () => {
  expect(await withClosed('stderr', ['verify', '--no-such-flag'])).toMatchObject({ status: 2 });
});

/** More than a pipe holds. */
function manyLines(): string {
  const folder = mkdtempSync(join(tmpdir(), 'closed-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'lines.jsonl');
  writeFileSync(file, jsonLinesReport(GOOD).repeat(400));
  return file;
}

const LOST = /^secure-connectivity: standard output must take the whole output, got: (\w+)\n$/;

test('a reader that leaves in the middle of a report gives a status of its own', async () => {
  const child = spawn(process.execPath, ['dist/cli/main.js', 'verify', '--from', manyLines()]);
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'close')).toEqual([74, null]);
  expect(text).toMatch(LOST);
});

const BY_HAND = [
  '--base-url',
  'https://127.0.0.1:1',
  '--via',
  'fixed-ip-egress',
  '--api-host',
  'a.example',
];

test.runIf(existsSync('/dev/full')).each([
  ['verify --from', () => ['verify', '--from', manyLines()]],
  ['explain', () => ['explain']],
  ['verify', () => ['verify', ...BY_HAND, '--no-auth', '--no-probes']],
  ['verify --targets', () => ['verify', '--targets', '-', '--no-auth', '--no-probes']],
] as const)('%s: a full disk under standard output is one line and a status', async (_, args) => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args()], {
    stdio: ['pipe', full, 'pipe'],
  });
  const target = { via: 'fixed-ip-egress', baseUrl: 'https://127.0.0.1:1', apiHost: 'a.example' };
  child.stdin?.end(`${JSON.stringify(target)}\n`);
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  expect(await once(child, 'close')).toEqual([74, null]);
  expect(text.split('\n').filter((line) => line.startsWith('secure-connectivity:'))).toEqual([
    'secure-connectivity: standard output must take the whole output, got: ENOSPC',
  ]);
  expect(text).not.toMatch(/ at |node:/);
});
