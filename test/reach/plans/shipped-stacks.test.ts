import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTree } from '../../../src/reach/read/read-tree.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { anySettings } from '../../access/any-settings.js';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { runs } from '../../support/samples.js';
import { synthesizeAll, synthesizeInto } from '../../support/synthesize-all.js';
import { planned, reachedOf, rootOf, rowsOf } from './planned.js';

let terraform: StandInTerraform;
beforeAll(async () => {
  terraform = await StandInTerraform.start();
});
afterAll(() => terraform.stop());

const SAMPLES = runs(3);
const random = synthesizeAll({ ...fc.sample(anySettings, { numRuns: SAMPLES, seed: 7 }) });

const TREES: readonly [name: string, folder: () => Promise<string>][] = [
  ...['production', 'sandbox'].map((name): [string, () => Promise<string>] => [
    `the settings ${name}`,
    async () => {
      const folder = await temporaryFolder();
      synthesizeInto(folder, loadSettings('stacks/settings', name));
      return folder;
    },
  ]),
  ...Array.from({ length: SAMPLES }, (_, i): [string, () => Promise<string>] => [
    `random settings ${i}`,
    async () => join(random, String(i)),
  ]),
];

test.each(TREES)(
  'a first plan of %s says what its tree says',
  async (_, folderOf) => {
    const folder = await folderOf();
    for (const [name, { terraform: written, access }] of readTree(folder, '--tree')) {
      const json = JSON.parse(readFileSync(join(folder, 'stacks', name, 'cdk.tf.json'), 'utf8'));
      const { backend: _, ...settings } = json.terraform;
      const text = JSON.stringify({ ...json, terraform: settings });
      const stack = await rootOf(terraform, { 'cdk.tf.json': text });
      const { left, found } = await planned(stack);
      const more = access === undefined ? {} : { access };
      const [tree, plan] = [written, left].map((one) => reachedOf({ terraform: one, ...more }));
      expect(found).toBeUndefined();
      expect(plan?.unseen).toEqual(tree?.unseen);
      expect(plan && rowsOf(plan)).toEqual(tree && rowsOf(tree));
    }
  },
  120_000,
);
