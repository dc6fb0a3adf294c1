import { setTimeout as wait } from 'node:timers/promises';
import { PAUSES_MS, REFUSED_NOW } from '../../cloud-control/refused-now.js';
import type { ResourceChange } from '../../terraform/plan-json.js';
import type { ChangingStack } from '../../terraform/terraform-folder.js';
import { type Applied, applyPlan } from './apply-plan.js';
import { isApproved, readChanges, takesDefaultRule } from './approval/within-approval.js';
import type { ChangeRun, StackChange, TerraformEnd } from './terraform/stack-terraform.js';

interface Converging {
  readonly run: ChangeRun;
  readonly change: StackChange;
  /** The stack, with the plan that was approved. */
  readonly stack: ChangingStack & { readonly planFile: string };
  /** Plans again, and shows nothing. */
  readonly plan: (planFile: string) => Promise<TerraformEnd>;
}

/**
 * Brings a deploy to where its next plan is empty, as far as the cloud alone keeps it from there: what it refused
 * for the moment is tried again, and a rule of its own is taken away. Nothing is done that the
 * approved plan did not.
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
    const next = await planAgain(on, end, `${on.stack.planFile}.${time}`);
    if (next === undefined) return end;
    const { planFile, rule, other } = next;
    if (planFile === undefined) return refusal === undefined ? end : { ...end, status: 0 };
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

/** The cloud's word for why it refused everything that failed; undefined where something failed otherwise. */
export function refusedNow(stderr: string): string | undefined {
  const [, ...errors] = stderr.split(/^[\s│]*Error: /m);
  // A check that fails prints texts of others, and is no refusal of the cloud.
  const words = errors.map((error) =>
    error.startsWith('local-exec') ? undefined : REFUSED_NOW.exec(error)?.[1],
  );
  return words.every((word) => word !== undefined) ? words[0] : undefined;
}

async function isWaited({ run: { interrupts } }: Converging, pause: number): Promise<boolean> {
  if (pause > 0) await wait(pause, undefined, { signal: interrupts.aborted }).catch(() => {});
  return interrupts.signal === undefined;
}

const NO_CHANGES = 0;
const CHANGES = 2;

interface Again {
  /** Undefined where nothing is left to do. */
  readonly planFile: string | undefined;
  /** Changes that only take the cloud's own rule away. */
  readonly rule: readonly ResourceChange[];
  /** Changes that were not approved. */
  readonly other: readonly ResourceChange[];
}

/** Returns what a new plan would do; undefined where that cannot be told. */
async function planAgain(
  { run, change, stack, plan }: Converging,
  end: Applied,
  planFile: string,
): Promise<Again | undefined> {
  const { status } = await plan(planFile);
  if (run.interrupts.signal !== undefined) return undefined;
  if (status === NO_CHANGES) return { planFile: undefined, rule: [], other: [] };
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
  return { planFile, rule, other };
}

function whyAgain(refusal: string | undefined, rule: readonly ResourceChange[]): string {
  return refusal === undefined
    ? `applying once more, to take away a rule that the cloud added by itself to ${addresses(rule)}`
    : `the cloud refused with ${refusal}, which may pass: planning and applying the rest of the approved plan again`;
}

function sayLeft(
  { change, stack: { name } }: Converging,
  refusal: string | undefined,
  left: readonly ResourceChange[],
): void {
  if (left.length === 0) return;
  change.sayLast(
    refusal === undefined
      ? `${name}: a plan after the deploy is not empty: it changes ${addresses(left)}`
      : `${name}: not applied again after ${refusal}, because a new plan does what the approved one did not: it changes ${addresses(left)}`,
  );
}

function addresses(changes: readonly ResourceChange[]): string {
  return changes.map(({ address }) => address).join(', ');
}
