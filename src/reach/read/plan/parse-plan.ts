import { type ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { UnboundedFile } from '../../../files/bounded-read.js';
import { parseBounded } from '../../../files/json.js';
import { type PlanJson, planSchema } from '../../../terraform/plan-json.js';
import { objectsIn } from './instances.js';

const RULE = 'be what `terraform show -json PLAN` prints';

/**
 * Reads what `terraform show -json PLAN` prints. No error repeats a value of it.
 *
 * @param name what the text is called in an error: the path of its file
 * @throws ConnectivityError `usage.invalid` where it is something else
 */
export function parsePlan(text: string, name: string): PlanJson {
  // The beginning of a zip archive.
  if (text.startsWith('PK\u0003')) {
    throw notThePlan(RULE, `the plan itself, ${name}`, 'run that command on it');
  }
  const read = planSchema.safeParse(parseJson(text, name));
  if (!read.success) throw notThePlan(RULE, `another JSON in ${name}`, 'a state is no plan');
  const plan = read.data;
  if (plan.errored === true) throw notThePlan('be a plan that succeeded', `an error in ${name}`);
  const seen = new Set<string>();
  for (const { address, deposed_key: deposed } of objectsIn(plan.planned_values?.root_module)) {
    const key = `${address} ${deposed}`;
    if (seen.has(key)) throw notThePlan(`hold \`${address}\` once only`, `it twice in ${name}`);
    seen.add(key);
  }
  return plan;
}

/** Builds the error for a plan that breaks a rule. */
export function notThePlan(rule: string, got: string, remedy?: string): ConnectivityError {
  const message = `\`--plan\` must ${rule}, got: ${got}`;
  return usageError(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** A parser's error repeats what it has read, so it is left behind. */
function parseJson(text: string, name: string): unknown {
  try {
    return parseBounded(text);
  } catch (error) {
    const isBound = error instanceof UnboundedFile;
    throw notThePlan(
      isBound ? error.message.replace(/^must /, '') : RULE,
      isBound ? name : `no JSON in ${name}`,
    );
  }
}
