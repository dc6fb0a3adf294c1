import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/review/read/read-tree.js';
import { exitOf, review } from '../../src/review/review.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { BASE, CHANGES } from './settings-changes.js';
import { TODAY } from './trees.js';

const ALL = Object.entries({ base: [BASE, 0] as const, ...CHANGES });
const folderOf = (change: string) => change.replaceAll(' ', '-');
const trees = await synthesizeAll(
  Object.fromEntries(ALL.map(([change, [settings]]) => [folderOf(change), settings])),
);

const read = (name: string) => readTree(join(trees, folderOf(name)), name);
const base = read('base');

test.each(Object.entries(CHANGES))('%s', (change, [, exit]) => {
  const report = review(base, read(change), TODAY);
  const worst = report.findings.filter(({ decision }) => decision !== 'no-change');
  expect(exitOf(report), JSON.stringify(worst, undefined, 1)).toBe(exit);
});
