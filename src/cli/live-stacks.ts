import { join } from 'node:path';
import { readOwnState } from '../adopt/own-state.js';
import { openStackFolder } from '../adopt/plan-stack.js';
import { privatelinkEndpointService } from '../cloud/table/privatelink.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { type LiveStack, managedObjects, readLiveStack } from '../live/live-stack.js';
import { withStackCloud } from '../live/stack-cloud.js';
import { describeWaiting, readWaiting } from '../live/waiting-connections.js';
import { withWaitNotice } from '../progress/waiting.js';
import { type Json, object } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import { readTerraform } from '../reach/read/terraform-json.js';
import { initialize } from '../terraform/commands.js';
import { readStackFile } from '../terraform/configuration-files.js';
import type { ChangingStack } from '../terraform/terraform-folder.js';

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

/**
 * Says which connections wait for the endpoint services of a stack that was deployed. Where they cannot
 * be read, it says that: the deploy is done, and does not fail for it.
 */
export async function sayWaitingConnections(stack: ChangingStack): Promise<void> {
  try {
    for (const line of await readLines(stack)) stack.say(line);
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    stack.say(`connections that wait for ${stack.name} are not shown: ${error.message}`);
  }
}

async function readLines(stack: ChangingStack): Promise<string[]> {
  const terraform = readTerraform(object(readStackFile(stack.folder)));
  const { type, cloudType } = privatelinkEndpointService;
  if (!terraform.resources.some((one) => one.type === type)) return [];
  const objects = managedObjects(object(await readOwnState(stack)));
  const services = objects.filter((one) => one.cloudType === cloudType);
  const ids = services.map(({ identifier }) => identifier);
  const waiting = await withStackCloud(terraform, 'waiting connections', (cloud) =>
    readWaiting(cloud, ids),
  );
  return waiting.map(describeWaiting);
}
