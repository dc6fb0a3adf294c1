import { remember } from '../../lists/remember.js';
import { combine } from '../../reach/sets/ranges.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { intersect, subtract } from '../../reach/sets/services.js';
import { type Change, findChanges, toldBy } from '../../review/packet-changes.js';
import type { CloudAccess, Opened } from '../ways/cloud-access.js';
import { THROUGH_FIREWALL } from '../ways/places.js';
import type { StepAccess } from './account.js';

/** Compares each state after the first with the first and the last one, packet by packet. */
export function compareSteps([first, ...states]: readonly CloudAccess[]): StepAccess[] {
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const either = uniteSides(first.open, last.open);
  const eitherWay = uniteSides(first.reached, last.reached);
  const both = combineRegions(first.used, last.passed, intersect);
  const gone = combineRegions(first.used, last.passed, subtract);
  const against = remember(({ reached, certain }: CloudAccess) => {
    const byFirewall = only('widens', either, reached).filter(isOfFirewall);
    const isTold = toldBy(byFirewall, subjectKey);
    // Doors that take each other's place open what each of them lets through before or after.
    const atPlaces = only('widens', eitherWay, reached).filter((one) => !isOfFirewall(one));
    return {
      transient: [...byFirewall, ...atPlaces.filter((one) => !isTold(one))],
      interrupted: only('narrows', both, certain),
      lost: [subtract, intersect].flatMap((how) =>
        only('narrows', combineRegions(gone, last.reached, how), certain).map((one) => ({
          ...one,
          isInDoubt: how === intersect,
        })),
      ),
    };
  });
  return states.map((state, i) => {
    const prior = states[i - 1] ?? first;
    const opened = only('widens', prior.open, state.reached);
    return {
      ...against(state),
      changed: [...opened, ...only('narrows', prior.passed, state.certain)],
    };
  });
}

function only(effect: Change['effect'], a: Opened, b: Opened): Change[] {
  return findChanges({ a, b }).filter((change) => change.effect === effect);
}

function uniteSides(a: Opened, b: Opened): Opened {
  const rules = [...a.rules, ...b.rules];
  return { rules, region: toRegion(rules) };
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

function isOfFirewall({ via }: Change): boolean {
  return via.startsWith(THROUGH_FIREWALL);
}

function subjectKey({ direction, subject, at: { peer } }: Change): string {
  return JSON.stringify([direction, subject, peer]);
}
