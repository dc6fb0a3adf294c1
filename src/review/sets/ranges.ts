import type { Services } from './services.js';
import { type Spans, sameSpans, union } from './spans.js';

/** Neighbouring addresses to which the same services are open. */
export interface OpenRange {
  readonly first: bigint;
  readonly last: bigint;
  readonly services: Services;
}

/** Addresses and services at once: ordered, and no two neighbours alike, so equal sets are equal data. */
export type OpenRanges = readonly OpenRange[];

/** Neighbouring addresses with what is open in each of two sets. */
export interface Pair {
  readonly first: bigint;
  readonly last: bigint;
  readonly a: Services;
  readonly b: Services;
}

/** Lays two sets over each other; addresses with nothing open in both are left out. */
export function overlay(a: OpenRanges, b: OpenRanges): Pair[] {
  const edges = [...new Set([...a, ...b].flatMap(({ first, last }) => [first, last + 1n]))].sort(
    (x, y) => (x < y ? -1 : x > y ? 1 : 0),
  );
  const openIn = [walker(a), walker(b)] as const;
  const pairs: Pair[] = [];
  for (const [i, first] of edges.entries()) {
    const next = edges[i + 1];
    if (next === undefined) break;
    const pair = { first, last: next - 1n, a: openIn[0](first), b: openIn[1](first) };
    if (pair.a.length === 0 && pair.b.length === 0) continue;
    const before = pairs.at(-1);
    if (before !== undefined && continues(before, pair)) {
      pairs[pairs.length - 1] = { ...before, last: pair.last };
    } else pairs.push(pair);
  }
  return pairs;
}

/** A set made of two, address by address. */
export function combine(
  a: OpenRanges,
  b: OpenRanges,
  how: (a: Spans, b: Spans) => Spans,
): OpenRange[] {
  const ranges: OpenRange[] = [];
  for (const pair of overlay(a, b)) {
    const services = how(pair.a, pair.b);
    if (services.length === 0) continue;
    const before = ranges.at(-1);
    const isSame =
      before !== undefined &&
      before.last + 1n === pair.first &&
      sameSpans(before.services, services);
    if (isSame) ranges[ranges.length - 1] = { ...before, last: pair.last };
    else ranges.push({ first: pair.first, last: pair.last, services });
  }
  return ranges;
}

/** The union of many, halving, so that thousands stay fast. */
export function uniteAll(many: readonly OpenRanges[]): OpenRanges {
  if (many.length <= 1) return many[0] ?? [];
  const half = many.length >> 1;
  return combine(uniteAll(many.slice(0, half)), uniteAll(many.slice(half)), union);
}

/** What is open at addresses that are asked in ascending order. */
function walker(ranges: OpenRanges): (address: bigint) => Services {
  let at = 0;
  return (address) => {
    while ((ranges[at]?.last ?? address) < address) at += 1;
    const range = ranges[at];
    return range !== undefined && range.first <= address ? range.services : [];
  };
}

function continues(before: Pair, pair: Pair): boolean {
  return (
    before.last + 1n === pair.first && sameSpans(before.a, pair.a) && sameSpans(before.b, pair.b)
  );
}
