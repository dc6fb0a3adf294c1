/**
 * The additions of a plan to a review: values that its files alone do not show, and what a deploy
 * does to each resource.
 *
 * - `review-plan.ts`: reads the JSON of a plan
 * - `same-tree.ts`: refuses a plan that was made of something else
 * - `fill-tree.ts`: values in the place of expressions
 * - `planned-changes.ts`: the cloud as the deploy finds it, and as it leaves it, and what that opens
 * - `planned-work.ts`: counts beside the rows of a report
 */

import { isDeepStrictEqual } from 'node:util';
import { type ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { UnboundedFile } from '../../files/bounded-read.js';
import { parseBounded } from '../../files/json-text.js';
import { member, object } from '../../reach/read/json.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import { type PlanJson, planSchema } from '../../terraform/plan-json.js';
import { HIDDEN, holds, type PlannedValues } from './fill-tree.js';
import type { PlannedObject } from './planned-changes.js';
import { type PlannedWork, readWork } from './planned-work.js';
import { findDifference } from './same-tree.js';

/** The facts that a review takes from the plan of one stack. */
export interface ReviewPlan extends PlannedValues {
  readonly work: PlannedWork;
  readonly objects: readonly PlannedObject[];
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
  return {
    values: new Map(
      plan.resource_changes
        .filter(({ mode, deposed }) => mode === 'managed' && deposed === undefined)
        .map(({ address, change: { after, after_unknown, after_sensitive } }) => [
          address,
          object(hide(after, after_unknown, after_sensitive)),
        ]),
    ),
    work: readWork(plan),
    objects: plan.resource_changes.flatMap(readObject),
  };
}

/** Reads an object with its values before and after; none of a data source, or of what is left behind. */
function readObject(planned: PlanJson['resource_changes'][number]): PlannedObject[] {
  const { mode, type, deposed, address, change } = planned;
  if (mode !== 'managed' || deposed !== undefined) return [];
  const { before, before_sensitive, after_unknown, after_sensitive, actions } = change;
  // An object that Terraform forgets stays as it is.
  const after = actions.includes('forget') ? before : change.after;
  const isKept = (attribute: string) =>
    !holds(member(after_unknown, attribute), (one) => one === true) &&
    isDeepStrictEqual(member(before, attribute), member(after, attribute));
  return [
    {
      address,
      type,
      before: before ? object(hide(before, undefined, before_sensitive)) : undefined,
      after: after ? object(hide(after, after_unknown, after_sensitive)) : undefined,
      kept: new Set(Object.keys(object(after)).filter(isKept)),
    },
  ];
}

function parsePlan(text: string, name: string): PlanJson {
  const rule = 'be what `terraform show -json PLAN` prints';
  // The beginning of a zip archive.
  if (text.startsWith('PK\u0003')) {
    throw notThePlan(rule, `the plan itself, ${name}`, 'run that command on it');
  }
  const read = planSchema.safeParse(parseJson(text, name, rule));
  if (!read.success) throw notThePlan(rule, `another JSON in ${name}`, 'a state is no plan');
  if (read.data.errored === true)
    throw notThePlan('be a plan that succeeded', `an error in ${name}`);
  return read.data;
}

function notThePlan(rule: string, got: string, remedy?: string): ConnectivityError {
  const message = `\`--plan\` must ${rule}, got: ${got}`;
  return usageError(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** A parser's error repeats what it has read, so it is left behind. */
function parseJson(text: string, name: string, rule: string): unknown {
  try {
    return parseBounded(text);
  } catch (error) {
    const isBound = error instanceof UnboundedFile;
    throw notThePlan(
      isBound ? error.message.replace(/^must /, '') : rule,
      isBound ? name : `no JSON in ${name}`,
    );
  }
}

function hide(after: unknown, isUnknown: unknown, isSensitive: unknown): unknown {
  if (isUnknown === true || isSensitive === true) return HIDDEN;
  if (Array.isArray(after)) {
    return after.map((one: unknown, i) => hide(one, member(isUnknown, i), member(isSensitive, i)));
  }
  if (object(after) !== after) return after;
  // What is unknown is not in the value at all.
  const names = new Set([...Object.keys(object(after)), ...Object.keys(object(isUnknown))]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      hide(member(after, name), member(isUnknown, name), member(isSensitive, name)),
    ]),
  );
}
