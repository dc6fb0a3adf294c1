import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runHere } from '../support/run-here.js';

test.each([
  ['verify', 'docs/verify.md'],
  ['review', 'docs/review.md'],
  ['rehearse', 'docs/rehearse.md'],
  ['reach', 'docs/reach.md'],
])('each format of %s is named in %s', async (command, page) => {
  const { stdout } = await runHere([command, '--help']);
  const help = stdout.replaceAll(/\s+/g, ' ');
  const [, names = ''] = /--format <[^>]+> ([a-z, ]+):/.exec(help) ?? [];
  const text = readFileSync(page, 'utf8');
  expect(names.split(', ').length).toBeGreaterThan(2);
  expect(names.split(', ').filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
