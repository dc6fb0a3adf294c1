import { expect, test } from 'vitest';
import { ANSWERS_OUTPUT, ASSUMED_IDS } from '../../src/reach/semantics.js';
import { type Region, toRegion } from '../../src/reach/sets/region.js';
import { closeQuestions, placesInDoubt } from '../../src/review/stacks/closed-trees.js';
import { type ReviewedStack, reviewedTree } from '../../src/review/stacks/reviewed-trees.js';
import { randomTree } from '../reach/random-tree.js';
import { randomOf } from '../reach/two-engines.js';
import { runs } from '../support/samples.js';
import { from, stackOf, treeOf } from './trees.js';

const ANSWER = { answer: 'closed', seen: '2026-11-20', how: 'dialled' };
const RULES = [from('10.20.0.0/16'), from('198.51.100.0/24', { direction: 'egress' })];

/** The cells without the names of carriers, which access rules give. */
const cellsOf = (region: Region) =>
  [...region].map(([key, { ranges }]) => [key, ranges] as const).sort();

test.each([
  ...ASSUMED_IDS.map((id) => [id]),
  [...ASSUMED_IDS],
])('what an answer decides, decided again, is what a tree opens whose owner states it: %s', (...closed) => {
  let different = 0;
  for (let seed = 0; seed < runs(60); seed += 1) {
    const { resource } = randomTree(randomOf(seed));
    const answers = Object.fromEntries(closed.map((id) => [id, ANSWER]));
    const stated = { resource, output: { [ANSWERS_OUTPUT]: { value: answers } } };
    const [open, wanted] = [{ resource }, stated].map((one) =>
      reviewedTree(treeOf(stackOf(RULES, one))),
    );
    if (open === undefined || wanted === undefined) throw new Error('no tree');
    const again = closeQuestions(open, closed, placesInDoubt([open], closed));
    expect(cellsOf(again.region)).toEqual(cellsOf(wanted.region));
    const alone = (trees: { readonly stacks: readonly Pick<ReviewedStack, 'alone'>[] }) =>
      cellsOf(toRegion(trees.stacks.flatMap((stack) => stack.alone)));
    expect(alone(again)).toEqual(alone(wanted));
    if (JSON.stringify([...open.region.keys()]) !== JSON.stringify([...again.region.keys()]))
      different += 1;
  }
  if (closed.includes('group-outward')) expect(different).toBeGreaterThan(0);
});
