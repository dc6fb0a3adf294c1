import { type ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { UnboundedFile } from '../../../files/bounded-read.js';
import { parseBounded } from '../../../files/json.js';
import {
  type ModuleValues,
  type PlanJson,
  planSchema,
  type ResourceChange,
  type StateObject,
} from '../../../terraform/plan-json.js';
import { moduleOf } from '../address.js';
import { type Json, object } from '../json.js';

/** An object of a plan: a resource, or what a data source reads. */
export interface Instance extends Pick<StateObject, 'address' | 'mode' | 'type'> {
  /** The address of its module; empty for the root. */
  readonly module: string;
  readonly values: Json;
  /** `true` in the place of whatever only the deploy knows. */
  readonly unknown: Json;
  readonly sensitive: Json;
  readonly change: ResourceChange['change'] | undefined;
}

/** Lists the objects of a module and of all within it. */
export function objectsIn(root: ModuleValues | undefined): StateObject[] {
  if (root === undefined) return [];
  return [...root.resources, ...root.child_modules.flatMap(objectsIn)];
}

/**
 * The objects that a plan leaves, by their addresses, and what data sources have read. What Terraform lets go
 * of stays in the cloud as it is.
 */
export function instancesOf(plan: PlanJson): ReadonlyMap<string, Instance> {
  const changes = new Map(
    plan.resource_changes.flatMap((one) => (one.deposed ? [] : [[one.address, one] as const])),
  );
  const read = objectsIn(plan.prior_state?.values?.root_module).filter(
    ({ mode }) => mode === 'data',
  );
  const left = objectsIn(plan.planned_values?.root_module).filter(
    ({ deposed_key: deposed }) => deposed === undefined,
  );
  const forgotten = [...changes.values()]
    .filter(({ change }) => change.actions.includes('forget'))
    .map(({ change, ...one }) => ({ ...one, values: change.before, sensitive_values: {} }));
  return new Map(
    [...read, ...forgotten, ...left].map(({ address, mode, type, values, sensitive_values }) => {
      const change = changes.get(address)?.change;
      const unknown = change?.actions.includes('forget') ? {} : object(change?.after_unknown);
      const instance = {
        ...{ address, mode, type, change, unknown, module: moduleOf(address) },
        ...{ values: values ?? {}, sensitive: object(sensitive_values) },
      };
      return [address, instance];
    }),
  );
}

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
