import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { type TerraformFolder, terraformFolder } from '../terraform/terraform-folder.js';
import { dataFolder, inScratchFolder, runOrThrow } from './plan-stack.js';
import { readSynthesizedStack } from './synthesized-stack.js';

const resourceSchema = z.looseObject({
  module: z.string().optional(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  instances: z.array(z.looseObject({ deposed: z.string().optional() })),
});

const stateSchema = z.looseObject({
  version: z.literal(4),
  serial: z.number(),
  resources: z.array(resourceSchema),
});

/** A state as Terraform keeps it; what is not named here stays as it is. */
type State = z.infer<typeof stateSchema>;

/** @throws ConnectivityError `terraform.failed` */
async function pullState(stack: TerraformFolder): Promise<State> {
  const read = stateSchema.safeParse(JSON.parse(await runOrThrow(stack, ['state', 'pull'])));
  if (read.success) return read.data;
  throw new ConnectivityError(
    'terraform.failed',
    `the state of ${stack.name} must be of version 4 to be changed, got another form of \`${read.error.issues[0]?.path.join('.')}\``,
  );
}

/**
 * Writes a state that was pulled and changed. Terraform refuses it where another run has written the
 * state in the meantime.
 *
 * @throws ConnectivityError `terraform.failed`
 */
async function pushState(stack: TerraformFolder, state: State): Promise<void> {
  await inScratchFolder(async (place) => {
    const file = join(place, 'state');
    await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));
    await runOrThrow(stack, ['state', 'push', `-lock-timeout=${stack.lockTimeout}`, file]);
  });
}

/** Takes objects out of the state, and leaves the cloud as it is. */
export async function forgetObjects(
  stack: TerraformFolder,
  places: readonly { readonly address: string; readonly deposed?: string | undefined }[],
): Promise<void> {
  const state = await pullState(stack);
  const resources = state.resources.map((resource) => ({
    ...resource,
    instances: resource.instances.filter(
      ({ deposed }) =>
        !places.some((place) => place.deposed === deposed && isAt(resource, place.address)),
    ),
  }));
  const kept = resources.filter(({ instances }) => instances.length > 0);
  await pushState(stack, { ...state, resources: kept });
}

/** Tells whether a resource of the state is at an address of the root module. */
function isAt({ module, mode, type, name }: State['resources'][number], address: string): boolean {
  return module === undefined && mode === 'managed' && `${type}.${name}` === address;
}

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
export async function replaceInState(stack: TerraformFolder, address: string, identifier: string) {
  const before = await pullState(stack);
  await inScratchFolder(async (place) => {
    await copyFolder(stack.folder, place);
    const others = before.resources.filter((resource) => !isAt(resource, address));
    const file = join(place, 'terraform.tfstate');
    await writeFile(file, JSON.stringify({ ...before, resources: others }));
    const env = { TF_DATA_DIR: join(place, '.terraform'), TF_WORKSPACE: undefined };
    const own = terraformFolder(place, stack.program, stack.lockTimeout, env);
    const copy: TerraformFolder = { ...own, name: stack.name };
    await runOrThrow(copy, ['import', '-input=false', '-no-color', address, identifier]);
    await pushState(stack, mergeStates(before, await pullState(copy), address));
  });
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
  const { terraform, ...stack } = await readSynthesizedStack(folder);
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
