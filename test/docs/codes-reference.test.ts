import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codesReference } from '../../scripts/codes-reference.js';

test('the reference of codes is current; npm run docs writes it', () => {
  expect(readFileSync('docs/codes.md', 'utf8')).toBe(codesReference());
});
