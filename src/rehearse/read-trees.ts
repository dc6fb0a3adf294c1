import { join } from 'node:path';
import type { TreeIntents } from '../intents/intents-file.js';
import { readStackIntents } from '../intents/read-intents.js';
import type { StackBlocks } from '../reach/read/merge-files.js';
import { readTree, type SynthesizedStack } from '../reach/read/read-tree.js';
import { findHcl } from '../reach/read/stack-folder.js';
import type { TerraformStackJson } from '../reach/read/terraform-json.js';
import { type Understood, understand } from '../sandbox/terraform/understand.js';
import { notATree } from '../terraform/tree-files.js';

/** A stack of a tree that is rehearsed. */
export interface RehearsedStack extends SynthesizedStack {
  /** Holds `cdk.tf.json`. */
  readonly folder: string;
  /** The trees as Terraform sees them. */
  readonly understood: Understood;
  readonly intents?: TreeIntents | undefined;
}

/** Stacks in the order in which they are deployed: each after those that it depends on. */
export type RehearsedTree = readonly RehearsedStack[];

/**
 * Reads a synthesized tree for a rehearsal. What could run a program that is not seen here is refused:
 * configuration in HCL, modules, and whatever else a sandbox
 * does not understand.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readRehearsedTree(folder: string, option: string): RehearsedTree {
  const tree = readTree(folder, option);
  const stacks = [...tree.values()].map((stack) => {
    const own = join(folder, 'stacks', stack.name);
    if (stack.isUnnamed) {
      const rule =
        'must contain only stacks that its manifest.json names: a deploy leaves out others';
      throw notATree(option, own, rule);
    }
    refuseForeignFiles(own, option);
    refuseModules(stack.terraform, own, option);
    const refuse = (rule: string, got: string) => notATree(option, `${got} in ${own}`, rule);
    const understood = understand(allBlocks(stack.terraform), refuse);
    return { ...stack, folder: own, understood, intents: readStackIntents(own) };
  });
  return inOrder(stacks);
}

/** Configuration in HCL is not seen here. */
function refuseForeignFiles(folder: string, option: string): void {
  const hcl = findHcl(folder, option);
  if (hcl !== undefined) {
    const rule = 'must contain only JSON stacks: a rehearsal does not run HCL';
    throw notATree(option, join(folder, hcl), rule);
  }
}

function refuseModules({ blocks }: TerraformStackJson, folder: string, option: string): void {
  const module = [...blocks.values()].find(({ kind }) => kind === 'module');
  if (module === undefined) return;
  const name = `${folder}: module.${module.labels.join('.')}`;
  const rule = 'must contain stacks without modules: a rehearsal does not load any';
  throw notATree(option, name, rule);
}

function allBlocks({ blocks, resources }: TerraformStackJson): StackBlocks {
  const typed = resources.map(({ address, kind, type, body }) => {
    const name = address.slice(address.indexOf(`${type}.`) + type.length + 1);
    return [address, { kind, labels: [type, name], body }] as const;
  });
  return new Map([...blocks, ...typed]);
}

function inOrder(stacks: readonly RehearsedStack[]): RehearsedStack[] {
  const ordered = new Set<RehearsedStack>();
  // No manifest has a circle.
  const visit = (stack: RehearsedStack) => {
    for (const name of stack.dependencies ?? []) {
      const other = stacks.find((one) => one.name === name);
      if (other !== undefined) visit(other);
    }
    ordered.add(stack);
  };
  for (const stack of stacks) visit(stack);
  return [...ordered];
}
