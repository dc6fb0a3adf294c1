import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').map((page) => `docs/${page}`),
];

test.each(PAGES)('every link of %s leads to a file that exists', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
  const missing = links
    .map(([, target]) => join(dirname(page), target ?? ''))
    .filter((file) => !existsSync(file));
  expect(missing).toEqual([]);
});

test('docs/README.md leads to every page', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const pages = readdirSync('docs').filter((file) => /\.md$/.test(file) && file !== 'README.md');
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});
