import { expect, test } from 'vitest';
import { alignColumns } from '../../src/lists/align-columns.js';

test('columns are as wide as their widest cell, and lines end with their text', () => {
  expect(alignColumns([['a', 'b', 'c'], ['long', '', 'd'], ['e']])).toEqual([
    'a     b  c',
    'long     d',
    'e',
  ]);
  expect(alignColumns([])).toEqual([]);
});
