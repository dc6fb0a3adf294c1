import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CODES } from '../../src/codes/codes.js';
import { runHere } from '../support/run-here.js';

/** The pages that have a table of the flags of a command. */
const PAGES = {
  deploy: ['deploy'],
  rehearse: ['rehearse'],
  reach: ['reach'],
  render: ['firewalls'],
  review: ['review'],
  sandbox: ['sandbox'],
  verify: ['verify'],
} as const;

const read = (page: string) => readFileSync(`docs/${page}.md`, 'utf8');

test.each(Object.entries(PAGES))('every flag of %s is on its page', async (command, pages) => {
  const { stdout } = await runHere([command, '--help']);
  const flags = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
  const text = pages.map(read).join('\n');
  const missing = flags.filter((flag) => flag !== '--help' && !text.includes(flag));
  expect(missing).toEqual([]);
});

test('every code of a vantage point is on its page', () => {
  const codes = Object.keys(CODES).filter((code) => code.startsWith('run.vantage-point'));
  const text = read('verify');
  expect(codes.filter((code) => !text.includes(`| \`${code}\` |`))).toEqual([]);
});

test('every setting has a meaning', () => {
  const rows = read('settings').match(/^\| `[^,]+` \| (?:yes|no) \| .*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(40);
  expect(
    rows.filter((row) => /\| +\|$/.test(row) || /list of (?:string|object)\b/.test(row)),
  ).toEqual([]);
});
