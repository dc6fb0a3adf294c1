import { expect, test } from 'vitest';
import { retryDelay } from '../../../src/verify/run/retry.js';

const longest = () => 1;
const delays = (firstMs: number | undefined, failures: readonly number[]) =>
  failures.map((failuresInARow) => retryDelay({ firstMs, failuresInARow, random: longest }));

test('the delay doubles with each failure in a row, up to 15 s', () => {
  const failures = [0, 1, 2, 3, 4, 5, 6, 1_000];
  expect(delays(undefined, failures)).toEqual([
    1_000, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ]);
  expect(delays(100, failures.slice(0, 4))).toEqual([100, 100, 200, 400]);
});

test.each([
  [0, 3_000],
  [0.5, 3_500],
  [1, 4_000],
])('with a chance of %s the third delay is %i ms', (chance, expected) => {
  expect(retryDelay({ failuresInARow: 3, random: () => chance })).toBe(expected);
});

test('each delay has a chance of its own', () => {
  const seen = Array.from({ length: 50 }, () => retryDelay({ failuresInARow: 3 }));
  expect(new Set(seen).size).toBeGreaterThan(1);
  expect(seen.every((ms) => ms >= 3_000 && ms <= 4_000)).toBe(true);
});

test('a service is obeyed that asks for more, also beyond 15 s, but not for less', () => {
  const asked = (askedMs: number) => retryDelay({ failuresInARow: 1, askedMs, random: longest });
  expect([asked(60_000), asked(10)]).toEqual([60_000, 1_000]);
});

test('no delay is longer than the time that is left', () => {
  const left = (leftMs: number) =>
    retryDelay({ failuresInARow: 9, askedMs: 60_000, leftMs, random: longest });
  expect([left(2_500), left(90_000)]).toEqual([2_500, 60_000]);
});
