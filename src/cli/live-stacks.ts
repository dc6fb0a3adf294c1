import { join } from 'node:path';
import { readOwnState } from '../adopt/own-state.js';
import { openStackFolder } from '../adopt/plan-stack.js';
import { type LiveStack, readLiveStack } from '../live/live-stack.js';
import { withStackCloud } from '../live/stack-cloud.js';
import { withWaitNotice } from '../progress/waiting.js';
import { type Json, object } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import { initialize } from '../terraform/commands.js';

/**
 * Reads from the cloud what the states of stacks name, and what else acts on it, with the credentials
 * of each stack's provider. No call of it writes.
 *
 * @param tree the folder in which the stacks were synthesized
 * @throws ConnectivityError `cloud.unreadable`, `deploy.state`
 */
export async function readLiveStacks(
  tree: string,
  stacks: readonly SynthesizedStack[],
  maxReads: number,
): Promise<LiveStack[]> {
  const states = new Map<SynthesizedStack, Json>();
  for (const stack of stacks) states.set(stack, await readState(tree, stack));
  const read: LiveStack[] = [];
  for (const [stack, state] of states) {
    const others = [...states.values()].filter((one) => one !== state);
    read.push(
      await withWaitNotice(`the cloud of ${stack.name}`, () =>
        withStackCloud(stack.terraform, `the cloud of ${stack.name}`, (cloud) =>
          readLiveStack(cloud, stack, state, maxReads, others),
        ),
      ),
    );
  }
  return read;
}

async function readState(tree: string, { name }: SynthesizedStack): Promise<Json> {
  const folder = openStackFolder(join(tree, 'stacks', name), '1m');
  await withWaitNotice(`the state of ${name}`, () => initialize(folder));
  return object(await readOwnState(folder));
}
