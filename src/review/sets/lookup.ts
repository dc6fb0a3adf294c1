import type { Packets } from '../reviewed-rule.js';
import type { AddressRange, OpenRange } from './ranges.js';
import { groupBy, toRange } from './region.js';
import { overlaps, type Services } from './services.js';

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

/** Finds the rules of a key that meet a range, without going through all of them. */
export class RuleLookup<T extends Packets> {
  readonly #rules: ReadonlyMap<string, readonly T[]>;
  /** Of the keys that were asked for. */
  readonly #sorted = new Map<string, Sorted<T>>();

  constructor(rules: readonly T[], keyOf: (rule: T) => string) {
    this.#rules = groupBy(rules, keyOf);
  }

  /** @param open what of the services counts; @param most so many at most */
  find(key: string, range: AddressRange, open: Services, most = Infinity): T[] {
    const sorted = this.#sorted.get(key) ?? sort(this.#rules.get(key) ?? []);
    this.#sorted.set(key, sorted);
    const found: T[] = [];
    visit(sorted, range, 0, sorted.entries.length - 1, ({ range: { services }, rule }) => {
      if (overlaps(services, open)) found.push(rule);
      return found.length >= most;
    });
    return found;
  }
}

function sort<T extends Packets>(rules: readonly T[]): Sorted<T> {
  const sorted = rules
    .map((rule) => ({ range: toRange(rule), rule }))
    .sort((a, b) => (a.range.first < b.range.first ? -1 : a.range.first > b.range.first ? 1 : 0));
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

/** Goes through the entries of a stretch that meet the range, in order; whether one was enough. */
function visit<T>(
  sorted: Sorted<T>,
  range: AddressRange,
  from: number,
  to: number,
  isEnough: (entry: Entry<T>) => boolean,
): boolean {
  const middle = (from + to) >> 1;
  const entry = sorted.entries[middle];
  if (from > to || entry === undefined || (sorted.furthest[middle] ?? -1n) < range.first) {
    return false;
  }
  if (visit(sorted, range, from, middle - 1, isEnough)) return true;
  if (entry.range.first > range.last) return false;
  if (entry.range.last >= range.first && isEnough(entry)) return true;
  return visit(sorted, range, middle + 1, to, isEnough);
}
