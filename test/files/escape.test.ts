import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/files/escape.js';

/** The value that a shell reads from a word. */
function read(shell: string, word: string): string {
  return execFileSync(shell, ['-c', `printf %s ${word}`], {
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8' },
  });
}

test.each([
  'plain/word',
  'two words',
  "it's",
  '$(id) `id` "x" \\',
  'ümlaut',
  '',
])('any shell reads %j as it is', (text) => {
  expect(read('sh', shellWord(text))).toBe(text);
});

test.each([
  '\u001b[2Jcleared',
  "line\nof 'two'",
  'back\\\u0007slash',
  'right\u202eleft',
])('Bash reads %j as it is, and no terminal obeys it', (text) => {
  const word = shellWord(text);
  expect(read('bash', word)).toBe(text);
  expect(word).toMatch(/^[ -~]+$/);
});
