import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { apiReference } from '../../scripts/api-reference.js';

const page = readFileSync('docs/api.md', 'utf8');

test('the reference of the API is current; npm run docs writes it', () => {
  expect(page).toBe(apiReference());
}, 180_000);

test('each name of each entry point is in it, with the example of its construct', async () => {
  const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
  const names = await Promise.all(
    entries
      .filter((entry) => entry !== './cdktn')
      .map(async (entry) => Object.keys(await import(entry.replace('.', manifest.name)))),
  );
  expect(names.flat().length).toBeGreaterThan(50);
  expect(names.flat().filter((name) => !page.includes(`\n### ${name}\n`))).toEqual([]);
  expect(page).toMatch(/\n### ServiceEndpoint\n.*?\n```ts\nconst network = .*?\n```\n/s);
});
