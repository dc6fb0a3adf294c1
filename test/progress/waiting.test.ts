import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PendingCalls } from '../../src/adopt/search-cloud.js';
import { progressPrinter } from '../../src/cli/verify/output/progress.js';
import { eraseLine, withWaitNotice } from '../../src/progress/waiting.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const CLEAR = '\r\u001b[K';

const IDS = [
  ...['--api-host', 'api.example.com', '--enterprise-id', 'e', '--app-id', 'a', '--key-id', 'k'],
];

describe('within two seconds of silence', () => {
  let said = '';
  beforeEach(() => {
    said = '';
    vi.useFakeTimers();
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('the pauses of --wait and --settle say which link is tried next', () => {
    const { print, clear } = progressPrinter(1);
    print({ kind: 'retry', link: 'api', attempt: 1, code: 'tcp.timeout', nextInMs: 15_000 });
    said = '';
    vi.advanceTimersByTime(2_000);
    expect(said).toBe('verify: waiting for the next attempt at api\n');
    print({ kind: 'pass', link: 'api', attempt: 2, passes: 1, wanted: 3 });
    said = '';
    vi.advanceTimersByTime(2_000);
    expect(said).toBe('verify: waiting for the next attempt at api\n');
    clear();
  });

  test('a handshake is not named alone where the first answer is waited for', () => {
    const { print, clear } = progressPrinter(1);
    print({ kind: 'stage', link: 'api', stage: 'tls' });
    said = '';
    vi.advanceTimersByTime(2_000);
    expect(said).toBe('verify: waiting for api: tls and the first answer\n');
    clear();
  });

  test.each([
    [1, 'the first stage'],
    [Number.POSITIVE_INFINITY, 'the first target'],
  ])('a check of %s links says that it waits for %s', (total, first) => {
    const { clear } = progressPrinter(total);
    vi.advanceTimersByTime(2_000);
    expect(said).toBe(`verify: waiting for ${first}\n`);
    clear();
  });

  test('work that takes long is named once, work that is quick never', async () => {
    await withWaitNotice('nothing', async () => 1);
    const long = withWaitNotice(
      'the sandbox to start',
      () => new Promise((resolve) => setTimeout(resolve, 9_000)),
    );
    await vi.advanceTimersByTimeAsync(9_000);
    await long;
    await vi.advanceTimersByTimeAsync(9_000);
    expect(said).toBe('secure-connectivity: waiting for the sandbox to start\n');
  });

  test('a terminal shows works that last in one line, with the seconds, and nothing of them at the end', async () => {
    Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process.stderr, 'isTTY'));
    const lasting = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms));
    const works = [withWaitNotice('one', lasting(6_000)), withWaitNotice('two', lasting(4_500))];
    await vi.advanceTimersByTimeAsync(4_000);
    expect(said.split(CLEAR).at(-1)).toMatch(
      /^secure-connectivity: waiting for one \([34] s\), and 1 more$/,
    );
    eraseLine();
    expect(said.split(CLEAR).at(-1)).toBe('');
    await vi.advanceTimersByTimeAsync(1_400);
    expect(said.split(CLEAR).at(-1)).toMatch(/^secure-connectivity: waiting for one \([45] s\)$/);
    await vi.advanceTimersByTimeAsync(9_000);
    await Promise.all(works);
    expect(said.endsWith(CLEAR)).toBe(true);
    expect(said).not.toContain('\n');
  });

  test('of calls that are made at once, those without an answer are named in one line', async () => {
    const pending = new PendingCalls();
    const lasting = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms));
    const calls = [
      pending.during('ListResources of One', lasting(1_000)),
      pending.during('ListResources of Two', lasting(5_000)),
      pending.during('ListResources of Three', lasting(5_000)),
    ];
    await vi.advanceTimersByTimeAsync(9_000);
    await Promise.all(calls);
    expect(said).toBe(
      'secure-connectivity: waiting for ListResources of Two, ListResources of Three\n',
    );
  });
});

test.each([
  ['standard input', () => ['verify', '--from', '-'], 'standard input'],
  ['a pipe', (pipe: string) => ['verify', '--from', pipe], '`--from`: '],
  [
    'the pipe of a key',
    (pipe: string) => ['verify', '--preflight', ...IDS, '--private-key-file', pipe],
    'the private key',
  ],
])('a command that waits for %s says so', async (_, args, what) => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args(pipe)], {
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, 'close');
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  child.kill();
  await ended;
  expect(said.toString()).toContain(`secure-connectivity: waiting for ${what}`);
});

test('a check that is refused waits for nothing any more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const link = ['--via', 'internet', '--base-url', 'https://api.example.com'];
    const refused = ['verify', ...IDS, ...link, '--ca-file', 'missing.pem'];
    expect(await runHere(refused)).toMatchObject({ exit: 2 });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
