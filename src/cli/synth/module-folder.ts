import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { asObject } from '../../files/json.js';
import { readJsonFile } from '../../files/json-text.js';
import { stackFile } from '../../terraform/configuration-files.js';
import { moduleFiles } from './module-files.js';
import { inDraft } from './out-folder.js';

/** Names the access rules of a stack, beside its Terraform. */
const ACCESS = 'access.json';

/** The file that is in every module, and first of those by which it is known. */
const MAIN = 'main.tf.json';

/**
 * Writes a folder that roots call as a module, whole or not at all.
 *
 * @param synth writes the tree of the one stack that the module is made of
 * @throws ConnectivityError `usage.invalid` where the folder holds what is not ours
 */
export function writeModule(folder: string, synth: (tree: string) => void): Promise<void> {
  return inDraft(folder, {
    requireOwn: (path) => requireOwn(path, folder),
    make: async (draft) => {
      const tree = join(draft, 'tree');
      mkdirSync(tree);
      synth(tree);
      const stacks = join(tree, 'stacks');
      for (const name of readdirSync(stacks)) {
        const stack = join(stacks, name);
        const json = asObject(readJsonFile(stackFile(stack))) ?? {};
        for (const [file, text] of moduleFiles(json, basename(resolve(folder)))) {
          await writeFile(join(draft, file), text);
        }
        copyFileSync(join(stack, ACCESS), join(draft, ACCESS));
      }
      rmSync(tree, { recursive: true });
    },
    replace: (path, draft) => {
      if (!existsSync(path)) return renameSync(draft, path);
      for (const file of readdirSync(draft)) renameSync(join(draft, file), join(path, file));
    },
  });
}

const OWN = [MAIN, 'versions.tf.json', 'variables.tf.json', 'outputs.tf.json', ACCESS, 'README.md'];

function requireOwn(path: string, folder: string): void {
  if (!existsSync(path)) return;
  const entries = readdirSync(path).filter((entry) => !entry.startsWith('.terraform'));
  const [foreign] = entries.filter((entry) => !OWN.includes(entry) || !entries.includes(MAIN));
  if (foreign === undefined) return;
  throw usageError(
    `\`--module\` must be a new folder, or one that this command wrote, got: "${folder}", which holds ${foreign}`,
  );
}
