import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { runOrThrow, type TerraformFolder } from './terraform-folder.js';

const instanceSchema = z.looseObject({
  index_key: z.union([z.string(), z.number()]).optional(),
  deposed: z.string().optional(),
});

const resourceSchema = z.looseObject({
  module: z.string().optional(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  instances: z.array(instanceSchema),
});

const stateSchema = z.looseObject({
  version: z.literal(4),
  serial: z.number(),
  resources: z.array(resourceSchema),
});

/** A state as Terraform keeps it; what is not named here stays as it is. */
export type State = z.infer<typeof stateSchema>;

/** Where the state has an object: at an address, and by a key where Terraform has deposed it. */
interface StatePlace {
  readonly address: string;
  readonly deposed?: string | undefined;
}

/** @throws ConnectivityError `terraform.failed` */
export async function pullState(stack: TerraformFolder): Promise<State> {
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
export async function pushState(stack: TerraformFolder, state: State): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  const file = join(folder, 'state');
  try {
    await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));
    await runOrThrow(stack, ['state', 'push', `-lock-timeout=${stack.lockTimeout}`, file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes objects out of the state, and leaves the cloud as it is. */
export async function forgetObjects(
  stack: TerraformFolder,
  places: readonly StatePlace[],
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

/** Whether a resource of the state is at an address of the root module. */
export function isAt(
  { module, mode, type, name }: State['resources'][number],
  address: string,
): boolean {
  return module === undefined && mode === 'managed' && `${type}.${name}` === address;
}
