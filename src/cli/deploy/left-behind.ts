import { ConnectivityError } from '../../codes/connectivity-error.js';
import { adoptStack } from '../adopt/adopt-stack.js';
import {
  type CloudSearch,
  describeFound,
  describeGone,
  describeOrphan,
  searchBeforeDeploy,
} from '../adopt/search-cloud.js';
import type { ChangingStack } from './run-terraform.js';

/** How long a deploy waits for what the cloud is still creating. */
const WAIT_MS = 300_000;

/**
 * Stops where the deploy would make again what an interrupted one left in the cloud, or adopts it
 * where the user wants that.
 *
 * @throws ConnectivityError `adopt.left-behind`, `adopt.ambiguous`, `deploy.state-locked`,
 * `cloud.unreadable`
 */
export async function heedLeftBehind(stack: ChangingStack): Promise<void> {
  const { adopt } = stack.context;
  if (stack.command !== 'apply' || adopt === 'off') return;
  const note = (line: string) => stack.say(`note: ${line}`);
  try {
    if (adopt === 'auto') {
      const say = (line: string) => stack.say(`adopted: ${line}`);
      const cautious = { chosen: [], withDifferences: false, forgetGone: false };
      await adoptStack(stack, { ...cautious, waitMs: WAIT_MS, say, note });
      return;
    }
    const result = await searchBeforeDeploy(stack);
    for (const orphan of result.orphans) note(describeOrphan(orphan));
    if (result.found.length + result.gone.length > 0) throw leftBehind(stack, result);
  } catch (error) {
    // A plan that fails here fails in the deploy as well, which shows all that Terraform says.
    if (error instanceof ConnectivityError && error.code === 'terraform.failed') return;
    throw error;
  }
}

function leftBehind({ name }: ChangingStack, { found, gone }: CloudSearch): ConnectivityError {
  const lines = [
    ...found.map((one) => describeFound(one, one.objects[0]?.identifier ?? '')),
    ...gone.map(describeGone),
  ];
  return new ConnectivityError(
    'adopt.left-behind',
    `an interrupted deploy of ${name} left objects in the cloud that this one would create again, or in the state that it cannot delete; nothing was changed:\n${lines.map((line) => `  ${line}`).join('\n')}\nRepair the state with: secure-connectivity adopt ${name}`,
  );
}
