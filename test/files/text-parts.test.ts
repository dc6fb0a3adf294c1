import { expect, test } from 'vitest';
import { inBytes, jsonParts } from '../../src/files/text-parts.js';

const MANY = Array.from({ length: 250 }, (_, i) => ({ i, text: `a\n"${i}`, none: undefined }));

test.each<[what: string, value: object]>([
  ['nothing', {}],
  ['short lists', { a: [1, [2]], b: { c: null, d: [] }, e: undefined, f: 'x\ny' }],
  [
    'long lists beside others',
    { '': 1, first: [], many: MANY, runs: [{ results: MANY, last: 1 }] },
  ],
  ['a long list alone', MANY.map(({ i }) => (i % 2 ? [i, { i }] : `${i}`))],
])('writes %s as JSON.stringify does', (_, value) => {
  const shown = (__: string, one: unknown) => (typeof one === 'string' ? one.toUpperCase() : one);
  expect([...jsonParts(value)].join('')).toBe(`${JSON.stringify(value, undefined, 2)}\n`);
  expect([...jsonParts(value, shown)].join('')).toBe(`${JSON.stringify(value, shown, 2)}\n`);
});

test('makes the elements of a list one at a time, and bytes before all of them are there', () => {
  let made = 0;
  const results = {
    *[Symbol.iterator]() {
      for (; made < 1_000; made += 1) yield { text: 'é'.repeat(100_000) };
    },
  };
  const bytes = inBytes(jsonParts({ results, none: { *[Symbol.iterator]() {} } }));
  expect(bytes.next().value?.toString()).toContain('"text": "éé');
  expect(made).toBeLessThan(3);
});
