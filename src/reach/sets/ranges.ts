import {
  EVERYTHING,
  intersect,
  type Services,
  sameSpans,
  type subtract,
  union,
} from './services.js';

/** Neighbouring addresses, both ends included. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Neighbouring addresses to which the same services are open. */
export interface OpenRange extends AddressRange {
  readonly services: Services;
}

/** Addresses and services at once: ordered, and no two neighbours alike, so equal sets are equal data. */
export type OpenRanges = readonly OpenRange[];

/** Neighbouring addresses with what is open in each of two sets. */
export interface Pair extends AddressRange {
  readonly a: Services;
  readonly b: Services;
}

/** Lays two sets over each other; addresses with nothing open in both are left out. */
export function overlay(a: OpenRanges, b: OpenRanges): Pair[] {
  const pairs: Pair[] = [];
  sweep(a, b, (first, last, one, other) => {
    addPair(pairs, { first, last, a: one.services, b: other.services });
  });
  return pairs;
}

/** Goes through two sets stretch by stretch. */
function sweep(
  a: OpenRanges,
  b: OpenRanges,
  visit: (first: bigint, last: bigint, a: OpenRange, b: OpenRange) => void,
): void {
  let first = 0n;
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [one, other] = [partFrom(first, a[i]), partFrom(first, b[j])];
    const last = one.last < other.last ? one.last : other.last;
    visit(first, last, one, other);
    if (a[i]?.last === last) i += 1;
    if (b[j]?.last === last) j += 1;
    first = last + 1n;
  }
}

/**
 * Computes the first stretch from an address on: what the range has open, or nothing until it
 * begins.
 */
function partFrom(first: bigint, range: OpenRange | undefined): OpenRange {
  if (range === undefined) return { first, last: PAST_ALL, services: NOTHING };
  return range.first <= first ? range : { first, last: range.first - 1n, services: NOTHING };
}

const NOTHING: Services = [];

/** No address is as large. */
const PAST_ALL = 1n << 128n;

/** A set made of two, address by address. */
export function combine(
  a: OpenRanges,
  b: OpenRanges,
  how: (a: Services, b: Services) => Services,
): OpenRange[] {
  const ranges: OpenRange[] = [];
  sweep(a, b, (first, last, one, other) => {
    const services = how(one.services, other.services);
    // What stays as it was stays the same object: large sets are mostly that.
    const kept = [one, other].find(
      (part) => part.services === services && part.first === first && part.last === last,
    );
    addRange(ranges, kept ?? { first, last, services });
  });
  return ranges;
}

/** The packets that are in both sets. */
export function meet(a: OpenRanges, b: OpenRanges): OpenRanges {
  return combine(a, b, intersect);
}

/** Finds the ranges of a set that meet another one, by halves: there can be thousands. */
export function rangesAt(ranges: OpenRanges, range: AddressRange): OpenRanges {
  return ranges.slice(...placeOf(ranges, range));
}

/** The union with a few ranges: of a large set, only what is near them is gone through. */
export function withRanges(ranges: OpenRanges, few: OpenRanges): OpenRanges {
  const span = hullOf(few);
  if (span === undefined) return ranges;
  const [from, to] = placeOf(ranges, { first: span.first - 1n, last: span.last + 1n });
  const near = combine(ranges.slice(from, to), few, union);
  return [...ranges.slice(0, from), ...near, ...ranges.slice(to)];
}

/** A set made of a few ranges and a large set, which adds nothing elsewhere: only what is near them is gone through. */
export function combineFew(
  few: OpenRanges,
  ranges: OpenRanges,
  how: typeof intersect | typeof subtract,
): OpenRanges {
  const span = hullOf(few);
  return span === undefined ? few : combine(few, rangesAt(ranges, span), how);
}

function hullOf(ranges: OpenRanges): AddressRange | undefined {
  const [begin, end] = [ranges[0], ranges.at(-1)];
  return begin && end && { first: begin.first, last: end.last };
}

/** The indexes between which ranges meet another one. */
function placeOf(ranges: OpenRanges, { first, last }: AddressRange): [from: number, to: number] {
  return [
    firstNot(ranges, (range) => range.last < first),
    firstNot(ranges, (range) => range.first <= last),
  ];
}

/** Finds the index of the first in an ordered list that is not before something, by halves. */
export function firstNot<T>(all: readonly T[], isBefore: (one: T) => boolean): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = all[middle];
    if (one !== undefined && isBefore(one)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The union of many: of ranges that overlap, stretch by stretch. */
export function uniteAll(many: readonly OpenRange[]): OpenRanges {
  const ordered = many.toSorted((a, b) => compare(a.first, b.first));
  const ranges: OpenRange[] = [];
  let stretch: OpenRange[] = [];
  let last = -1n;
  const finish = () => {
    for (const range of unite(stretch)) addRange(ranges, range);
  };
  for (const range of ordered) {
    if (range.first > last) {
      finish();
      stretch = [];
    }
    stretch.push(range);
    if (range.last > last) last = range.last;
  }
  finish();
  return ranges;
}

/** Those of networks that are of one family, with every service. */
export function everythingOf(
  networks: readonly (AddressRange & { readonly family: 4 | 6 })[],
  family: 4 | 6,
): OpenRanges {
  const own = networks.filter((network) => network.family === family);
  return uniteAll(own.map(({ first, last }) => ({ first, last, services: EVERYTHING })));
}

/** Half by half, so that no range is joined with all that came before it. */
function unite(many: readonly OpenRange[]): OpenRanges {
  if (many.length < 2) return many;
  const middle = many.length >> 1;
  return combine(unite(many.slice(0, middle)), unite(many.slice(middle)), union);
}

/** Appends what is open, to the range before where that is the same. */
function addRange(ranges: OpenRange[], range: OpenRange): void {
  if (range.services.length === 0) return;
  append(ranges, range, (before) => sameSpans(before.services, range.services));
}

function addPair(pairs: Pair[], pair: Pair): void {
  if (pair.a.length === 0 && pair.b.length === 0) return;
  append(pairs, pair, (before) => sameSpans(before.a, pair.a) && sameSpans(before.b, pair.b));
}

function append<T extends AddressRange>(all: T[], next: T, isAlike: (before: T) => boolean): void {
  const before = all.at(-1);
  if (before !== undefined && before.last + 1n === next.first && isAlike(before)) {
    all[all.length - 1] = { ...before, last: next.last };
  } else all.push(next);
}

export function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
