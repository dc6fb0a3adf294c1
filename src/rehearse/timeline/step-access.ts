import { remember } from '../../lists/remember.js';
import { combine } from '../../reach/sets/ranges.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { intersect, subtract } from '../../reach/sets/services.js';
import { type Change, findChanges } from '../../review/packet-changes.js';
import type { CloudAccess, Opened } from '../ways/cloud-access.js';
import type { LostChange, StepAccess } from './account.js';

/** Compares each state after the first with the first and the last one, packet by packet. */
export function compareSteps([first, ...states]: readonly CloudAccess[]): StepAccess[] {
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const rules = [...first.most.rules, ...last.most.rules];
  const either = { rules, region: toRegion(rules) };
  const both = combineRegions(first.used, last.least, intersect);
  const lost = findLosses([first, ...states]);
  const against = remember(({ most, least }: CloudAccess) => ({
    transient: only('widens', either, most),
    interrupted: only('narrows', both, least),
  }));
  return states.map((state, i) => {
    const prior = states[i - 1] ?? first;
    const opened = only('widens', prior.most, state.most);
    return {
      ...against(state),
      lost: lost[i] ?? [],
      changed: [...opened, ...only('narrows', prior.least, state.least)],
    };
  });
}

/**
 * Finds after each step but the first state what is not open and not in the end: what stays so together with all that
 * became so by the same step, so that a loss that grows is made of its parts.
 */
function findLosses([first, ...states]: readonly [CloudAccess, ...CloudAccess[]]): LostChange[][] {
  const last = states.at(-1) ?? first;
  const gone = combineRegions(first.used, last.least, subtract);
  const lost = states.map(({ least }) => combineRegions(gone, least, subtract));
  const lasting = [...lost];
  for (let i = lost.length - 2; i >= 0; i -= 1) {
    const [now, then] = [lost[i], lasting[i + 1]];
    if (now !== undefined && then !== undefined) lasting[i] = combineRegions(now, then, intersect);
  }
  const changesOf = (region: Opened) =>
    [subtract, intersect].flatMap((how) =>
      only('narrows', combineRegions(region, last.most, how), NOTHING).map((one) => ({
        ...{ ...one, isInDoubt: how === intersect },
      })),
    );
  const known: LostChange[] = [];
  return lost.map((all, i) => {
    const [now = NOTHING, before = NOTHING] = [lasting[i], lasting[i - 1]];
    known.push(...changesOf(combineRegions(now, before, subtract)));
    return [...known, ...changesOf(combineRegions(all, now, subtract))];
  });
}

const NOTHING: Opened = { rules: [], region: new Map() };

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
