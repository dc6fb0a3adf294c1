import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goldenText } from '../../scripts/golden-text.js';
import { environments, SETTINGS } from '../../scripts/synthesize.js';
import { readTree } from '../../src/reach/read/read-tree.js';
import { loadSettings } from '../../src/settings/load-settings.js';
import { temporaryFolder } from '../support/cleanup.js';
import { synthesizeInto } from '../support/synthesize-all.js';

const GOLDEN = 'test/golden/stacks';

test.each(
  environments(),
)('the stacks of %s are as their golden files; `npm run golden` regenerates them', async (environment) => {
  const folder = await temporaryFolder();
  synthesizeInto(folder, loadSettings(SETTINGS, environment));
  const stacks = [...readTree(folder, environment).values()];
  for (const stack of stacks) {
    const golden = readFileSync(join(GOLDEN, `${stack.name}.txt`), 'utf8');
    expect(goldenText(stack, folder)).toBe(golden);
  }
  const files = readdirSync(GOLDEN).filter((file) => file.endsWith(`-${environment}.txt`));
  expect(files).toEqual(stacks.map(({ name }) => `${name}.txt`));
});
