import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeTemporaryFolder } from '../files/temporary-folder.js';
import { initialize, runOrThrow } from '../terraform/commands.js';
import {
  findStackFolder,
  readStackFile,
  resourcesByAddress,
} from '../terraform/configuration-files.js';
import { terraformName } from '../terraform/program.js';
import { type TerraformFolder, terraformFolder } from '../terraform/terraform-folder.js';
import { readPlan, type StackPlan } from './read-plan.js';

/** @throws ConnectivityError `usage.invalid` */
export function openStackFolder(stack: string, lockTimeout: string): TerraformFolder {
  const folder = resolve(findStackFolder('<stack>', stack));
  return terraformFolder(folder, terraformName(process.env), lockTimeout);
}

/**
 * Plans a stack by the state alone. The plan is not kept: one without a refresh must not be applied.
 *
 * @param planFile a plan to read in its place, which refreshed nothing
 * @throws ConnectivityError `usage.invalid`, `deploy.state-locked`, `terraform.failed`
 */
export async function planStack(stack: TerraformFolder, planFile?: string): Promise<StackPlan> {
  const resources = [...resourcesByAddress(readStackFile(stack.folder))];
  const ignored = new Map(
    resources.map(([address, { lifecycle }]) => [address, new Set(lifecycle?.ignore_changes)]),
  );
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
