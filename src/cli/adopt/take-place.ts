import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAt, pullState, pushState, type State } from './edit-state.js';
import { dataFolder, runOrThrow, type TerraformFolder } from './terraform-folder.js';

/**
 * Takes an object into the state that was made to replace the one there, which becomes what Terraform
 * calls deposed: the next apply deletes it, after everything that uses it has gone over to the new one.
 * That is the state in which Terraform itself would have ended, had it not been killed.
 *
 * Terraform imports to no address that has an object, so the import goes to a copy of the state without
 * it, and the state is written once: a kill leaves it as it was, or complete.
 *
 * @throws ConnectivityError `terraform.failed`
 */
export async function takePlace(
  stack: TerraformFolder,
  address: string,
  identifier: string,
): Promise<void> {
  const before = await pullState(stack);
  const place = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  try {
    await copyFolder(stack.folder, place);
    const others = before.resources.filter((resource) => !isAt(resource, address));
    const file = join(place, 'terraform.tfstate');
    await writeFile(file, JSON.stringify({ ...before, resources: others }));
    const copy = scratchFolder(stack, place);
    await runOrThrow(copy, ['import', '-input=false', '-no-color', address, identifier]);
    await pushState(stack, mergeStates(before, await pullState(copy), address));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function mergeStates(before: State, imported: State, address: string): State {
  const isHere = (resource: State['resources'][number]) => isAt(resource, address);
  const replaced = before.resources.filter(isHere).flatMap(({ instances }) => instances);
  const deposed = replaced.map((instance) => ({
    ...instance,
    deposed: instance.deposed ?? randomBytes(4).toString('hex'),
  }));
  const resources = imported.resources
    .filter(isHere)
    .map((resource) => ({ ...resource, instances: [...resource.instances, ...deposed] }));
  const others = before.resources.filter((resource) => !isHere(resource));
  return { ...before, resources: [...others, ...resources] };
}

/** Everything that Terraform reads but the state: no backend, and no workspace of one. */
async function copyFolder(folder: string, place: string): Promise<void> {
  const { terraform, ...stack } = JSON.parse(await readFile(join(folder, 'cdk.tf.json'), 'utf8'));
  const { backend: _, cloud: __, ...settings } = terraform ?? {};
  await writeFile(join(place, 'cdk.tf.json'), JSON.stringify({ ...stack, terraform: settings }));
  const data = dataFolder(folder);
  await mkdir(join(place, '.terraform'));
  for (const part of ['providers', 'modules']) {
    const source = join(data, part);
    if (existsSync(source)) await symlink(source, join(place, '.terraform', part), 'junction');
  }
  for (const name of await readdir(folder)) {
    if (!/(\.tf|\.tf\.json|\.tfvars|\.tfvars\.json|\.terraform\.lock\.hcl)$/.test(name)) continue;
    if (name !== 'cdk.tf.json') await copyFile(join(folder, name), join(place, name));
  }
}

function scratchFolder(stack: TerraformFolder, place: string): TerraformFolder {
  const env = { TF_DATA_DIR: join(place, '.terraform'), TF_WORKSPACE: undefined };
  return {
    ...stack,
    folder: place,
    terraform: (args) => stack.terraform(args, { folder: place, env }),
  };
}
