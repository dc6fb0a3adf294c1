import type { SynthesizedTree } from '../reach/read/read-tree.js';
import { findRenamedStacks, followRenames } from './changes/whole-stacks.js';
import { followMoves, pairStacks, reviewedTree, reviewedTrees } from './stacks/reviewed-trees.js';

/** Reads two trees, and pairs the stacks and resources of one with those of the other. */
export function compareTrees(base: SynthesizedTree, head: SynthesizedTree) {
  const renames = findRenamedStacks(base, head);
  const named = followRenames(base, renames);
  // Resources under their addresses in the tree after, and stacks under their names there.
  const before = followMoves(named, head);
  const [a, b] = reviewedTrees(before, head);
  const under = followMoves(base, head);
  const pairs = pairStacks(named, a, b);
  // As Terraform makes them: all of a renamed stack anew, so that its connections are cut and its domains are others.
  const made = renames.length === 0 ? pairs : pairStacks(base, reviewedTree(under), b);
  return { renames, under, before, head, a, b, pairs, made };
}

/** Two trees side by side. */
export type ComparedTrees = ReturnType<typeof compareTrees>;
