import { expect, test } from 'vitest';
import { duplicateKeys, parseBounded } from '../../src/files/json.js';

test('refuses JSON that nobody can walk through', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}"]["${']'.repeat(depth)}`;
  expect(parseBounded(nested(200))).toBeDefined();
  expect(() => parseBounded(nested(200_000))).toThrow('must be nested at most 200 levels deep');
});

test('refuses more values than fit in memory, before it makes any', () => {
  const many = `[${'{},'.repeat(8_000_000)}0]`;
  expect(() => parseBounded(many)).toThrow('must hold at most 8000000 values');
});

test('reads a string of any length', () => {
  const text = JSON.stringify({ a: '\\"'.repeat(4_000_000) });
  expect(parseBounded(text)).toHaveProperty('a.length', 8_000_000);
  expect(duplicateKeys(text)).toEqual([]);
});

test('comes to an end of a string that has none', () => {
  // A search that begins anew at each quotation mark would take hours.
  expect(() => parseBounded(`["${'\\"'.repeat(2_000_000)}`)).toThrow(SyntaxError);
});
