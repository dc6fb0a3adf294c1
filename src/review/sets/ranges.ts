import { byFirst, joinSpans, type Services, type Span, sameSpans } from './services.js';

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
  let first = 0n;
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [one, other] = [partFrom(first, a[i]), partFrom(first, b[j])];
    const last = one.last < other.last ? one.last : other.last;
    addPair(pairs, { first, last, a: one.services, b: other.services });
    if (a[i]?.last === last) i += 1;
    if (b[j]?.last === last) j += 1;
    first = last + 1n;
  }
  return pairs;
}

/** How far from an address it is as there: what the range has open, or nothing until it begins. */
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
  for (const { first, last, ...pair } of overlay(a, b)) {
    addRange(ranges, { first, last, services: how(pair.a, pair.b) });
  }
  return ranges;
}

/** The union of many: each stretch of ranges that overlap is swept once. */
export function uniteAll(many: readonly OpenRange[]): OpenRanges {
  const ordered = many.toSorted((a, b) => compare(a.first, b.first));
  const ranges: OpenRange[] = [];
  let stretch: OpenRange[] = [];
  let last = -1n;
  const finish = () => {
    for (const range of stretch.length === 1 ? stretch : sweep(stretch)) addRange(ranges, range);
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

/** Goes from one edge of a range to the next, with the spans that are open in between. */
function sweep(byStart: readonly OpenRange[]): OpenRange[] {
  const byEnd = byStart.toSorted((a, b) => compare(a.last, b.last));
  const ranges: OpenRange[] = [];
  let open: readonly Span[] = [];
  let first = byStart[0]?.first ?? 0n;
  for (let [i, j] = [0, 0]; j < byEnd.length; ) {
    const started: Span[] = [];
    for (let range = byStart[i]; range?.first === first; range = byStart[++i]) {
      for (const span of range.services) started.push(span);
    }
    open = [...open, ...started].sort(byFirst);
    const next = byStart[i]?.first;
    const end = byEnd[j]?.last ?? first;
    const last = next === undefined || end < next ? end : next - 1n;
    addRange(ranges, { first, last, services: joinSpans(open) });
    const ended = new Map<Span, number>();
    for (let range = byEnd[j]; range?.last === last; range = byEnd[++j]) {
      for (const span of range.services) ended.set(span, (ended.get(span) ?? 0) + 1);
    }
    open = without(open, ended);
    first = last + 1n;
  }
  return ranges;
}

/** @param gone how often each is to be left out: several ranges can share a span */
function without(spans: readonly Span[], gone: Map<Span, number>): readonly Span[] {
  if (gone.size === 0) return spans;
  return spans.filter((span) => {
    const times = gone.get(span) ?? 0;
    gone.set(span, times - 1);
    return times <= 0;
  });
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

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
