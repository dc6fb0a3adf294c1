import { remember } from '../../lists/remember.js';
import { combine } from '../../reach/sets/ranges.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { intersect, subtract } from '../../reach/sets/services.js';
import { type Change, findChanges } from '../../review/packet-changes.js';
import type { CloudAccess, Opened } from '../ways/cloud-access.js';
import type { StepAccess } from './account.js';

/** Compares each state after the first with the first and the last one, packet by packet. */
export function compareSteps([first, ...states]: readonly CloudAccess[]): StepAccess[] {
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const rules = [...first.most.rules, ...last.most.rules];
  const either = { rules, region: toRegion(rules) };
  const both = combineRegions(first.used, last.least, intersect);
  const gone = combineRegions(first.used, last.least, subtract);
  const against = remember(({ most, least }: CloudAccess) => ({
    transient: only('widens', either, most),
    interrupted: only('narrows', both, least),
    lost: [subtract, intersect].flatMap((how) =>
      only('narrows', combineRegions(gone, last.most, how), least).map((one) => ({
        ...one,
        isInDoubt: how === intersect,
      })),
    ),
  }));
  return states.map((state, i) => {
    const prior = states[i - 1] ?? first;
    const opened = only('widens', prior.most, state.most);
    return {
      ...against(state),
      changed: [...opened, ...only('narrows', prior.least, state.least)],
    };
  });
}

function only(effect: Change['effect'], a: Opened, b: Opened): Change[] {
  return findChanges({ a, b }).filter((change) => change.effect === effect);
}

function combineRegions(a: Opened, b: Opened, how: typeof intersect): Opened {
  const region: Region = new Map(
    [...a.region].flatMap(([key, cell]) => {
      const ranges = combine(cell.ranges, b.region.get(key)?.ranges ?? [], how);
      return ranges.length === 0 ? [] : [[key, { ...cell, ranges }] as const];
    }),
  );
  return { rules: a.rules, region };
}
