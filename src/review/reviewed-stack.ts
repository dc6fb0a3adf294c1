import { readStack, type StackReading } from './effective-rules/read-stack.js';
import type { SynthesizedStack, SynthesizedTree } from './read/read-tree.js';
import { type ReviewedRule, reviewedRule } from './reviewed-rule.js';
import { type Region, regionOf } from './sets/region.js';

/** A stack with its rules as sets of packets. */
export interface ReviewedStack extends SynthesizedStack {
  readonly rules: readonly ReviewedRule[];
  readonly reading: StackReading;
}

/** A whole tree, ready to be compared. */
export interface ReviewedTree {
  readonly stacks: readonly ReviewedStack[];
  readonly rules: readonly ReviewedRule[];
  readonly region: Region;
}

export function reviewedTree(tree: SynthesizedTree): ReviewedTree {
  const stacks = [...tree.values()].map(reviewedStack);
  const rules = stacks.flatMap((stack) => stack.rules);
  return { stacks, rules, region: regionOf(rules) };
}

function reviewedStack(stack: SynthesizedStack): ReviewedStack {
  const own = new Set(stack.terraform.resources.map(({ address }) => address));
  const rules = (stack.access?.rules ?? []).map((rule) => reviewedRule(stack.name, rule, own));
  return { ...stack, rules, reading: readStack(stack.terraform) };
}
