import type { SynthesizedTree } from '../reach/read/read-tree.js';
import { findRenamedStacks, followRenames } from './changes/renamed-stacks.js';
import { fillTree } from './plan/fill-tree.js';
import type { ReviewPlan } from './plan/review-plan.js';
import { followMoves, pairStacks, reviewedTree, reviewedTrees } from './stacks/reviewed-trees.js';

/** Reads two trees, and pairs the stacks and resources of one with those of the other. */
export function compareTrees(
  base: SynthesizedTree,
  head: SynthesizedTree,
  plans: ReadonlyMap<string, ReviewPlan>,
) {
  const renames = findRenamedStacks(base, head);
  const named = followRenames(base, renames);
  // Resources under their addresses in the tree after, and stacks under their names there.
  const before = followMoves(named, head);
  // With values of plans.
  const filled = fillTree(before, head, plans);
  const [a, b] = reviewedTrees(before, filled);
  const under = followMoves(base, head);
  const pairs = pairStacks(named, a, b);
  // As Terraform makes them: all of a renamed stack anew, so that its connections are cut and its domains are others.
  const made = renames.length === 0 ? pairs : pairStacks(base, reviewedTree(under), b);
  // As its files are, without values of a plan: so the check of a deploy finds it.
  const asWritten = plans.size === 0 ? b : reviewedTree(head);
  return { renames, under, before, filled, a, b, pairs, made, asWritten };
}

/** Two trees side by side. */
export type ComparedTrees = ReturnType<typeof compareTrees>;
