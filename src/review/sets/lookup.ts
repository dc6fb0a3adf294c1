import type { ReviewedRule } from '../reviewed-rule.js';
import type { OpenRange } from './ranges.js';
import { classOf, toRanges } from './region.js';
import type { Services } from './services.js';
import { overlaps } from './spans.js';

interface Entry<T> {
  readonly range: OpenRange;
  readonly rule: T;
}

interface Sorted<T> {
  readonly entries: readonly Entry<T>[];
  /** Of each entry and all before it. */
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
    const { entries = [], furthest = [] } = this.#sorted.get(keyOf(wanted)) ?? {};
    const found: T[] = [];
    for (let at = lastStart(entries, range.last); at >= 0; at -= 1) {
      if ((furthest[at] ?? -1n) < range.first) break;
      const entry = entries[at];
      if (entry === undefined || entry.range.last < range.first) continue;
      if (overlaps(entry.range.services, open)) found.push(entry.rule);
    }
    return found.reverse();
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
  for (const { range } of sorted) {
    const before = furthest.at(-1) ?? range.last;
    furthest.push(range.last > before ? range.last : before);
  }
  return { entries: sorted, furthest };
}

/** The last entry that begins at or before a number. */
function lastStart<T>(entries: readonly Entry<T>[], number: bigint): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.range.first ?? 0n) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
