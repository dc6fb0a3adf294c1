import type { PlanJson } from '../../terraform/plan-json.js';
import type { Disruption, Finding, PlannedActions } from '../report-schema.js';
import { groupBy } from '../sets/region.js';
import { findType } from '../types/index.js';

const NONE: PlannedActions = { add: 0, change: 0, replace: 0, destroy: 0 };

/** An object that a deploy removes or makes anew. */
interface PlannedCut {
  /** Without the key of the instance; the one before a move as well. */
  readonly addresses: readonly string[];
  readonly type: string;
  readonly action: 'removed' | 'replaced';
  /** Attributes that make it so, as far as the plan names them. */
  readonly because: string[];
}

/** What a deploy does to each resource, and in all. */
export interface PlannedWork {
  /** By address without the key of the instance; what is in a module, under the module's. */
  readonly actions: ReadonlyMap<string, PlannedActions>;
  readonly totals: PlannedActions;
  readonly cuts: readonly PlannedCut[];
}

export function readWork({ resource_changes: all }: PlanJson): PlannedWork {
  const managed = all.filter(({ mode }) => mode === 'managed');
  const counted = managed.flatMap((one) =>
    planAddresses(one).map((address) => ({ address, counts: countActions(one.change.actions) })),
  );
  const byAddress = groupBy(counted, ({ address }) => address);
  return {
    actions: new Map(
      [...byAddress].map(([address, all]) => [address, add(all.map(({ counts }) => counts))]),
    ),
    totals: add(managed.map(({ change }) => countActions(change.actions))),
    cuts: managed.flatMap((one) => {
      const { destroy, replace } = countActions(one.change.actions);
      if (destroy + replace === 0) return [];
      const because = (one.change.replace_paths ?? []).map(([name]) => String(name));
      const action = destroy > 0 ? ('removed' as const) : ('replaced' as const);
      return [
        { addresses: planAddresses(one), type: one.type, action, because: [...new Set(because)] },
      ];
    }),
  };
}

type ResourceChange = PlanJson['resource_changes'][number];

function planAddresses({ address, previous_address: old, module_address: module }: ResourceChange) {
  const written = module === undefined ? [address, ...(old === undefined ? [] : [old])] : [module];
  return [...new Set(written.map(withoutKey))];
}

/** `a.b["key"]` is `a.b`, and whatever is in `module.a[0].module.b` belongs to `module.a`. */
function withoutKey(address: string): string {
  return /^module\.[\w-]+/.exec(address)?.[0] ?? address.replace(/\[.*\]$/s, '');
}

function countActions(actions: readonly string[]): PlannedActions {
  const makes = actions.includes('create');
  if (makes && actions.length > 1) return { ...NONE, replace: 1 };
  if (makes) return { ...NONE, add: 1 };
  if (actions.includes('delete')) return { ...NONE, destroy: 1 };
  return actions.includes('update') ? { ...NONE, change: 1 } : NONE;
}

function add(all: readonly PlannedActions[]): PlannedActions {
  const sum = (name: keyof PlannedActions) => all.reduce((total, one) => total + one[name], 0);
  return {
    add: sum('add'),
    change: sum('change'),
    replace: sum('replace'),
    destroy: sum('destroy'),
  };
}

/** What the plan does to the resources of a row; as it was where it names none that is planned. */
export function countFinding(finding: Finding, work: PlannedWork | undefined): Finding {
  const names = finding.resource.split(/[,;] /);
  const counts = names.flatMap((name) => work?.actions.get(name) ?? []);
  return counts.length === 0 ? finding : { ...finding, planned: add(counts) };
}

/** What the plan cuts and the two trees do not show, such as an object that was changed by hand. */
export function findPlannedCuts(
  stack: string,
  { cuts }: PlannedWork,
  known: readonly Disruption[],
): Disruption[] {
  const reported = new Set(
    known
      .filter((one) => one.stack === stack && one.action !== 'changed')
      .map(({ resource }) => resource),
  );
  return cuts
    .filter(({ addresses }) => !addresses.some((address) => reported.has(address)))
    .flatMap(({ addresses: [resource = ''], type, action, because }) => {
      const effects = findType(type)?.effects;
      if (effects === undefined) return [];
      const effect = effects[action];
      return [{ stack, resource, action, because, effect, isRefused: false }];
    });
}
