import type { Json } from '../read/json.js';
import type { SynthesizedTree } from '../read/read-tree.js';
import { NO_TERRAFORM, type TerraformStackJson } from '../read/terraform-json.js';
import { toRegion } from '../sets/region.js';
import { nameFlows, type ReviewedStack, type ReviewedTree } from './reviewed-stack.js';

/** The tree before under the addresses of the tree after: what `moved` renames is no other resource. */
export function followMoves(base: SynthesizedTree, head: SynthesizedTree): SynthesizedTree {
  return new Map(
    [...base].map(([name, stack]) => {
      const after = head.get(name)?.terraform;
      const moves = after === undefined ? [] : findMoves(stack.terraform, after);
      if (moves.length === 0) return [name, stack];
      return [name, { ...stack, terraform: rename(stack.terraform, new Map(moves)) }];
    }),
  );
}

/** Only a resource that has gone from its address, to one of its type that was not there. */
function findMoves(before: TerraformStackJson, after: TerraformStackJson) {
  const types = (all: TerraformStackJson) =>
    new Map(all.resources.map(({ address, type, kind }) => [address, `${kind} ${type}`]));
  const [was, now] = [types(before), types(after)];
  return [...after.movedTo].filter(
    ([from, to]) =>
      was.has(from) && was.get(from) === now.get(to) && !now.has(from) && !was.has(to),
  );
}

function rename(stack: TerraformStackJson, moves: ReadonlyMap<string, string>): TerraformStackJson {
  const renamed = (json: Json): Json =>
    JSON.parse(JSON.stringify(json), (_, value: unknown) =>
      typeof value === 'string'
        ? value.replaceAll(/[a-z]\w*\.[\w-]+/g, (address) => moves.get(address) ?? address)
        : value,
    );
  return {
    ...stack,
    outputs: renamed(stack.outputs),
    blocks: new Map(
      [...stack.blocks].map(([key, block]) => [key, { ...block, body: renamed(block.body) }]),
    ),
    resources: stack.resources.map((resource) => ({
      ...resource,
      address: moves.get(resource.address) ?? resource.address,
      body: renamed(resource.body),
    })),
  };
}

/**
 * Both trees with the groups and lists that one of them reads on their own: where only their user
 * here went away, whoever else uses them reaches the same as before.
 */
export function alignTrees(
  a: ReviewedTree,
  b: ReviewedTree,
): readonly [ReviewedTree, ReviewedTree] {
  return [alignTree(a, b), alignTree(b, a)];
}

function alignTree(tree: ReviewedTree, other: ReviewedTree): ReviewedTree {
  const more = tree.stacks.flatMap(({ name, effective, stated }) => {
    const beside = other.stacks.find((stack) => stack.name === name)?.effective.flows ?? [];
    const own = new Set(effective.flows.map(({ carrier }) => carrier));
    const carriers = [...new Set(beside.map(({ carrier }) => carrier))];
    const alone = carriers.filter((one) => !own.has(one)).flatMap(effective.readAlone);
    return nameFlows(name, alone, stated);
  });
  if (more.length === 0) return tree;
  const open = [...tree.open, ...more];
  return { ...tree, open, region: toRegion(open) };
}

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
