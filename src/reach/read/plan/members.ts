import { groupBy } from '../../../lists/group-by.js';
import { isMarked } from '../../../terraform/plan-json.js';
import { isUnknown, list, object } from '../json.js';

/**
 * Finds which written member of a set each planned one is, since a plan orders them otherwise: by what both have.
 * Members that nothing tells apart are as many as what is written of them, in whatever order.
 *
 * @param isOpen tells whether a written expression has a part that only the deploy knows
 * @returns for each planned member what is written of it, or all that may be where several fit
 */
export function assignMembers(
  written: readonly unknown[],
  planned: readonly unknown[],
  unknown: readonly unknown[],
  isOpen: (expression: unknown) => boolean,
): (readonly unknown[])[] {
  const places = planned.map((one, i) =>
    [...written.keys()].filter((at) => fits(written[at], one, unknown[i], isOpen)),
  );
  const kinds = [...groupBy([...planned.keys()], (i) => JSON.stringify(places[i])).values()];
  const taken = new Map<number, readonly number[]>();
  for (const alike of kinds.toSorted((a, b) => count(places, a) - count(places, b))) {
    const used = new Set([...taken.values()].flatMap((one) => (one.length === 1 ? one : [])));
    const free = (places[alike[0]] ?? []).filter((at) => !used.has(at));
    const isAll = free.length === alike.length;
    for (const [i, at] of alike.entries()) taken.set(at, isAll ? free.slice(i, i + 1) : free);
  }
  return planned.map((_, i) => (taken.get(i) ?? []).map((at) => written[at]));
}

function count(places: readonly (readonly number[])[], [first]: readonly number[]): number {
  return places[first ?? -1]?.length ?? 0;
}

function fits(
  written: unknown,
  planned: unknown,
  unknown: unknown,
  isOpen: (expression: unknown) => boolean,
): boolean {
  // The cloud fills in what nobody writes.
  if (written === undefined || written === null) return true;
  if (isUnknown(written)) return isOpen(written) === isMarked(unknown);
  if (Array.isArray(written)) {
    const members: readonly unknown[] = written;
    return members.length === list(planned).length || unknown === true;
  }
  if (object(written) !== written) {
    return !isMarked(unknown) && String(written) === String(planned);
  }
  return Object.entries(object(written)).every(([name, one]) =>
    fits(one, object(planned)[name], unknown === true || object(unknown)[name], isOpen),
  );
}
