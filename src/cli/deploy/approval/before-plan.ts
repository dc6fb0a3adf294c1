import { existsSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOwnState, type State } from '../../../adopt/own-state.js';
import { readSynthesizedStack } from '../../../adopt/synthesized-stack.js';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { safeText } from '../../../codes/redact.js';
import { shellWord } from '../../../files/escape.js';
import { withWaitNotice } from '../../../progress/waiting.js';
import type { ChangingStack } from '../../../terraform/terraform-folder.js';

/**
 * Checks that a stack may be planned. A step that throws stops the stack: Terraform does not plan it, and
 * `deploy` ends with the status of the error.
 *
 * @param judge judges the stack by its state
 * @returns whether the search for what an interrupted deploy left is still to be made, on the plan itself:
 * where the state is empty, one without a refresh would be the same
 */
export async function beforePlan(
  stack: ChangingStack,
  judge: (state: State) => Promise<void>,
): Promise<boolean> {
  await saveErroredState(stack);
  const state = await readOwnState(stack);
  await judge(state);
  const isEmpty = !(state.resources ?? []).some(({ mode }) => mode === 'managed');
  if (stack.command !== 'apply' || stack.context.adopt === 'off') return false;
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
 * @throws ConnectivityError `deploy.state-in-checkout`
 */
export async function refuseStateInCheckout(stack: ChangingStack): Promise<void> {
  // These CI systems clean the checkout before each job.
  const isCleaned = ['GITHUB_ACTIONS', 'GITLAB_CI'].some((name) => process.env[name] === 'true');
  if (!isCleaned || process.env.CONNECTIVITY_STATE_FOLDER) return;
  const { terraform } = await readSynthesizedStack(stack.folder);
  const local = terraform?.backend?.local;
  if (local === undefined) return;
  const file = resolve(stack.folder, local.path ?? 'terraform.tfstate');
  const inside = relative(stack.context.project, file);
  if (inside.startsWith(`..${sep}`)) return;
  throw new ConnectivityError(
    'deploy.state-in-checkout',
    `the state must not be in the checkout, which the next job cleans, got: ${inside}; set \`state\` to a remote backend, or \`CONNECTIVITY_STATE_FOLDER\` to a folder outside that stays on the runner`,
  );
}

/** The file in which Terraform leaves a state that it could not save. */
const ERRORED_STATE = 'errored.tfstate';

/**
 * Saves the state that an earlier run could not save: without it, Terraform would make everything
 * again that this run made. Terraform refuses a state that is older than the one it would replace.
 *
 * @throws ConnectivityError `deploy.state-unsaved`
 */
async function saveErroredState(stack: ChangingStack): Promise<void> {
  const file = join(stack.folder, ERRORED_STATE);
  if (!existsSync(file)) return;
  const error = await pushErrored(stack, file);
  if (error !== undefined) throw error;
  stack.say(`saved the state of ${stack.name} that an earlier run left in ${file}`);
}

/** Saves what the run that has just ended could not save, as far as the backend is there again. */
export async function saveErroredStateNow(stack: ChangingStack): Promise<void> {
  const file = join(stack.folder, ERRORED_STATE);
  for (const pause of [0, 2_000, 5_000]) {
    if (!existsSync(file)) return;
    await withWaitNotice('the backend, to save the state again', () => sleep(pause));
    const error = await pushErrored(stack, file);
    if (error === undefined) {
      stack.say(`the state of ${stack.name} has now been saved; deploy again`);
    } else if (pause === 5_000) {
      stack.say(`${error.code}: ${error.message}`);
    }
  }
}

async function pushErrored({ name, folder, lockTimeout, terraform }: ChangingStack, file: string) {
  const lock = `-lock-timeout=${lockTimeout}`;
  const { status, stderr } = await terraform(['state', 'push', lock, ERRORED_STATE]);
  if (status === 0) {
    rmSync(file);
    return undefined;
  }
  return new ConnectivityError(
    'deploy.state-unsaved',
    `${file} holds what a run of ${name} created, and it could not be saved: ${safeText(stderr)}; keep the file. When the backend accepts states again, deploy from this folder, or: terraform -chdir=${shellWord(folder)} state push ${ERRORED_STATE}`,
  );
}
