import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInShard, parseShard } from '../../../../src/verify/run/many/shard.js';

test('over all parts every item is in exactly one, and the parts differ by at most one item', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 500 }), (of, items) => {
      const all = Array.from({ length: items }, (_, index) => index);
      const parts = Array.from({ length: of }, (_, i) =>
        all.filter((index) => isInShard(index, { number: i + 1, of })),
      );
      expect(parts.flat().sort((a, b) => a - b)).toEqual(all);
      const sizes = parts.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test('without a part everything belongs', () => {
  expect([0, 1, 7].every((index) => isInShard(index))).toBe(true);
});

test('a part is read as it is written', () => {
  expect(parseShard('3/8')).toEqual({ number: 3, of: 8 });
});

test.each([
  '0/8',
  '9/8',
  '1',
  '1/0',
  '-1/2',
  '1/2/3',
  ' 1/2',
  '1.5/2',
  '',
])('the part "%s" is refused', (text) => {
  expect(() => parseShard(text)).toThrow(/`shard` must be I\/N with I from 1 to N, got: "/);
});
