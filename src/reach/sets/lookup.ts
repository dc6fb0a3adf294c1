import { groupBy } from '../group-by.js';
import type { Packets } from '../packet-rule.js';
import { type AddressRange, compare, type OpenRange } from './ranges.js';
import { toRange } from './region.js';
import { overlaps, type Services } from './services.js';

interface Entry<T> {
  readonly range: OpenRange;
  readonly rule: T;
}

/** A balanced tree of ranges in order of their beginnings. */
interface Node<T> extends Entry<T> {
  readonly left: Node<T> | undefined;
  readonly right: Node<T> | undefined;
  /** The highest address of any range in the tree. */
  readonly furthest: bigint;
}

/** Finds the rules of a key that meet a range, without going through all of them. */
export class RuleLookup<T extends Packets> {
  readonly #rules: ReadonlyMap<string, readonly T[]>;
  /** Of the keys that were asked for. */
  readonly #trees = new Map<string, Node<T> | undefined>();

  constructor(rules: readonly T[], keyOf: (rule: T) => string) {
    this.#rules = groupBy(rules, keyOf);
  }

  /** All rules, whatever their key. */
  all(): T[] {
    return [...this.#rules.values()].flat();
  }

  /** @param open what of the services counts; @param most so many at most */
  find(key: string, range: AddressRange, open: Services, most = Infinity): T[] {
    if (!this.#trees.has(key)) {
      const entries = (this.#rules.get(key) ?? []).map((rule) => ({ range: toRange(rule), rule }));
      this.#trees.set(key, grow(entries.sort((a, b) => compare(a.range.first, b.range.first))));
    }
    const found: T[] = [];
    visit(this.#trees.get(key), range, ({ range: { services }, rule }) => {
      if (overlaps(services, open)) found.push(rule);
      return found.length >= most;
    });
    return found;
  }
}

function grow<T>(all: readonly Entry<T>[], from = 0, to = all.length): Node<T> | undefined {
  const middle = (from + to) >> 1;
  const entry = all[middle];
  if (from >= to || entry === undefined) return undefined;
  const [left, right] = [grow(all, from, middle), grow(all, middle + 1, to)];
  const ends = [entry.range.last, left?.furthest ?? -1n, right?.furthest ?? -1n];
  return { ...entry, left, right, furthest: ends.reduce((a, b) => (a > b ? a : b)) };
}

/** Goes through what meets the range, in order; whether one was enough. */
function visit<T>(
  node: Node<T> | undefined,
  range: AddressRange,
  isEnough: (entry: Entry<T>) => boolean,
): boolean {
  if (node === undefined || node.furthest < range.first) return false;
  if (visit(node.left, range, isEnough)) return true;
  if (node.range.first > range.last) return false;
  if (node.range.last >= range.first && isEnough(node)) return true;
  return visit(node.right, range, isEnough);
}
