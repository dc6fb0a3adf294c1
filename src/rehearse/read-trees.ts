import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { list, notATree, object, readJson, text } from '../review/read/json.js';
import { readTree, type SynthesizedStack } from '../review/read/read-tree.js';

/** A stack of a tree that is rehearsed. */
export interface RehearsedStack extends SynthesizedStack {
  /** Holds `cdk.tf.json`. */
  readonly folder: string;
}

/** Stacks in the order in which they are deployed: each after those that it depends on. */
export type RehearsedTree = readonly RehearsedStack[];

/**
 * Reads a synthesized tree for a rehearsal. What could run a program that is not seen here is refused:
 * configuration in HCL, and modules.
 *
 * @throws ConnectivityError `review.tree`
 */
export function readRehearsedTree(folder: string, option: string): RehearsedTree {
  const tree = readTree(folder, option);
  const dependencies = readDependencies(folder, option);
  const stacks = [...tree.values()].map((stack) => {
    const own = join(folder, 'stacks', stack.name);
    refuseForeignCode(stack, own, option);
    return { ...stack, folder: own };
  });
  return inOrder(stacks, dependencies);
}

function refuseForeignCode({ terraform }: SynthesizedStack, folder: string, option: string): void {
  const hcl = terraform.files.find(({ where }) => /\.(?:tf|tofu)$/.test(where));
  if (hcl !== undefined) {
    const file = join(folder, hcl.where.replace(/^file /, ''));
    throw notATree(option, file, 'must contain only JSON stacks: a rehearsal does not run HCL');
  }
  const module = [...terraform.blocks.values()].find(({ kind }) => kind === 'module');
  if (module === undefined) return;
  const name = `${folder}: module.${module.labels.join('.')}`;
  throw notATree(
    option,
    name,
    'must contain stacks without modules: a rehearsal does not load any',
  );
}

type Dependencies = ReadonlyMap<string, readonly string[]>;

function readDependencies(folder: string, option: string): Dependencies {
  const file = join(folder, 'manifest.json');
  const manifest = object(existsSync(file) ? readJson(file, option) : {});
  return new Map(
    Object.entries(object(manifest.stacks)).map(([name, stack]) => [
      name,
      list(object(stack).dependencies).map(text),
    ]),
  );
}

function inOrder(stacks: readonly RehearsedStack[], dependencies: Dependencies): RehearsedStack[] {
  const ordered = new Set<RehearsedStack>();
  const visit = (stack: RehearsedStack, above: readonly string[]) => {
    if (above.includes(stack.name)) return;
    for (const name of dependencies.get(stack.name) ?? []) {
      const other = stacks.find((one) => one.name === name);
      if (other !== undefined) visit(other, [...above, stack.name]);
    }
    ordered.add(stack);
  };
  for (const stack of stacks) visit(stack, []);
  return [...ordered];
}
