import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';
import { digest, OVERRIDE_FILE, overridingBlocks, sandboxState } from './sandbox-backend.js';

/** What Terraform writes beside a stack, and a sandbox must neither see nor write. */
const TERRAFORMS_OWN = /^\.terraform|\.tfstate\b|^(plan|crash\.log|generated_resources\.tf)$/;

/** A relative path that leads out of the stack's folder: how far up, and what is named there. */
const PATH_ABOVE = /((?:\.\.\/)+)([^/"'\s${}]+)/g;

/**
 * Makes a folder of the sandbox in which Terraform runs in place of the stack's own, and answers its
 * path. It holds links to what the stack's folder holds, without `.terraform`, lock file and states,
 * and a file that overrides the backend. The folders above it hold links to what relative paths of the
 * configuration and of the arguments name, so that these lead where they lead from the stack's folder.
 */
export function makeWorkingFolder(
  folder: string,
  terraformFolder: string,
  args: readonly string[] = [],
): string {
  const stack = realpathSync(folder);
  const name = digest(`${stack}\n${sandboxState(stack, terraformFolder)}`);
  const root = join(terraformFolder, 'stacks', name);
  const working = join(root, stack);
  mkdirSync(working, { recursive: true });
  // A link to the sandbox's own folder would lead whoever follows links round in a circle.
  const isLinked = (entry: string) =>
    !TERRAFORMS_OWN.test(entry) &&
    entry !== OVERRIDE_FILE &&
    !`${terraformFolder}${sep}`.startsWith(`${join(stack, entry)}${sep}`);
  link(stack, working, isLinked);
  linkPathsAbove(stack, root, args);
  const blocks = overridingBlocks(stack, terraformFolder);
  writeWhole(join(working, OVERRIDE_FILE), `${JSON.stringify(blocks, null, 2)}\n`, {
    isDurable: false,
  });
  return working;
}

function linkPathsAbove(stack: string, root: string, args: readonly string[]): void {
  const texts = readdirSync(stack)
    .filter((name) => /\.(tf|tofu)(\.json)?$|\.tfvars(\.json)?$/.test(name))
    .map((name) => readFileSync(join(stack, name), 'utf8'));
  for (const text of [...texts, ...args]) {
    for (const [, up = '', entry = ''] of text.matchAll(PATH_ABOVE)) {
      const named = resolve(stack, up, entry);
      // A folder above the stack, or the stack itself, is in the tree already.
      if (`${stack}${sep}`.startsWith(`${named}${sep}`)) continue;
      linkOne(named, join(root, named));
    }
  }
}

function linkOne(target: string, place: string): void {
  try {
    symlinkSync(target, place);
  } catch (error) {
    // It is linked already, or a run of Terraform has made a file of its own there.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Links each entry of the stack's folder, and removes the links to what is no longer there. */
function link(from: string, to: string, isLinked: (entry: string) => boolean): void {
  const wanted = new Set(readdirSync(from).filter(isLinked));
  for (const entry of readdirSync(to)) {
    const place = join(to, entry);
    const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink && !wanted.has(entry)) rmSync(place, { force: true });
  }
  for (const entry of wanted) linkOne(join(from, entry), join(to, entry));
}
