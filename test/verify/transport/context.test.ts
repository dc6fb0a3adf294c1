import { afterEach, expect, test, vi } from 'vitest';
import { prepareRun } from '../../../src/verify/run/prepare-run.js';
import { linkContext } from '../../../src/verify/transport/context.js';
import { link } from '../../support/verifiable-link.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds that each step gets, when every one uses up all that it gets. */
async function shares(runMs: number): Promise<number[]> {
  const run = await prepareRun({});
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const deadline = performance.now() + runMs;
  const { budgetMs } = linkContext(run, link(), new AbortController().signal, deadline);
  return [5, 4, 3, 2, 1].map((steps) => {
    const budget = budgetMs(steps);
    vi.advanceTimersByTime(budget);
    return budget;
  });
}

test.each([
  1_000, 4_000, 50_000,
])('of %i ms no step takes what the later ones need', async (runMs) => {
  const all = await shares(runMs);
  const [first = 0] = all;
  expect(first).toBeGreaterThan(runMs / 6);
  expect(all.every((ms) => ms >= Math.floor(first))).toBe(true);
  expect(all.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(runMs);
});

test('no step takes more than 10 s, however long the run may take', async () => {
  expect(await shares(600_000)).toEqual(Array(5).fill(10_000));
});
