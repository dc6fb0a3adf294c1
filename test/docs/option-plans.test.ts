import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The cells of the table of options, row by row. */
function optionRows(): string[][] {
  const rows = readFileSync('docs/options.md', 'utf8').match(/^\| \d\. .*\|$/gm) ?? [];
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

test('the table of options has the plan that the specification asks for, option by option', () => {
  expect(optionRows().map((cells) => [cells[0], cells.at(-1)])).toEqual([
    ['1. Fixed-IP access to the API', 'enterprise flagship'],
    ['2. Private-network access to the API', 'enterprise flagship'],
    ['3. Fixed-IP access to a plugin', 'enterprise flagship, allow-listed users only'],
    ['4. Private-network access to a private plugin', 'enterprise flagship'],
    ['5. User ID header', 'all'],
  ]);
});
