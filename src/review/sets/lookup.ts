import type { ReviewedRule } from '../reviewed-rule.js';
import type { OpenRange } from './ranges.js';
import { classOf, toRanges } from './region.js';
import type { Services } from './services.js';
import { overlaps } from './spans.js';

interface Entry<T> {
  readonly range: OpenRange;
  readonly rule: T;
}

/** In order of their beginnings, as a balanced tree: the middle of a stretch is its root. */
interface Sorted<T> {
  readonly entries: readonly Entry<T>[];
  /** How far any entry of the stretch reaches of which this one is the middle. */
  readonly furthest: readonly bigint[];
}

type Rule = Pick<ReviewedRule, 'stack' | 'direction' | 'peer' | 'services'>;

/** Finds the rules of a stack and a direction that meet a range, without going through all of them. */
export class RuleLookup<T extends Rule> {
  readonly #sorted = new Map<string, Sorted<T>>();

  constructor(rules: readonly T[]) {
    const groups = new Map<string, Entry<T>[]>();
    for (const rule of rules) {
      const key = keyOf(rule);
      const group = groups.get(key);
      const entries = toRanges(rule).map((range) => ({ range, rule }));
      if (group === undefined) groups.set(key, entries);
      else group.push(...entries);
    }
    for (const [key, entries] of groups) this.#sorted.set(key, sort(entries));
  }

  /** @param open what of the services counts */
  find(wanted: Rule, range: Pick<OpenRange, 'first' | 'last'>, open: Services): T[] {
    const found: T[] = [];
    const sorted = this.#sorted.get(keyOf(wanted));
    if (sorted === undefined) return found;
    visit(sorted, range, 0, sorted.entries.length - 1, ({ range: { services }, rule }) => {
      if (overlaps(services, open)) found.push(rule);
    });
    return found;
  }
}

function keyOf({ stack, direction, peer }: Rule): string {
  const kind = classOf(peer);
  return JSON.stringify([stack, direction, kind.kind === 'addresses' ? kind.family : peer]);
}

function sort<T>(entries: readonly Entry<T>[]): Sorted<T> {
  const sorted = entries.toSorted((a, b) =>
    a.range.first < b.range.first ? -1 : a.range.first > b.range.first ? 1 : 0,
  );
  const furthest: bigint[] = [];
  reach(0, sorted.length - 1);
  return { entries: sorted, furthest };

  function reach(from: number, to: number): bigint {
    const middle = (from + to) >> 1;
    const entry = sorted[middle];
    if (from > to || entry === undefined) return -1n;
    const ends = [entry.range.last, reach(from, middle - 1), reach(middle + 1, to)];
    const most = ends.reduce((a, b) => (a > b ? a : b));
    furthest[middle] = most;
    return most;
  }
}

/** Calls back for each entry of a stretch that meets the range, in order. */
function visit<T>(
  sorted: Sorted<T>,
  range: Pick<OpenRange, 'first' | 'last'>,
  from: number,
  to: number,
  meet: (entry: Entry<T>) => void,
): void {
  const middle = (from + to) >> 1;
  const entry = sorted.entries[middle];
  if (from > to || entry === undefined || (sorted.furthest[middle] ?? -1n) < range.first) return;
  visit(sorted, range, from, middle - 1, meet);
  if (entry.range.first > range.last) return;
  if (entry.range.last >= range.first) meet(entry);
  visit(sorted, range, middle + 1, to, meet);
}
