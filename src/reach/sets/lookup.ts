import { groupBy } from '../../lists/group-by.js';
import type { Packets } from '../packet-rule.js';
import { type AddressRange, compare } from './ranges.js';
import { overlaps, type Services } from './services.js';

/** Rules in order of their beginnings: a balanced tree, with the middle of a stretch as its root. */
interface Ordered<T> {
  readonly rules: readonly T[];
  readonly first: readonly bigint[];
  readonly last: readonly bigint[];
  /** The highest address of any rule in the tree of each root. */
  readonly furthest: bigint[];
}

/** Finds the rules of a key that meet a range, without going through all of them. */
export class RuleLookup<T extends Packets> {
  readonly #rules: ReadonlyMap<string, readonly T[]>;
  /** The ordered values of the keys that were asked for. */
  readonly #ordered = new Map<string, Ordered<T>>();

  constructor(rules: readonly T[], keyOf: (rule: T) => string) {
    this.#rules = groupBy(rules, keyOf);
  }

  /** All rules, whatever their key. */
  all(): T[] {
    return [...this.#rules.values()].flat();
  }

  /** @param open what of the services counts; @param most so many at most */
  find(key: string, range: AddressRange, open: Services, most = Infinity): T[] {
    const ordered = this.#ordered.get(key) ?? order(this.#rules.get(key) ?? []);
    this.#ordered.set(key, ordered);
    const found: T[] = [];
    visit(ordered, range, (rule) => {
      if (overlaps(rule.services, open)) found.push(rule);
      return found.length >= most;
    });
    return found;
  }
}

function order<T extends Packets>(all: readonly T[]): Ordered<T> {
  const rules = all.toSorted((a, b) => compare(firstOf(a), firstOf(b)));
  const last = rules.map(({ peer }) => (peer.kind === 'addresses' ? peer.last : 0n));
  const furthest = [...last];
  const raise = (from: number, to: number): bigint => {
    if (from >= to) return -1n;
    const middle = (from + to) >> 1;
    let highest = last[middle] ?? -1n;
    for (const other of [raise(from, middle), raise(middle + 1, to)]) {
      if (other > highest) highest = other;
    }
    furthest[middle] = highest;
    return highest;
  };
  raise(0, rules.length);
  return { rules, first: rules.map(firstOf), last, furthest };
}

function firstOf({ peer }: Packets): bigint {
  return peer.kind === 'addresses' ? peer.first : 0n;
}

/** Goes through what meets the range, in order; whether one was enough. */
function visit<T extends Packets>(
  ordered: Ordered<T>,
  range: AddressRange,
  isEnough: (rule: T) => boolean,
  from = 0,
  to = ordered.rules.length,
): boolean {
  const middle = (from + to) >> 1;
  const rule = ordered.rules[middle];
  const [first = 0n, last = 0n] = [ordered.first[middle], ordered.last[middle]];
  if (from >= to || rule === undefined || (ordered.furthest[middle] ?? -1n) < range.first) {
    return false;
  }
  if (visit(ordered, range, isEnough, from, middle)) return true;
  if (first > range.last) return false;
  if (last >= range.first && isEnough(rule)) return true;
  return visit(ordered, range, isEnough, middle + 1, to);
}
