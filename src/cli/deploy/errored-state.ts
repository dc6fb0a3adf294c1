import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { shellWord } from '../../files/shell-word.js';
import { sayingWhile } from '../program/waiting.js';
import type { ChangingStack } from './changing-stack.js';

/** Where Terraform leaves the state that it could not save. */
const ERRORED_STATE = 'errored.tfstate';

/**
 * Saves the state that an earlier run could not save: without it, Terraform would make everything
 * again that this run made. Terraform refuses a state that is older than the one it would replace.
 *
 * @throws ConnectivityError `deploy.state-unsaved`
 */
export async function saveErroredState(stack: ChangingStack): Promise<void> {
  const file = join(stack.folder, ERRORED_STATE);
  if (!existsSync(file)) return;
  const problem = await push(stack);
  if (problem !== undefined) throw unsaved(stack, file, problem);
  stack.say(`saved the state of ${stack.name} that an earlier run had left in ${file}`);
}

/** Saves what the run that has just ended could not save, as far as the backend is there again. */
export async function saveErroredStateNow(stack: ChangingStack): Promise<void> {
  const file = join(stack.folder, ERRORED_STATE);
  for (const pause of [0, 2_000, 5_000]) {
    if (!existsSync(file)) return;
    await sayingWhile('the backend, to save the state again', () => sleep(pause));
    const problem = await push(stack);
    if (problem === undefined) {
      stack.say(`the state of ${stack.name} is saved now, at a later attempt; deploy it again`);
    } else if (pause === 5_000) {
      const { code, message } = unsaved(stack, file, problem);
      stack.say(`${code}: ${message}`);
    }
  }
}

async function push({ folder, context, terraform }: ChangingStack): Promise<string | undefined> {
  const { status, stderr } = await terraform([
    'state',
    'push',
    `-lock-timeout=${context.lockTimeout}`,
    ERRORED_STATE,
  ]);
  if (status !== 0) return safeText(stderr);
  rmSync(join(folder, ERRORED_STATE));
  return undefined;
}

function unsaved(
  { name, folder }: ChangingStack,
  file: string,
  problem: string,
): ConnectivityError {
  return new ConnectivityError(
    'deploy.state-unsaved',
    `${file} holds what a run of ${name} has made, and cannot be saved: ${problem}; keep the file. When the backend takes states again, deploy from this folder, or: terraform -chdir=${shellWord(folder)} state push ${ERRORED_STATE}`,
  );
}
