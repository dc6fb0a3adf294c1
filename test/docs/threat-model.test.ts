import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFENCES } from '../../scripts/defences.js';

/** The tests that the rows of the page name. */
function namedTests(): string[] {
  const rows = readFileSync('docs/threat-model.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  return rows.map((row) => /`(test\/[^`]+\.test\.ts)` \|$/.exec(row)?.[1] ?? row);
}

test('every row names a test that exists, and a defence that can be taken out', () => {
  const named = namedTests();
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
  expect(DEFENCES.map(({ test: file }) => file).sort()).toEqual([...named].sort());
});

test.each(DEFENCES)('the defence in $file is in the code once', ({ file, defence, without }) => {
  const parts = readFileSync(file, 'utf8').split(defence);
  expect(parts).toHaveLength(2);
  expect(defence).not.toBe(without);
});
