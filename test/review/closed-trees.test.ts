import { expect, test } from 'vitest';
import { resolveStack } from '../../src/reach/read/resolve.js';
import { applyNames } from '../../src/reach/rules/carriers.js';
import { readPackets } from '../../src/reach/rules/read-packets.js';
import { ResourceIndex, type RuleList } from '../../src/reach/rules/reading.js';
import { decideLists } from '../../src/reach/rules/rule-list.js';
import { readCarriedGroups } from '../../src/reach/rules/security-groups.js';
import { ALL_OPEN, ASSUMED_IDS, type AssumedId } from '../../src/reach/semantics.js';
import { type Region, toRegion } from '../../src/reach/sets/region.js';
import { closeQuestions, placesInDoubt } from '../../src/review/stacks/closed-trees.js';
import { findUnopened } from '../../src/review/stacks/disagreement.js';
import {
  isElsewhere,
  type ReviewedStack,
  reviewedTree,
} from '../../src/review/stacks/reviewed-trees.js';
import { randomTree } from '../reach/random-tree.js';
import { randomOf } from '../reach/two-engines.js';
import { runs } from '../support/samples.js';
import { from, stackOf, treeOf } from './trees.js';

const RULES = [from('10.20.0.0/16'), from('198.51.100.0/24', { direction: 'egress' })];

/** The cells without the names of carriers, which access rules give. */
const cellsOf = (region: Region) =>
  [...region].map(([key, { ranges }]) => [key, ranges] as const).sort();

/** Decides all lists of a stack anew with questions closed, whether they decide anything or not. */
function decidedAnew(
  { name, terraform, effective, names, rules }: ReviewedStack,
  closed: AssumedId[],
) {
  const answers = { ...ALL_OPEN, ...Object.fromEntries(closed.map((id) => [id, 'closed'])) };
  const index = new ResourceIndex(resolveStack(terraform).resources);
  const again = (lists: readonly RuleList[]) => decideLists(lists, answers).flows ?? [];
  const flows = [
    ...effective.flows.filter(({ kind }) => kind !== 'packets'),
    ...again(readPackets(index, () => true).lists),
  ];
  const unopened = findUnopened(
    flows,
    rules.filter((rule) => !isElsewhere(rule)),
  );
  return {
    open: [...applyNames(name, flows, names), ...unopened],
    alone: applyNames(name, [
      ...effective.alone.filter(({ kind }) => kind !== 'packets'),
      ...again(readCarriedGroups(index)),
    ]),
  };
}

test.each<AssumedId[]>([
  ...ASSUMED_IDS.map((id) => [id]),
  [...ASSUMED_IDS],
])('what an answer decides, decided again, is what all lists open under it: %s', (...closed) => {
  let different = 0;
  for (let seed = 0; seed < runs(60); seed += 1) {
    const { resource } = randomTree(randomOf(seed));
    const open = reviewedTree(treeOf(stackOf(RULES, { resource })));
    const wanted = open.stacks.map((stack) => decidedAnew(stack, closed));
    const again = closeQuestions(open, closed, placesInDoubt([open], closed));
    expect(cellsOf(again.region)).toEqual(cellsOf(toRegion(wanted.flatMap((one) => one.open))));
    const alone = (all: readonly Pick<ReviewedStack, 'alone'>[]) =>
      cellsOf(toRegion(all.flatMap((one) => one.alone)));
    expect(alone(again.stacks)).toEqual(alone(wanted));
    if (JSON.stringify([...open.region.keys()]) !== JSON.stringify([...again.region.keys()]))
      different += 1;
  }
  if (closed.includes('group-outward')) expect(different).toBeGreaterThan(0);
});
