import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSources } from '../../scripts/synthesize.js';
import { readTree } from '../../src/review/read/read-tree.js';
import { exitOf, review } from '../../src/review/review.js';
import { BASE, CHANGES } from './settings-changes.js';
import { TODAY } from './trees.js';

const ALL = Object.entries({ base: [BASE, 0] as const, ...CHANGES });
const folderOf = (change: string) => change.replaceAll(' ', '-');

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  for (const [change, [settings]] of ALL) {
    const place = join(folder, 'settings', folderOf(change));
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'live.json'), JSON.stringify(settings));
  }
  const args = [join(folder, 'settings'), join(folder, 'trees')];
  await runOnSources('test/review/synthesize-changes.ts', args);
}, 400_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(Object.entries(CHANGES))('%s', (change, [, exit]) => {
  const read = (name: string) => readTree(join(folder, 'trees', folderOf(name)), name);
  const report = review(read('base'), read(change), TODAY);
  const worst = report.findings.filter(({ decision }) => decision !== 'no-change');
  expect(exitOf(report), JSON.stringify(worst, undefined, 1)).toBe(exit);
});
