import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AccessFile, accessFileSchema } from '../../access/access-file.js';
import { issueText } from '../../codes/issue-text.js';
import { readManifest, requireStackFolder } from '../../terraform/manifest.js';
import { listFolder, notATree, readJson } from '../../terraform/tree-files.js';
import { list, object } from './json.js';
import { readStackFolder } from './stack-folder.js';
import { fingerprint, type TerraformStackJson, toStack } from './terraform-json.js';

/** One stack of a synthesized tree. */
export interface SynthesizedStack {
  readonly name: string;
  readonly terraform: TerraformStackJson;
  /** Absent where no access rules were written: a stack that is not made with this package. */
  readonly access?: AccessFile;
  /** SHA-256, hexadecimal, of the access rules as they are written. */
  readonly rulesDigest?: string;
  /** Stacks that a deploy of the tree changes before it; absent where no manifest says so. */
  readonly dependencies?: readonly string[];
  /** True if the tree has a manifest that does not name it: a deploy leaves it out. */
  readonly isUnnamed?: true;
  /** True if read from a cloud, a state or a plan: what is only stated is not open there. */
  readonly isFound?: true;
}

/** Stacks by name. */
export type SynthesizedTree = ReadonlyMap<string, SynthesizedStack>;

/**
 * Reads what `synth` wrote. An empty folder is a tree without stacks: the base of a first
 * pull request.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readTree(folder: string, option: string): SynthesizedTree {
  if (!isFolder(folder)) {
    throw notATree(option, folder, 'must be a folder that `secure-connectivity synth --out` wrote');
  }
  const stacks = join(folder, 'stacks');
  if (!existsSync(stacks)) {
    if (listFolder(folder, option).length === 0) return new Map();
    throw notATree(option, folder, 'must hold a folder `stacks`, or nothing at all');
  }
  const manifest = readManifest(folder, option);
  const named = new Map(manifest?.map(({ name, dependencies }) => [name, dependencies]));
  const names = listFolder(stacks, option).filter(
    (name) => !lstatSync(join(stacks, name)).isFile(),
  );
  return new Map(
    names.map((name) => {
      const own = join(stacks, name);
      requireStackFolder(own, option);
      const stack = readStack(own, name, option, folder);
      if (manifest === undefined) return [name, stack];
      const dependencies = named.get(name);
      return [name, { ...stack, ...(dependencies ? { dependencies } : { isUnnamed: true }) }];
    }),
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Reads one stack of a tree from its folder. @throws ConnectivityError `usage.invalid` */
export function readStack(
  folder: string,
  name: string,
  option: string,
  tree: string,
): SynthesizedStack {
  const { blocks, unread } = readStackFolder(folder, option, tree);
  const terraform = toStack(blocks, unread);
  const accessFile = join(folder, 'access.json');
  if (!existsSync(accessFile)) return { name, terraform };
  const written = readJson(accessFile, option, tree);
  const access = accessFileSchema.safeParse(written, { reportInput: true });
  if (access.success) {
    // A newer version's rules have fields that this one does not know: all of them count.
    const rules = list(object(written).rules).map(object);
    const rulesDigest = fingerprint(rules.map(({ carriers: _, ...rule }) => rule));
    return { name, terraform, access: access.data, rulesDigest };
  }
  const [problem] = access.error.issues.map((issue) => issueText(issue));
  throw notATree(option, accessFile, `must hold access rules that this version reads; ${problem}`);
}
