import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNSPECIFIED } from '../../src/service/unspecified.js';

test('the page lists what is not from the specification as the code has it', () => {
  const rows = UNSPECIFIED.map(
    ({ fact, values, source }) =>
      `| ${fact} | ${values.map((value) => `\`${value}\``).join(', ')} | ${source} |`,
  );
  const table = ['| fact | values | taken from |', '| --- | --- | --- |', ...rows].join('\n');
  expect(readFileSync('docs/client.md', 'utf8')).toContain(table);
});
