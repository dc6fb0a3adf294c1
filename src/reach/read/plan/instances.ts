import type {
  ModuleValues,
  PlanJson,
  ResourceChange,
  StateObject,
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
