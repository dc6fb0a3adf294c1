import { expect, test } from 'vitest';
import { remember } from '../../src/lists/remember.js';

test('each object is read once, and one that only looks the same is another', () => {
  const asked: object[] = [];
  const read = remember((from: { readonly size: number }) => {
    asked.push(from);
    return [from.size];
  });
  const [one, other] = [{ size: 1 }, { size: 1 }];
  expect(read(one)).toBe(read(one));
  expect(read(other)).not.toBe(read(one));
  expect(asked).toEqual([one, other]);
});
