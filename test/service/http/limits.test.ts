import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TimedOut, withTimeout } from '../../../src/service/http/limits.js';
import { TimeLimit, watchForPause } from '../../../src/service/http/time-limit.js';
import { temporaryFolder } from '../../support/cleanup.js';

const never = () => new Promise<never>(() => undefined);

test('work ends when its time is over, or the run', async () => {
  const reasons: unknown[] = [];
  const work = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => reasons.push(signal.reason));
    return never();
  };
  await expect(withTimeout(1, undefined, work)).rejects.toThrow(TimedOut);
  const run = new AbortController();
  const working = withTimeout(60_000, run.signal, work);
  run.abort(new Error('the run is over'));
  await expect(working).rejects.toThrow('the run is over');
  await expect(withTimeout(60_000, run.signal, work)).rejects.toThrow('the run is over');
  expect(reasons).toEqual([expect.any(TimedOut), run.signal.reason]);
});

test('work without a limit has no timer, which would keep the process from ending', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const run = new AbortController();
  const working = withTimeout(Number.POSITIVE_INFINITY, run.signal, never);
  expect(vi.getTimerCount()).toBe(0);
  run.abort(new Error('the run is over'));
  await expect(working).rejects.toThrow('the run is over');
});

test('each limit is over in its own time, and leaves no timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ends: number[] = [];
  for (const ms of [300, 100, 200]) new TimeLimit(ms, () => ends.push(ms));
  await vi.advanceTimersByTimeAsync(150);
  expect(ends).toEqual([100]);
  await vi.advanceTimersByTimeAsync(200);
  expect(ends).toEqual([100, 200, 300]);
  expect(vi.getTimerCount()).toBe(0);
});

test('what work throws or gives is passed on, and nothing waits any more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const thrown = () => {
    throw new Error('at once');
  };
  const { signal } = new AbortController();
  await expect(withTimeout(60_000, signal, thrown)).rejects.toThrow('at once');
  expect(await withTimeout(60_000, signal, async () => 'done')).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a limit that is over while this process stands still waits for what had come', async () => {
  const sent = join(await temporaryFolder(), 'sent');
  const child = spawn('sh', ['-c', 'sleep 0.05; echo come; touch "$0"; sleep 60', sent]);
  onTestFinished(() => void child.kill());
  const reading = withTimeout(100, undefined, async () => String(await once(child.stdout, 'data')));
  const end = performance.now() + 200;
  while (performance.now() < end || !existsSync(sent));
  expect(await reading).toBe('come\n');
});

test('a limit under load is over all the same', async () => {
  const working = withTimeout(200, undefined, never);
  const load = setInterval(() => {
    const end = performance.now() + 100;
    while (performance.now() < end);
  }, 1);
  await expect(working).rejects.toThrow('no result within 200 ms');
  clearInterval(load);
});

test.each([
  [1_500, true],
  [500, false],
])('an event loop that is blocked for %i ms is a pause: %s', async (blockedMs, isPause) => {
  const endWatch = watchForPause();
  await setTimeout(50);
  const end = performance.now() + blockedMs;
  while (performance.now() < end);
  await setTimeout(50);
  expect(endWatch()).toBe(isPause);
});
