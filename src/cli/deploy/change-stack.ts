import { join, resolve } from 'node:path';
import { stopOrAdoptLeftBehind } from '../../adopt/adopt-stack.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { shellWord } from '../../files/escape.js';
import { findOutliving } from '../../files/temporary-folder.js';
import { runInit } from '../../terraform/commands.js';
import { PLAN_FOLDER_VARIABLE } from '../../terraform/program.js';
import {
  type ChangingStack,
  refuseLockedState,
  terraformFolder,
} from '../../terraform/terraform-folder.js';
import { ownCommand } from '../program/own-command.js';
import { askApproval } from '../program/signals.js';
import { applyPlan, CHANGES, judgeApply, NO_CHANGES, planChange } from './apply-plan.js';
import { beforePlan, refuseKeptResources, refuseStateInCheckout } from './approval/plan-checks.js';
import {
  type ChangeRun,
  endOf,
  runOnStack,
  type StackChange,
  type TerraformEnd,
  workspaceOf,
} from './change-run.js';
import { converge } from './converge.js';
import { originOf, refuseOutsideOfReview } from './tree/reviewed-tree.js';

/**
 * Initializes a stack, checks that it may be changed, plans it, asks, and applies the plan.
 *
 * @returns the exit status of the check that failed, or else of Terraform
 * @throws ConnectivityError where the stack is refused before anything of it was changed
 */
export async function changeStack(run: ChangeRun, change: StackChange): Promise<number> {
  const stack = changingStack(run, change);
  await refuseStateInCheckout(stack);
  sayOutliving(change);
  const init = await run.inTurn(() => initialize(run, change));
  if (init.status !== 0) return init.status;
  if (isStopped(run)) return NOT_APPROVED;
  if (run.reviewed !== undefined) refuseOutsideOfReview(run.reviewed, change.stack);
  const isSearchLeft = await beforePlan(stack);
  for (const attempt of ['first', 'second']) {
    const planFile = join(run.privateFolder, `${encodeURIComponent(stack.name)}.${attempt}`);
    const planned = { ...stack, planFile };
    const answer = await planAndAsk(run, change, planned, isSearchLeft);
    if (typeof answer === 'number') return answer;
    const applied = await applyPlan(run, change, planFile);
    const isStale = applied.status !== 0 && STALE.test(applied.stderr);
    if (!isStale || attempt === 'second') {
      const mayGoOn = run.verb === 'deploy' && answer === 'changes';
      const end = mayGoOn ? await converge({ run, change, stack: planned }, applied) : applied;
      const status = await judgeApply(run, stack, change, end);
      if (run.verb === 'deploy' && !isStopped(run) && (status === 0 || end.checked)) {
        const { sayWaitingConnections } = await import('../live-stacks.js');
        await sayWaitingConnections(stack);
        if (end.checked === undefined) sayUnchecked(run, change);
      }
      return status;
    }
    change.say(`the state of ${stack.name} was changed after the plan: planning again`);
  }
  return NOT_APPROVED;
}

/** Reports Terraform runs that outlived a killed deploy of the stack and may still change its state. */
function sayOutliving({ stack, facts, say }: StackChange): void {
  for (const { owner, pid, about } of findOutliving(process.env[PLAN_FOLDER_VARIABLE])) {
    if (about.state !== workspaceOf(facts)) continue;
    say(
      `a ${about.verb} of ${stack.name} started at ${about.started} by process ${owner} still runs: that process was killed, and its Terraform, process ${pid}, goes on; let it end first, unless it locks the state`,
    );
  }
}

/** Says that a check of the stack was not part of the deploy: Terraform runs it only with what it depends on. */
function sayUnchecked({ reviewed }: ChangeRun, { stack, facts, sayLast }: StackChange): void {
  if (facts.checks.length === 0) return;
  const folder = reviewed === undefined ? stack.folder : originOf(reviewed, stack.folder);
  const command = ownCommand('verify', '--stack', shellWord(resolve(folder)));
  const now = command === undefined ? '' : `; to check now: ${command}`;
  sayLast(
    `${stack.name}: its check did not run, because this deploy changed nothing that it depends on${now}`,
  );
}

function changingStack(run: ChangeRun, { stack, say, env }: StackChange): ChangingStack {
  const { context, program, reviewed } = run;
  return {
    ...terraformFolder(stack.folder, program, context.lockTimeout, { ...run.env, ...env }),
    name: stack.name,
    ...(reviewed && { origin: originOf(reviewed, stack.folder) }),
    isInitialized: true,
    planArguments: run.planArguments.filter((word) => word.startsWith('-var')),
    command: run.verb === 'deploy' ? 'apply' : 'destroy',
    context,
    signal: run.interrupts.aborted,
    say,
  };
}

/** Plans, shows the plan and asks. @returns the exit status where the plan is not to be applied */
async function planAndAsk(
  run: ChangeRun,
  change: StackChange,
  stack: ChangingStack & { readonly planFile: string },
  isSearchLeft: boolean,
): Promise<number | 'changes' | 'nothing'> {
  if (isStopped(run)) return NOT_APPROVED;
  const { output, facts, say } = change;
  if (isSearchLeft) output.hold();
  const plan = await planChange(run, change, stack.planFile);
  const isPlanned = plan.status === NO_CHANGES || plan.status === CHANGES;
  // A plan that is refused for what an interrupted deploy left is not shown.
  if (isSearchLeft && isPlanned && !isStopped(run)) await stopOrAdoptLeftBehind(stack);
  output.release();
  if (!isPlanned) {
    refuseLockedState(stack, plan.stderr);
    refuseKeptResources(run.verb, stack, facts, plan.stderr);
    return endOf('plan', plan, change);
  }
  const isApproved = plan.status === NO_CHANGES || run.autoApprove || (await approve(run, change));
  if (isApproved && !isStopped(run)) return plan.status === CHANGES ? 'changes' : 'nothing';
  const why = isStopped(run)
    ? 'interrupted before its plan was applied'
    : 'the plan was not approved';
  say(`${stack.name} was not changed: ${why}`);
  return NOT_APPROVED;
}

const isStopped = ({ interrupts }: ChangeRun) => interrupts.signal !== undefined;

const NOT_APPROVED = 1;
const STALE = /Saved plan is stale/;

const BACKEND_CHANGED =
  /Backend (configuration changed|initialization required, please run)|input is disabled|-migrate-state/;

/** @throws ConnectivityError `deploy.state` */
async function initialize(run: ChangeRun, change: StackChange): Promise<TerraformEnd> {
  const { migrateState, reviewed } = run;
  const words = [
    ...(migrateState ? ['-migrate-state', '-force-copy'] : []),
    // A lock file that was reviewed stays as it is.
    ...(reviewed ? ['-lockfile=readonly'] : []),
  ];
  const start = (args: readonly string[]) => runOnStack(run, change, [...args, ...run.colour], {});
  const end = await runInit(start, words, reviewed === undefined);
  if (end.status === 0) return end;
  if (!migrateState && BACKEND_CHANGED.test(end.stderr)) {
    throw new ConnectivityError(
      'deploy.state',
      `the state of ${change.stack.name} must be where the last deploy from this folder kept it, got: another backend; nothing was changed. To move the state there, run this again with --migrate-state`,
    );
  }
  change.output.write('stderr', `${end.text.trimEnd()}\n`);
  endOf('init', end, change);
  return end;
}

async function approve(run: ChangeRun, { stack }: StackChange): Promise<boolean> {
  const what = run.verb === 'deploy' ? 'Apply this plan to' : 'Destroy all of';
  return askApproval(`${what} ${stack.name}?`, run.interrupts);
}
