import { groupBy } from '../../lists/group-by.js';
import { addressesIn } from '../../reach/read/address.js';
import type { PlanJson } from '../../terraform/plan-json.js';
import type { Disruption, Finding, PlannedActions } from '../report-schema.js';
import { findType } from '../types/index.js';

/** An action of a deploy on an object. */
type Action = keyof PlannedActions | 'nothing';

/** An object that a deploy removes or makes anew. */
interface PlannedCut {
  /** As the plan has it, and without the key of the instance; those before a move as well. */
  readonly addresses: readonly string[];
  /** As the plan has it. */
  readonly resource: string;
  readonly type: string;
  readonly action: 'removed' | 'replaced';
  /** Attributes that make it so, as far as the plan names them. */
  readonly because: string[];
}

/** The facts that a review takes from the plan of one stack: its actions on each resource, and their totals. */
export interface ReviewPlan {
  /** By address, with the key of the instance and without it; what is in a module, under the module's as well. */
  readonly actions: ReadonlyMap<string, readonly Action[]>;
  readonly totals: PlannedActions;
  readonly cuts: readonly PlannedCut[];
}

export function readWork({ resource_changes: all }: PlanJson): ReviewPlan {
  const managed = all.filter(({ mode }) => mode === 'managed');
  const planned = managed.map((one) => {
    const imported = one.change.importing === undefined ? [] : (['import'] as const);
    const action = readAction(one.change.actions);
    return { ...one, addresses: planAddresses(one), action, all: [...imported, action] };
  });
  const placed = planned.flatMap(({ addresses, all }) =>
    addresses.flatMap((address) => all.map((action) => ({ address, action }))),
  );
  const byAddress = groupBy(placed, ({ address }) => address);
  return {
    actions: new Map(
      [...byAddress].map(([address, all]) => [address, all.map(({ action }) => action)]),
    ),
    totals: count(planned.flatMap((one) => one.all)),
    cuts: planned.flatMap(({ addresses, type, action, change, address: resource }) => {
      if (action !== 'destroy' && action !== 'replace') return [];
      const because = (change.replace_paths ?? []).map(([name]) => String(name));
      const cut = action === 'destroy' ? ('removed' as const) : ('replaced' as const);
      return [{ addresses, resource, type, action: cut, because: [...new Set(because)] }];
    }),
  };
}

type ResourceChange = PlanJson['resource_changes'][number];

function planAddresses({ address, previous_address: old, module_address: module }: ResourceChange) {
  const written = module === undefined ? [address, ...(old === undefined ? [] : [old])] : [module];
  return [...new Set([address, ...written.flatMap((one) => [one, withoutKey(one)])])];
}

/** `a.b["key"]` is `a.b`, and whatever is in `module.a[0].module.b` belongs to `module.a`. */
function withoutKey(address: string): string {
  return /^module\.[\w-]+/.exec(address)?.[0] ?? address.replace(/\[.*\]$/s, '');
}

function readAction(actions: readonly string[]): Action {
  if (actions.includes('create')) return actions.length > 1 ? 'replace' : 'add';
  if (actions.includes('delete')) return 'destroy';
  return actions.includes('update') ? 'change' : 'nothing';
}

function count(actions: readonly Action[]): PlannedActions {
  const of = (wanted: Action) => actions.filter((one) => one === wanted).length;
  return {
    import: of('import'),
    ...{ add: of('add'), change: of('change'), replace: of('replace'), destroy: of('destroy') },
  };
}

/** Returns what the plan does to the resources of a row; as it was where it names none that is planned. */
export function countFinding(finding: Finding, work: ReviewPlan | undefined): Finding {
  const names = addressesIn(finding.resource);
  const actions = names.flatMap((name) => work?.actions.get(name) ?? []);
  return actions.length === 0 ? finding : { ...finding, planned: count(actions) };
}

/** Returns what the plan cuts and the two trees do not show, such as an object that was changed by hand. */
export function findPlannedCuts(
  stack: string,
  { cuts }: ReviewPlan,
  known: readonly Disruption[],
): Disruption[] {
  const reported = new Set(
    known
      .filter((one) => one.stack === stack && one.action !== 'changed')
      .map(({ resource }) => resource),
  );
  return cuts.flatMap(({ addresses, resource, type, action, because }) => {
    const effect = findType(type)?.effects[action];
    if (effect === undefined || addresses.some((address) => reported.has(address))) return [];
    return [{ stack, resource, action, because, effect, isRefused: false }];
  });
}
