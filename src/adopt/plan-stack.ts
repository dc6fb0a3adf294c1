import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { makeTemporaryFolder } from '../files/temporary-folder.js';
import { terraformName } from '../terraform/program.js';
import {
  refuseLockedState,
  type TerraformFolder,
  terraformFolder,
} from '../terraform/terraform-folder.js';
import { readPlan, type StackPlan } from './read-plan.js';
import { readSynthesizedStack, resourcesByAddress } from './synthesized-stack.js';

/**
 * Finds the folder of a synthesized stack.
 *
 * @param stack its name, or the folder itself
 * @throws ConnectivityError `usage.invalid`
 */
export function findStackFolder(stack: string): string {
  const folders = [join('cdktf.out', 'stacks', stack), stack];
  const folder = folders.find((one) => existsSync(join(one, 'cdk.tf.json')));
  if (folder === undefined) {
    throw usageError(
      `\`<stack>\` must be the name of a stack in cdktf.out/stacks, or a folder with a cdk.tf.json, got: "${stack}"; run secure-connectivity synth`,
    );
  }
  return resolve(folder);
}

/** @throws ConnectivityError `usage.invalid` */
export function openStackFolder(stack: string, lockTimeout: string): TerraformFolder {
  return terraformFolder(findStackFolder(stack), terraformName(process.env), lockTimeout);
}

/**
 * Plans a stack by the state alone. The plan is not kept: one without a refresh must not be applied.
 *
 * @param planFile a plan to read in its place, which refreshed nothing
 * @throws ConnectivityError `usage.invalid`, `deploy.state-locked`, `terraform.failed`
 */
export async function planStack(stack: TerraformFolder, planFile?: string): Promise<StackPlan> {
  const ignored = await readIgnoredChanges(stack.folder);
  const read = async (file: string) =>
    readPlan(await runOrThrow(stack, ['show', '-json', file]), stack.name, ignored);
  if (planFile !== undefined) return read(planFile);
  await initialize(stack);
  const place = makeTemporaryFolder('adopt');
  try {
    const file = join(place, 'plan');
    const lock = `-lock-timeout=${stack.lockTimeout}`;
    const flags = ['-refresh=false', '-input=false', '-no-color', lock, `-out=${file}`];
    await runOrThrow(stack, ['plan', ...flags, ...(stack.planArguments ?? [])]);
    return await read(file);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** @throws ConnectivityError `deploy.state-locked`, `terraform.failed` */
export async function initialize(stack: TerraformFolder): Promise<void> {
  const data = resolve(stack.folder, process.env.TF_DATA_DIR || '.terraform');
  if (stack.isInitialized || existsSync(data)) return;
  await runOrThrow(stack, ['init', '-input=false', '-no-color']);
}

/** @throws ConnectivityError `terraform.failed` */
export async function importObject(stack: TerraformFolder, address: string, identifier: string) {
  const lock = `-lock-timeout=${stack.lockTimeout}`;
  await runOrThrow(stack, ['import', '-input=false', '-no-color', lock, address, identifier]);
}

/** Takes objects out of the state, and leaves the cloud as it is. @throws ConnectivityError `terraform.failed` */
export async function forgetObjects(stack: TerraformFolder, addresses: readonly string[]) {
  const lock = `-lock-timeout=${stack.lockTimeout}`;
  await runOrThrow(stack, ['state', 'rm', '-no-color', lock, ...addresses]);
}

/** @throws ConnectivityError `usage.invalid` */
async function readIgnoredChanges(folder: string): Promise<Map<string, Set<string>>> {
  try {
    const resources = [...resourcesByAddress(await readSynthesizedStack(folder))];
    return new Map(
      resources.map(([address, { lifecycle }]) => [address, new Set(lifecycle?.ignore_changes)]),
    );
  } catch (cause) {
    throw usageError(
      `\`<stack>\` must be a stack that cdktf has synthesized, got: ${join(folder, 'cdk.tf.json')}, which is not JSON; run secure-connectivity synth`,
      cause,
    );
  }
}

/** @throws ConnectivityError `deploy.state-locked`, `terraform.failed` */
export async function runOrThrow(stack: TerraformFolder, args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await stack.terraform(args);
  if (status === 0) return stdout;
  refuseLockedState(stack, stderr);
  throw new ConnectivityError(
    'terraform.failed',
    `terraform ${args[0]} of ${stack.name} ended with ${status}: ${safeText(stderr)}`,
  );
}
