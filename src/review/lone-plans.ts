import { findResourceRow } from '../cloud/table/index.js';
import { parsePlan } from '../reach/read/plan/parse-plan.js';
import { planStacks } from '../reach/read/plan/plan-stacks.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import type { TerraformStackJson } from '../reach/read/terraform-json.js';
import { findDrift } from './found/drift.js';
import { type ReviewPlan, readWork } from './plan/planned-work.js';
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
  const { left, found, deployed } = planStacks(plan);
  const nothing = { gone: [], changes: [], missed: [], answers: [], neighbours: [] };
  return {
    base: found && { name, terraform: withoutComputed(found), isFound: true },
    head: { name, terraform: withoutComputed(left), isFound: true },
    plan: readWork(plan),
    drift:
      found === undefined || deployed === undefined
        ? []
        : findDrift({ name, terraform: found, deployed, expected: deployed, ...nothing }),
  };
}

/** Leaves out what only the cloud sets: nobody wrote it. */
function withoutComputed(stack: TerraformStackJson): TerraformStackJson {
  const resources = stack.resources.map((one) => {
    const attributes = findResourceRow(one.type)?.attributes ?? {};
    const body = Object.entries(one.body).filter(([name]) => attributes[name]?.mode !== 'computed');
    return { ...one, body: Object.fromEntries(body) };
  });
  return { ...stack, resources };
}
