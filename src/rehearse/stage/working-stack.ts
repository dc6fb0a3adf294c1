import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../sandbox/json.js';
import {
  OVERRIDE_FILE,
  overridingBlocks,
  sandboxState,
} from '../../sandbox/terraform/sandbox-backend.js';
import type { RehearsedStack, RehearsedTree } from '../read-trees.js';

/** What Terraform writes into a stack's folder. */
const TERRAFORMS_OWN = /^\.terraform|\.tfstate\b|^(plan|crash\.log)$/;

/** Where a rehearsal, in its folder, keeps a stack. */
export function stackFolder(work: string, name: string): string {
  return join(work, 'stacks', name);
}

/** Where it keeps the stack's state. */
export function stateFile(work: string, name: string): string {
  return join(work, 'states', `${name}.tfstate`);
}

/**
 * Puts a stack into its working folder, in place of what was there: on a state of the rehearsal, and
 * without provisioners, so that no program of a tree is run.
 *
 * @param mayBeDestroyed whether `prevent_destroy` is left out too
 */
export function placeStack(
  work: string,
  stack: RehearsedStack,
  tree: RehearsedTree,
  { mayBeDestroyed = false } = {},
): void {
  const target = stackFolder(work, stack.name);
  clear(target);
  cpSync(stack.folder, target, {
    recursive: true,
    dereference: true,
    filter: (from) => !TERRAFORMS_OWN.test(from.slice(stack.folder.length + 1)),
  });
  for (const name of readdirSync(target).filter((one) => one.endsWith('.tf.json'))) {
    const file = join(target, name);
    const json = JSON.parse(readFileSync(file, 'utf8'), (key, value: Json) => {
      if (key === 'provisioner' || (key === 'prevent_destroy' && mayBeDestroyed)) return undefined;
      return value;
    });
    writeFileSync(file, JSON.stringify(json));
  }
  const override = JSON.stringify(ownStates(work, stack, tree));
  writeFileSync(join(target, OVERRIDE_FILE), override);
}

/** What `terraform init` wrote: the providers of a stack stay initialized, and locked. */
const INITIALIZED = ['.terraform', '.terraform.lock.hcl'];

function clear(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => !INITIALIZED.includes(one))) {
    rmSync(join(folder, name), { recursive: true });
  }
}

/** The backend of a stack, and of each stack of the tree whose state it reads. */
function ownStates(work: string, stack: RehearsedStack, tree: RehearsedTree): JsonObject {
  const names = new Map(
    tree.map(({ folder, name }) => [sandboxState(folder, work), stateFile(work, name)]),
  );
  const { data } = overridingBlocks(stack.folder, work);
  const read: unknown = JSON.parse(JSON.stringify(data ?? {}), (key, value: Json) =>
    key === 'path' && typeof value === 'string' ? (names.get(value) ?? value) : value,
  );
  const path = stateFile(work, stack.name);
  return {
    terraform: { backend: { local: { path } } },
    ...(isObject(read) && Object.keys(read).length > 0 && { data: read }),
  };
}
