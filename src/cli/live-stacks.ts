import { join } from 'node:path';
import { readOwnState } from '../adopt/own-state.js';
import { initialize, openStackFolder } from '../adopt/plan-stack.js';
import { type LiveStack, readLiveStack } from '../live/live-stack.js';
import { withStackCloud } from '../live/stack-cloud.js';
import { withWaitNotice } from '../progress/waiting.js';
import { object } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';

/**
 * Reads from the cloud what the states of stacks name, and what else acts on it, with the credentials
 * of each stack's provider. No call of it writes.
 *
 * @param tree the folder in which the stacks were synthesized
 * @throws ConnectivityError `cloud.unreadable`, `deploy.other-state`, `deploy.state-unreadable`
 */
export async function readLiveStacks(
  tree: string,
  stacks: readonly SynthesizedStack[],
  maxReads: number,
): Promise<LiveStack[]> {
  const read: LiveStack[] = [];
  for (const stack of stacks) {
    read.push(
      await withWaitNotice(`the cloud of ${stack.name}`, () => readOne(tree, stack, maxReads)),
    );
  }
  return read;
}

async function readOne(
  tree: string,
  stack: SynthesizedStack,
  maxReads: number,
): Promise<LiveStack> {
  const folder = openStackFolder(join(tree, 'stacks', stack.name), '1m');
  await initialize(folder);
  const state = object(await readOwnState(folder));
  return await withStackCloud(stack.terraform, `the cloud of ${stack.name}`, (cloud) =>
    readLiveStack(cloud, stack, state, maxReads),
  );
}
