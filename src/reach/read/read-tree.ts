import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AccessFile, accessFileSchema } from '../../access/access-file.js';
import { issueText } from '../../codes/issue-text.js';
import { listFolder, notATree, object, readJson } from './json.js';
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
  /** True if read from a cloud or a state: what is only stated is not open there. */
  readonly isFound?: true;
}

/** Stacks by name. */
export type SynthesizedTree = ReadonlyMap<string, SynthesizedStack>;

/**
 * Reads what `cdktf synth` wrote. An empty folder is a tree without stacks: the base of a first
 * pull request.
 *
 * @throws ConnectivityError `review.tree`
 */
export function readTree(folder: string, option: string): SynthesizedTree {
  if (!isFolder(folder)) {
    throw notATree(option, folder, 'must be a folder that `cdktf synth --output` wrote');
  }
  const stacks = join(folder, 'stacks');
  if (!existsSync(stacks)) {
    if (listFolder(folder, option).length === 0) return new Map();
    throw notATree(option, folder, 'must hold a folder `stacks`, or nothing at all');
  }
  checkManifest(folder, option);
  const names = listFolder(stacks, option).filter((name) => isFolder(join(stacks, name)));
  return new Map(names.map((name) => [name, readStack(join(stacks, name), name, option, folder)]));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** cdktf deploys what the manifest names: a folder elsewhere would not be the one that is reviewed. */
function checkManifest(tree: string, option: string): void {
  const file = join(tree, 'manifest.json');
  if (!existsSync(file)) return;
  for (const [name, entry] of Object.entries(object(object(readJson(file, option, tree)).stacks))) {
    const { workingDirectory, synthesizedStackPath = `stacks/${name}/cdk.tf.json` } = object(entry);
    const isInPlace =
      workingDirectory === `stacks/${name}` &&
      synthesizedStackPath === `stacks/${name}/cdk.tf.json` &&
      existsSync(join(tree, 'stacks', name));
    if (!isInPlace) {
      throw notATree(
        option,
        file,
        `must have the stack ${JSON.stringify(name)} in \`stacks/${name}\``,
      );
    }
  }
}

/** Reads one stack of a tree from its folder. @throws ConnectivityError `review.tree` */
export function readStack(
  folder: string,
  name: string,
  option: string,
  tree: string,
): SynthesizedStack {
  const { blocks, unread } = readStackFolder(folder, option, tree);
  const link = lstatSync(folder).isSymbolicLink()
    ? [
        {
          where: 'folder of the stack',
          why: 'it is a link',
          fingerprint: readlinkSync(folder),
          isOutside: true as const,
        },
      ]
    : [];
  const terraform = toStack(blocks, [...link, ...unread]);
  const accessFile = join(folder, 'access.json');
  if (!existsSync(accessFile)) return { name, terraform };
  const written = readJson(accessFile, option, tree);
  const access = accessFileSchema.safeParse(written, { reportInput: true });
  if (access.success) {
    // A newer version's rules have fields that this one does not know: all of them count.
    const rulesDigest = fingerprint(object(written).rules);
    return { name, terraform, access: access.data, rulesDigest };
  }
  const [problem] = access.error.issues.map((issue) => issueText(issue));
  throw notATree(option, accessFile, `must hold access rules that this version reads; ${problem}`);
}
