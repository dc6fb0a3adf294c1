import type { SynthesizedTree } from '../read/read-tree.js';
import { NO_TERRAFORM, type TerraformStackJson } from '../read/terraform-json.js';
import type { ReviewedStack, ReviewedTree } from './reviewed-stack.js';

/** A stack before and after, by its name. */
export interface StackPair {
  readonly name: string;
  readonly before: ReviewedStack | undefined;
  readonly after: ReviewedStack | undefined;
  /** Under the addresses of its time. */
  readonly was: TerraformStackJson;
  readonly now: TerraformStackJson;
}

export function pairStacks(base: SynthesizedTree, a: ReviewedTree, b: ReviewedTree): StackPair[] {
  const named = ({ stacks }: ReviewedTree) => new Map(stacks.map((stack) => [stack.name, stack]));
  const [befores, afters] = [named(a), named(b)];
  return [...new Set([...befores.keys(), ...afters.keys()])].sort().map((name) => {
    const before = befores.get(name);
    const after = afters.get(name);
    const was = base.get(name)?.terraform ?? NO_TERRAFORM;
    return { name, before, after, was, now: after?.terraform ?? NO_TERRAFORM };
  });
}
