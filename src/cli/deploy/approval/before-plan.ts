import { relative, resolve, sep } from 'node:path';
import { readOwnState } from '../../../adopt/own-state.js';
import { saveUnsavedStates } from '../../../adopt/unsaved-states.js';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { readStackFile } from '../../../terraform/configuration-files.js';
import type { ChangingStack } from '../../../terraform/terraform-folder.js';

/**
 * Checks that a stack may be planned. A step that throws stops the stack: Terraform does not plan it, and
 * `deploy` ends with the status of the error.
 *
 * @returns whether the search for what an interrupted deploy left is still to be made, on the plan itself:
 * where the state is empty, one without a refresh would be the same
 */
export async function beforePlan(stack: ChangingStack): Promise<boolean> {
  await saveUnsavedStates(stack);
  // It must be the stack's own in any case.
  const state = await readOwnState(stack);
  if (stack.command !== 'apply' || stack.context.adopt === 'off') return false;
  const isEmpty = !(state.resources ?? []).some(({ mode }) => mode === 'managed');
  if (isEmpty && stack.context.adopt === 'stop') return true;
  await searchLeftBehind(stack);
  return false;
}

/** Looks for what an interrupted deploy left. @throws ConnectivityError as `stopOrAdoptLeftBehind` does */
export async function searchLeftBehind(stack: ChangingStack): Promise<void> {
  const { stopOrAdoptLeftBehind } = await import('../../../adopt/adopt-stack.js');
  await stopOrAdoptLeftBehind(stack);
}

/**
 * Stops a CI job that keeps the state in its checkout: the next job would find none, and make
 * everything again.
 *
 * @throws ConnectivityError `deploy.state`
 */
export async function refuseStateInCheckout(stack: ChangingStack): Promise<void> {
  // These CI systems clean the checkout before each job.
  const isCleaned = ['GITHUB_ACTIONS', 'GITLAB_CI'].some((name) => process.env[name] === 'true');
  if (!isCleaned || process.env.CONNECTIVITY_STATE_FOLDER) return;
  const { terraform } = readStackFile(stack.folder);
  const local = terraform?.backend?.local;
  if (local === undefined) return;
  const file = resolve(stack.folder, local.path ?? 'terraform.tfstate');
  const inside = relative(stack.context.project, file);
  if (inside.startsWith(`..${sep}`)) return;
  throw new ConnectivityError(
    'deploy.state',
    `the state must not be in the checkout, which the next job cleans, got: ${inside}; set \`state\` to a remote backend, or \`CONNECTIVITY_STATE_FOLDER\` to a folder outside that stays on the runner`,
  );
}
