import { readOwnState } from '../../../adopt/own-state.js';
import { privatelinkEndpointService } from '../../../cloud/table/privatelink.js';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { managedObjects } from '../../../live/live-stack.js';
import { withStackCloud } from '../../../live/stack-cloud.js';
import { describeWaiting, readWaiting } from '../../../live/waiting-connections.js';
import { object } from '../../../reach/read/json.js';
import { readTerraform } from '../../../reach/read/terraform-json.js';
import { readStackFile } from '../../../terraform/configuration-files.js';
import type { ChangingStack } from '../../../terraform/terraform-folder.js';

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
