import { parsePlan } from '../reach/read/plan/parse-plan.js';
import { type PlanStacks, planStacks } from '../reach/read/plan/plan-stacks.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import type { TerraformStackJson } from '../reach/read/terraform-json.js';
import { readAttributes } from './effective-rules/effective-access.js';
import { findDrift } from './found/drift.js';
import { readWork } from './plan/planned-work.js';
import type { ReviewPlan } from './plan/review-plan.js';
import type { Finding } from './report-schema.js';

/** A plan as both sides of a review: the cloud as the plan found it, and as the deploy leaves it. */
export interface LonePlan {
  /** Undefined where Terraform manages nothing yet. */
  readonly base: SynthesizedStack | undefined;
  readonly head: SynthesizedStack;
  readonly plan: ReviewPlan;
  /** Changes that others have made since the last deploy. */
  readonly drift: readonly Finding[];
}

/**
 * Reads what `terraform show -json PLAN` prints.
 *
 * @param name what its stack is called in the report
 * @param file what the text is called in an error
 * @throws ConnectivityError `usage.invalid`
 */
export function readLonePlan(text: string, name: string, file: string): LonePlan {
  const plan = parsePlan(text, file);
  const { left, found, deployed, writtenAt } = planStacks(plan);
  const read = (stack: TerraformStackJson) => withoutRest(stack, writtenAt);
  const nothing = { gone: [], changes: [], missed: [], answers: [], neighbours: [] };
  return {
    base: found && { name, terraform: read(found), isFound: true },
    head: { name, terraform: read(left), isFound: true },
    plan: { work: readWork(plan) },
    drift:
      found === undefined || deployed === undefined
        ? []
        : findDrift({ name, terraform: found, deployed, expected: deployed, ...nothing }),
  };
}

/** Leaves out what the cloud fills in by itself and no review reads: nobody wrote it. */
function withoutRest(
  stack: TerraformStackJson,
  writtenAt: PlanStacks['writtenAt'],
): TerraformStackJson {
  return {
    ...stack,
    resources: stack.resources.map((one) => {
      const read = readAttributes(one);
      if (read === undefined) return one;
      const kept = new Set([...read, ...(writtenAt(one.address) ?? [])]);
      const body = Object.entries(one.body).filter(([name]) => kept.has(name));
      return { ...one, body: Object.fromEntries(body) };
    }),
  };
}
