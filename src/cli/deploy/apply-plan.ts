import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { keepUnsavedState } from '../../adopt/unsaved-states.js';
import { usageError } from '../../codes/connectivity-error.js';
import { recordWorker, temporaryFolderError } from '../../files/temporary-folder.js';
import {
  type ChangingStack,
  refuseLockedState,
  terraformCommand,
} from '../../terraform/terraform-folder.js';
import {
  CHECK_STATUS_VARIABLE,
  handKeyToCheck,
  makeCheckStatusFile,
  readCheckStatus,
} from '../program/check-files.js';
import {
  type ChangeRun,
  endOf,
  runOnStack,
  SIGNALLED,
  type StackChange,
  type TerraformEnd,
  workspaceOf,
} from './change-run.js';
import { splitTerraformWords } from './terraform/terraform-words.js';

export const NO_CHANGES = 0;
export const CHANGES = 2;

/**
 * Plans a stack; its status is that of `-detailed-exitcode`.
 *
 * @throws ConnectivityError `usage.invalid` where it imports what it does not have
 */
export async function planChange(
  run: ChangeRun,
  change: StackChange,
  planFile: string,
  { isShown = true } = {},
): Promise<TerraformEnd> {
  const words = splitTerraformWords(run.verb, run.context.lockTimeout, run.env);
  const generated = `${planFile}.tf`;
  const args = [
    ...['plan', '-input=false', '-detailed-exitcode', `-out=${planFile}`],
    ...(run.verb === 'destroy' ? ['-destroy'] : []),
    ...(change.facts.hasImports ? [`-generate-config-out=${generated}`] : []),
    ...[...words.waiting.plan, ...run.planArguments, ...run.runArguments],
  ];
  const shown = isShown ? { output: change.output } : {};
  const plan = await runOnStack(run, change, args, { ...shown, env: words.env });
  if (!existsSync(generated)) return plan;
  const text = readFileSync(generated, 'utf8').trimEnd();
  throw usageError(
    `${change.stack.name} must have the resources that it imports, got: an import without one; nothing was changed. Terraform would write it so; add it to the stack, and deploy again:\n${text}`,
  );
}

/** The end of an apply, with the exit status of its check; undefined where none ran. */
export type Applied = TerraformEnd & { readonly checked: number | undefined };

export async function applyPlan(
  run: ChangeRun,
  change: StackChange,
  planFile: string,
): Promise<Applied> {
  const words = splitTerraformWords(run.verb, run.context.lockTimeout, run.env);
  const statusFile = `${planFile}.check`;
  const keyFile = `${planFile}.key`;
  const forCheck = makeFiles(statusFile, keyFile);
  const args = [
    ...['apply', '-input=false', ...words.waiting.apply, ...run.runArguments],
    planFile,
  ];
  const end = await runOnStack(run, change, args, {
    output: change.output,
    outputFile: `${planFile}.output`,
    env: { ...words.env, ...forCheck },
    started: (pid) =>
      recordWorker(run.privateFolder, pid, {
        verb: run.verb,
        state: workspaceOf(change.facts),
        started: new Date().toISOString(),
      }),
  });
  rmSync(keyFile, { force: true });
  return { ...end, checked: readCheckStatus(statusFile) };
}

/** Makes the files that the check reads and writes. @throws ConnectivityError `output.lost`, `usage.invalid` */
function makeFiles(statusFile: string, keyFile: string): NodeJS.ProcessEnv {
  try {
    makeCheckStatusFile(statusFile);
    return { [CHECK_STATUS_VARIABLE]: statusFile, ...handKeyToCheck(keyFile) };
  } catch (cause) {
    throw temporaryFolderError(dirname(statusFile), cause);
  }
}

/**
 * Answers the exit status of an apply, and saves the state that it could not save.
 *
 * @throws ConnectivityError `deploy.state-locked`
 */
export async function judgeApply(
  run: ChangeRun,
  changing: ChangingStack,
  change: StackChange,
  end: Applied,
): Promise<number> {
  if (isFull(run.privateFolder)) {
    change.say(
      `no space is left in ${run.privateFolder}: output of Terraform may be missing above`,
    );
  }
  if (end.status === 0) return 0;
  refuseLockedState(changing, end.stderr);
  await keepUnsavedState(changing);
  if (end.status > SIGNALLED) {
    change.say(
      `Terraform was killed while it changed ${changing.name}: what it was creating may exist in the cloud but not in the state. Deploy again; if the state is still locked then: ${terraformCommand(changing, 'force-unlock', 'ID')}, with the ID that the error names`,
    );
  }
  return endOf('apply', { ...end, status: end.checked || end.status }, change);
}

function isFull(folder: string): boolean {
  const { bavail, blocks } = statfsSync(folder);
  return blocks > 0 && bavail === 0;
}
