/**
 * The additions of a plan to a review: what a deploy does to each resource.
 *
 * - `review-plan.ts`: reads the JSON of a plan beside a tree
 * - `same-tree.ts`: refuses a plan that was made of something else
 * - `planned-work.ts`: counts beside the rows of a report
 */

import { notThePlan, parsePlan } from '../../reach/read/plan/parse-plan.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import { type PlannedWork, readWork } from './planned-work.js';
import { findDifference } from './same-tree.js';

/** The facts that a review takes from the plan of one stack. */
export interface ReviewPlan {
  readonly work: PlannedWork;
}

/**
 * Reads what `terraform show -json PLAN` prints. No error repeats a value of it.
 *
 * @param stack the one of the head that was planned
 * @param name what the text is called in an error: the path of its file
 * @throws ConnectivityError `usage.invalid` where it is something else, or of another tree
 */
export function readPlan(text: string, stack: SynthesizedStack, name: string): ReviewPlan {
  const plan = parsePlan(text, name);
  const difference = findDifference(plan, stack.terraform);
  if (difference !== undefined) {
    throw notThePlan(
      `be a plan of the stack ${JSON.stringify(stack.name)} of \`--head\``,
      `${name}, in which ${difference}`,
      'plan the whole of that tree again',
    );
  }
  return { work: readWork(plan) };
}
