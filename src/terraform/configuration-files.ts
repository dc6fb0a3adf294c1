import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The file that a synthesis writes for each stack. */
const STACK_FILE = 'cdk.tf.json';

const CONFIGURATION = /\.(tf|tofu)(\.json)?$|\.tfvars(\.json)?$/;

/** Tells whether Terraform would load a file beside a stack's own. @param name without its folder */
export function isMoreConfiguration(name: string): boolean {
  return CONFIGURATION.test(name) && name !== STACK_FILE;
}

/** Lists what Terraform would load in a tree beside the stacks' own files, by path, with the time of its last change. */
export function moreConfiguration(tree: string): ReadonlyMap<string, bigint> {
  const stacks = join(tree, 'stacks');
  if (!existsSync(stacks)) return new Map();
  const folders = readdirSync(stacks).map((name) => join(stacks, name));
  return new Map(
    folders
      .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      .flatMap((folder) =>
        readdirSync(folder)
          .filter(isMoreConfiguration)
          .map((name) => join(folder, name)),
      )
      .map((file) => [
        file,
        statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs ?? 0n,
      ]),
  );
}
