import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Files to turn over at the most to follow one call from a command down, types included. */
const MAX_CHAIN = 24;

const IMPORT = /(?:from|import\()\s*'(\.[^']+)\.js'/g;

function readImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT)].map(([, path = '']) => `${join(dirname(file), path)}.ts`);
}

/** Finds the longest way from a file to one that imports nothing of `src`. */
function longestChains(files: readonly string[]): Map<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  const chainOf = (file: string): readonly string[] => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, [file]);
    const below = readImports(file).map(chainOf);
    const longest = below.reduce((a, b) => (b.length > a.length ? b : a), []);
    const chain = [file, ...longest];
    known.set(file, chain);
    return chain;
  };
  for (const file of files) chainOf(file);
  return known;
}

test('no chain of imports is longer than a reader can follow', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
  const chains = [...longestChains(files).values()];
  const longest = chains.reduce((a, b) => (b.length > a.length ? b : a), []);
  expect(files.length).toBeGreaterThan(400);
  expect(longest.length, longest.join('\n')).toBeLessThanOrEqual(MAX_CHAIN);
});
