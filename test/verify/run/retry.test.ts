import { afterEach, expect, test, vi } from 'vitest';
import { retryDelay } from '../../../src/verify/run/pause.js';

const withChance = (chance: number) => vi.spyOn(Math, 'random').mockReturnValue(chance);
afterEach(() => {
  vi.restoreAllMocks();
});

test('the delay doubles with each failure in a row, up to 15 s', () => {
  withChance(1);
  const failures = [0, 1, 2, 3, 4, 5, 6, 1_000];
  expect(failures.map((inARow) => retryDelay(inARow, {}))).toEqual([
    1_000, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ]);
  const short = failures.slice(0, 4).map((inARow) => retryDelay(inARow, { retryDelayMs: 100 }));
  expect(short).toEqual([100, 100, 200, 400]);
});

test.each([
  [0, 3_000],
  [0.5, 3_500],
  [1, 4_000],
])('with a chance of %s the third delay is %i ms', (chance, expected) => {
  withChance(chance);
  expect(retryDelay(3, {})).toBe(expected);
});

test('each delay has a chance of its own', () => {
  const seen = Array.from({ length: 50 }, () => retryDelay(3, {}));
  expect(new Set(seen).size).toBeGreaterThan(1);
  expect(seen.every((ms) => ms >= 3_000 && ms <= 4_000)).toBe(true);
});

test('a service is obeyed that asks for more, also beyond 15 s, but not for less', () => {
  withChance(1);
  const asked = (askedMs: number) => retryDelay(1, {}, undefined, askedMs);
  expect([asked(60_000), asked(10)]).toEqual([60_000, 1_000]);
});

test('no delay is longer than the time that is left', () => {
  withChance(1);
  const left = (leftMs: number) => retryDelay(9, {}, leftMs, 60_000);
  expect([left(2_500), left(90_000)]).toEqual([2_500, 60_000]);
});
