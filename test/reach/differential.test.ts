import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectivityError } from '../../src/codes/connectivity-error.js';
import type { SynthesizedStack } from '../../src/reach/read/read-tree.js';
import { findTerraformProblem } from '../../src/reach/read/stack-folder.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import type { ReviewReport } from '../../src/review/report-schema.js';
import { review } from '../../src/review/review.js';
import { anySettings } from '../access/any-settings.js';
import { anyRules, TODAY } from '../review/trees.js';
import { runs } from '../support/samples.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { consistentStack } from './differential/consistent.js';
import type { Json } from './differential/evaluator.js';
import { newlyOpen } from './differential/opens.js';
import { Random } from './differential/random.js';
import { tamper } from './differential/tamper.js';
import { weightyChange } from './differential/weighs.js';

// More pairs by hand: DIFFERENTIAL_PAIRS=5000 DIFFERENTIAL_SEED=2 npx vitest run test/review/differential.test.ts
const PAIRS = Number(process.env.DIFFERENTIAL_PAIRS ?? runs(120));
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);
const ALL_OF_IT = { changed: 80, others: 0, ports: 40 };

interface Stack {
  readonly name: string;
  readonly json: Json;
  readonly access: unknown;
}

const settings = fc.sample(anySettings, { numRuns: runs(6), seed: SEED });
const trees = synthesizeAll({ ...settings });

test('no change of cdk.tf.json alone that opens something is called no change', async () => {
  const stacks = (await Promise.all(settings.map((_, i) => stacksOf(i)))).flat();
  const bases = stacks.filter(({ json }) => json.resource !== undefined);
  const missed: string[] = [];
  let opening = 0;
  for (let i = 0; i < PAIRS; i += 1) {
    const random = new Random(SEED * 1_000_003 + i);
    const base = random.pick(bases);
    const { head, what } = tamper(base.json, random);
    const truth = newlyOpen(base.json, head) ?? weightyChange(base.json, head);
    const report = reviewed(base, { ...base, json: head });
    if (report === undefined || truth === undefined) continue;
    opening += 1;
    if (isNothing(report)) missed.push(`pair ${i}, ${what}: ${truth}`);
  }
  expect(missed).toEqual([]);
  expect(opening).toBeGreaterThan(PAIRS / 4);
});

test('where access.json and Terraform change together, the review is right packet by packet', () => {
  const all = fc.sample(anyRules, { numRuns: 2 * PAIRS, seed: SEED });
  const wrong: string[] = [];
  for (let i = 0; i < PAIRS; i += 1) {
    const [a = [], b = []] = [all[2 * i], all[2 * i + 1]];
    // Most changes are small: a rule more or less.
    const rules = i % 3 === 0 ? b : i % 3 === 1 ? [...a, ...b.slice(0, 1)] : a.slice(1);
    const [base, head] = [consistentStack(a), consistentStack(rules)];
    const truth = newlyOpen(base.json, head.json, ALL_OF_IT);
    const report = reviewed({ name: 'pair', ...base }, { name: 'pair', ...head });
    const widens = report?.changes.some(({ effect }) => effect === 'widens');
    if (widens !== (truth !== undefined)) wrong.push(`pair ${i}: ${truth ?? 'nothing opens'}`);
  }
  expect(wrong).toEqual([]);
});

test('no other settings that open something are called no change', async () => {
  const missed: string[] = [];
  for (const i of settings.keys()) {
    const [before, after] = [await stacksOf(i), await stacksOf((i + 1) % settings.length)];
    for (const base of before) {
      const head = after.find(({ name }) => name === base.name);
      const truth = head && newlyOpen(base.json, head.json);
      const report = head && reviewed(base, head);
      if (truth !== undefined && report !== undefined && isNothing(report)) missed.push(truth);
    }
  }
  expect(missed).toEqual([]);
});

async function stacksOf(i: number): Promise<Stack[]> {
  const stacks = join(trees, `${i}`, 'stacks');
  const read = (name: string, file: string) =>
    JSON.parse(readFileSync(join(stacks, name, file), 'utf8'));
  return (await readdir(stacks)).map((name) => ({
    name,
    json: read(name, 'cdk.tf.json'),
    access: read(name, 'access.json'),
  }));
}

/** The review of one stack; undefined where it is refused as unreadable. */
function reviewed(base: Stack, head: Stack): ReviewReport | undefined {
  if (findTerraformProblem(head.json) !== undefined) return undefined;
  try {
    return review(treeOf(base), treeOf(head), TODAY);
  } catch (error) {
    if (error instanceof ConnectivityError && error.code === 'usage.invalid') return undefined;
    throw error;
  }
}

function treeOf({ name, json, access }: Stack) {
  const stack = { name, terraform: readTerraform(json), access } as SynthesizedStack;
  return new Map([[name, stack]]);
}

function isNothing({ decision }: ReviewReport): boolean {
  return decision === 'no-change' || decision === 'narrower';
}
