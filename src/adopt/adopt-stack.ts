import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { forgetObjects, importObject, initialize } from '../terraform/commands.js';
import type { ChangingStack, TerraformFolder } from '../terraform/terraform-folder.js';
import { findGone, isRecognizable, isUnsettled, type LeftBehind } from './find-left-behind.js';
import { type ImportTarget, readStack } from './import-blocks.js';
import { readOwnState } from './own-state.js';
import { type ManagedObject, openStackFolder, planStack, type StackPlan } from './plan-stack.js';
import {
  type CloudReaders,
  describeFound,
  describeGone,
  describeGoneProblem,
  describeProblems,
  describeRepeated,
  findInCloud,
  openReaders,
  search,
} from './search-cloud.js';
import { saveUnsavedStates } from './unsaved-states.js';
import { verdictOn } from './verdict.js';

interface AdoptOptions {
  /** Objects that are meant where several are found, or none is recognized. */
  readonly chosen: readonly ImportTarget[];
  /** The time to wait for objects that the cloud is still creating. */
  readonly waitMs: number;
  /** Ends the run before the next change. */
  readonly signal?: AbortSignal;
  readonly say: (line: string) => void;
}

/** Opens a stack as a deploy does: what an earlier run could not save is saved, and a state of another stack refused. */
export async function openOwnStack(
  name: string,
  lockTimeout: string,
  say: (line: string) => void,
): Promise<TerraformFolder> {
  const stack = openStackFolder(name, lockTimeout);
  // A folder that is no stack gets an error of its own, in place of Terraform's.
  readStack(stack.folder);
  await initialize(stack);
  await saveUnsavedStates({ ...stack, say });
  await readOwnState(stack);
  return stack;
}

/** Each round makes known what the objects of the next refer to; no stack has a longer chain. */
const MAX_ROUNDS = 8;
const POLL_MS = 2000;

/**
 * Imports objects that an interrupted deploy left in the cloud, if they can be identified, and removes
 * deleted ones from the state.
 *
 * @returns how many objects were imported, and how many removed
 * @throws ConnectivityError `adopt.needed`, after everything else is adopted
 */
export async function adoptStack(stack: TerraformFolder, options: AdoptOptions) {
  const done = { adopted: 0, forgotten: 0 };
  const problems: string[] = [];
  const taken = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    options.signal?.throwIfAborted();
    const plan = await planStack(stack);
    const readers = openReaders(plan);
    try {
      if (round === 0) {
        const gone = await forgetGone(stack, plan, readers, options);
        problems.push(...gone.problems);
        done.forgotten = gone.forgotten;
        if (done.forgotten > 0) continue;
      }
      const chosen = options.chosen.filter(({ address }) => !taken.has(address));
      const found = await findInCloud(plan, readers, chosen);
      const verdicts = found.map((one) => verdictOn(one, options.chosen));
      const clear = verdicts.filter((verdict) => verdict.kind === 'adopt');
      for (const { found: left, identifier } of clear) {
        await untilSettled(readers, left, identifier, options);
        options.signal?.throwIfAborted();
        await importObject(stack, left.create.address, identifier);
        options.say(describeFound(left, identifier));
        taken.add(left.create.address);
        done.adopted += 1;
      }
      const mayFindMore = clear.length > 0 && !plan.creates.every(isRecognizable);
      if (!mayFindMore) {
        problems.push(...describeProblems(verdicts, stack));
        if (problems.length === 0) return done;
        throw new ConnectivityError('adopt.needed', problems.join('\n'));
      }
    } finally {
      await readers.close();
    }
  }
  return done;
}

/**
 * Takes objects that the plan deletes and the cloud has no more out of the state, and describes those
 * that are left in it: Terraform forgets all objects of an address, or none.
 */
async function forgetGone(
  stack: TerraformFolder,
  plan: StackPlan,
  { readerOf }: CloudReaders,
  { say }: AdoptOptions,
) {
  const gone = await findGone(plan, readerOf, true);
  const beside = ({ address }: ManagedObject) =>
    plan.managed.filter((one) => one.address === address && !gone.includes(one));
  const forgotten = gone.filter((one) => one.isDeleted && beside(one).length === 0);
  const addresses = new Set(forgotten.map(({ address }) => address));
  if (addresses.size > 0) await forgetObjects(stack, [...addresses]);
  for (const one of forgotten) say(describeGone(one));
  const kept = gone.filter((one) => !forgotten.includes(one));
  const problems = kept.map((one) => describeGoneProblem(one, beside(one), stack));
  return { forgotten: forgotten.length, problems };
}

async function untilSettled(
  readers: CloudReaders,
  { create }: LeftBehind,
  identifier: string,
  { waitMs, say, signal }: AdoptOptions,
): Promise<void> {
  const reader = await readers.readerOf(create.provider);
  const deadline = Date.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const object = await reader.get(create.row.cloudType, identifier);
    if (object === undefined || !isUnsettled(object)) return;
    if (Date.now() > deadline) {
      throw new ConnectivityError(
        'adopt.needed',
        `${create.address}: the cloud is still creating ${identifier} after ${waitMs / 1000} s; run secure-connectivity adopt again later`,
      );
    }
    if (isFirst) say(`${create.address}: waiting for ${identifier}, which is being created`);
    await sleep(POLL_MS, undefined, { ...(signal && { signal }) });
  }
}

/** The time that a deploy waits for what the cloud is still creating. */
const DEPLOY_WAIT_MS = 300_000;

/**
 * Stops where a deploy would make again what an interrupted one left in the cloud, or adopts it where
 * the user wants that.
 *
 * @throws ConnectivityError `adopt.needed`, `deploy.state-locked`,
 * `cloud.unreadable`
 */
export async function stopOrAdoptLeftBehind(stack: ChangingStack): Promise<void> {
  try {
    if (stack.context.adopt === 'auto') {
      const say = (line: string) => stack.say(`adopted: ${line}`);
      const { signal } = stack;
      const waiting = { waitMs: DEPLOY_WAIT_MS, ...(signal && { signal }) };
      await adoptStack(stack, { chosen: [], ...waiting, say });
      return;
    }
    const plan = await planStack(stack, stack.planFile);
    if (plan.creates.length === 0 && !plan.managed.some(({ isDeleted }) => isDeleted)) return;
    const { found, gone } = await search(plan, []);
    const lines = [...found.map(describeRepeated), ...gone.map(describeGone)];
    if (lines.length === 0) return;
    throw new ConnectivityError(
      'adopt.needed',
      `an interrupted deploy of ${stack.name} left objects in the cloud that this one would create again, or in the state that it cannot delete; nothing was changed:\n${lines.map((line) => `  ${line}`).join('\n')}\nRepair the state with: secure-connectivity adopt ${stack.name}`,
    );
  } catch (error) {
    // A plan that fails here fails in the deploy as well, which shows all that Terraform says.
    const isShown = stack.planFile === undefined;
    if (isShown && error instanceof ConnectivityError && error.code === 'terraform.failed') return;
    throw error;
  }
}
