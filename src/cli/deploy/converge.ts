import { setTimeout as wait } from 'node:timers/promises';
import { stopOrAdoptLeftBehind } from '../../adopt/adopt-stack.js';
import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import { PAUSES_MS } from '../../cloud-control/transport.js';
import { factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { ResourceChange } from '../../terraform/plan-json.js';
import type { ChangingStack } from '../../terraform/terraform-folder.js';
import { ownCommand } from '../program/own-command.js';
import { type Applied, applyPlan, CHANGES, NO_CHANGES, planChange } from './apply-plan.js';
import {
  isApproved,
  type Refusal,
  readChanges,
  refusedNow,
  takesDefaultRule,
} from './approval/apply-again.js';
import type { ChangeRun, StackChange } from './change-run.js';

interface Converging {
  readonly run: ChangeRun;
  readonly change: StackChange;
  /** The stack, with the plan that was approved. */
  readonly stack: ChangingStack & { readonly planFile: string };
}

/**
 * Plans and applies again until the plan is empty, as long as only the cloud's own behaviour prevents that: what it
 * refused for the moment, failed at or did not show yet is retried, and a rule that it added is removed. Nothing is
 * done beyond the approved plan.
 *
 * @returns the end of the last apply
 */
export async function converge(on: Converging, first: Applied): Promise<Applied> {
  let end = first;
  let isRuleTaken = false;
  for (let time = 0; ; time += 1) {
    const refusal = end.status === 0 ? undefined : refusedNow(end.stderr);
    const pause = refusal === undefined ? 0 : PAUSES_MS[time];
    // A check that failed may have met the rule.
    const isOpen = end.status === 0 || refusal !== undefined || Boolean(end.checked);
    if (!isOpen || pause === undefined || !(await isWaited(on, pause))) return end;
    if (refusal?.mayBeDone && !(await isSearched(on, refusal))) return end;
    const next = await planAgain(on, end, `${on.stack.planFile}.${time}`);
    if (next === undefined) return end;
    const { planFile, rule, other, isPartDone } = next;
    if (planFile === undefined) return refusal === undefined ? end : { ...end, status: 0 };
    // Where nothing was made, what is not there is not just out of sight.
    if (refusal?.isAbsent && !isPartDone) return end;
    const isDue = refusal !== undefined || (rule.length > 0 && !isRuleTaken);
    if (!isDue || other.length > 0) {
      const left = refusal === undefined ? [...rule, ...other] : other;
      if (end.status === 0 || refusal !== undefined) sayLeft(on, refusal, left);
      return end;
    }
    on.change.say(`${on.stack.name}: ${whyAgain(refusal, rule)}`);
    isRuleTaken ||= refusal === undefined;
    end = await applyPlan(on.run, on.change, planFile);
  }
}

/** Tells whether the cloud has nothing that a new plan would create twice, or adopts it. */
async function isSearched({ change, stack }: Converging, { word }: Refusal): Promise<boolean> {
  const stop = (why: string) => {
    change.sayLast(`${stack.name}: not applied again after ${word}: ${why}`);
    return false;
  };
  const { planFile: _, ...folder } = stack;
  if (stack.context.adopt === 'off') {
    return stop('nothing looks for what it may have made, with --adopt off');
  }
  try {
    await stopOrAdoptLeftBehind(folder);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    if (error.code !== 'adopt.needed') return stop(error.message);
    const command = ownCommand('adopt', stack.name) ?? 'secure-connectivity adopt';
    return stop(`the cloud has something that a new plan would make again; first run ${command}`);
  }
}

async function isWaited({ run: { interrupts } }: Converging, pause: number): Promise<boolean> {
  if (pause > 0) await wait(pause, undefined, { signal: interrupts.aborted }).catch(() => {});
  return interrupts.signal === undefined;
}

interface Again {
  /** Undefined where nothing is left to do. */
  readonly planFile: string | undefined;
  /** Changes that only take the cloud's own rule away. */
  readonly rule: readonly ResourceChange[];
  /** Changes that were not approved. */
  readonly other: readonly ResourceChange[];
  /** Something of the cloud that the approved plan makes is there. */
  readonly isPartDone: boolean;
}

/** Returns the changes of a new plan; undefined if no plan could be made. */
async function planAgain(
  { run, change, stack }: Converging,
  end: Applied,
  planFile: string,
): Promise<Again | undefined> {
  const { status } = await planChange(run, change, planFile, { isShown: false });
  if (run.interrupts.signal !== undefined) return undefined;
  if (status === NO_CHANGES) {
    return { planFile: undefined, rule: [], other: [], isPartDone: true };
  }
  if (status !== CHANGES) {
    if (end.status === 0) {
      change.sayLast(
        `${stack.name}: no plan could be made after the deploy: whether it is empty is not known`,
      );
    }
    return undefined;
  }
  const approved = await readChanges(stack, stack.planFile);
  const all = await readChanges(stack, planFile);
  const changes = all.filter(({ address }) => !change.facts.checks.includes(address));
  const rule = changes.filter((one) => takesDefaultRule(one, approved));
  const isWithin = (one: ResourceChange) => end.status !== 0 && isApproved(one, approved);
  const other = changes.filter((one) => !rule.includes(one) && !isWithin(one));
  const toMake = madeInCloud(all);
  const isPartDone = madeInCloud(approved).some((address) => !toMake.includes(address));
  return { planFile, rule, other, isPartDone };
}

function madeInCloud(changes: readonly ResourceChange[]): string[] {
  return changes
    .filter(({ type }) => type.startsWith(`${CLOUD_PROVIDER.name}_`))
    .filter(({ change: { actions } }) => actions.includes('create'))
    .map(({ address }) => address);
}

function whyAgain(refusal: Refusal | undefined, rule: readonly ResourceChange[]): string {
  return refusal === undefined
    ? `applying once more, to take away a rule that the cloud added by itself to ${addresses(rule)}`
    : `the cloud refused with ${refusal.word}, which may pass: planning and applying the rest of the approved plan again`;
}

const LEFT = 'deploy.not-converged';

function sayLeft(
  { change, stack: { name } }: Converging,
  refusal: Refusal | undefined,
  left: readonly ResourceChange[],
): void {
  if (left.length === 0) return;
  change.sayLast(
    refusal === undefined
      ? `${LEFT}: ${name}: a plan after the deploy is not empty: it changes ${addresses(left)}. ${factsOf(LEFT).remedy}`
      : `${name}: not applied again after ${refusal.word}, because a new plan does what the approved one did not: it changes ${addresses(left)}`,
  );
}

function addresses(changes: readonly ResourceChange[]): string {
  return changes.map(({ address }) => address).join(', ');
}
