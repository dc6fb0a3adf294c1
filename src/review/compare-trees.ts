import type { SynthesizedTree } from '../reach/read/read-tree.js';
import { findRenamedStacks, followRenames, type StackRename } from './changes/renamed-stacks.js';
import { fillTree } from './plan/fill-tree.js';
import type { ReviewPlan } from './plan/review-plan.js';
import {
  followMoves,
  pairStacks,
  type ReviewedTree,
  reviewedTree,
  type StackPair,
} from './stacks/reviewed-trees.js';

/** Two trees side by side. */
export interface ComparedTrees {
  readonly renames: readonly StackRename[];
  /** The tree before, its resources under their addresses in the tree after. */
  readonly under: SynthesizedTree;
  /** The same, with its stacks under their names in the tree after. */
  readonly before: SynthesizedTree;
  /** The tree after, with values of its plans. */
  readonly filled: SynthesizedTree;
  readonly a: ReviewedTree;
  readonly b: ReviewedTree;
  readonly pairs: readonly StackPair[];
  /**
   * The pairs as Terraform makes them: all of a renamed stack anew, so that its connections are cut and its
   * domains are others.
   */
  readonly made: readonly StackPair[];
  /** The tree after as its files are, without values of a plan: so the check of a deploy finds it. */
  readonly asWritten: ReviewedTree;
}

/** Reads two trees, and pairs the stacks and resources of one with those of the other. */
export function compareTrees(
  base: SynthesizedTree,
  head: SynthesizedTree,
  plans: ReadonlyMap<string, ReviewPlan>,
): ComparedTrees {
  const renames = findRenamedStacks(base, head);
  const named = followRenames(base, renames);
  const before = followMoves(named, head);
  const filled = fillTree(before, head, plans);
  const [a, b] = [reviewedTree(before), reviewedTree(filled)];
  const under = followMoves(base, head);
  const pairs = pairStacks(named, a, b);
  const made = renames.length === 0 ? pairs : pairStacks(base, reviewedTree(under), b);
  const asWritten = plans.size === 0 ? b : reviewedTree(head);
  return { renames, under, before, filled, a, b, pairs, made, asWritten };
}
