/** Whole numbers from first to last, both included. */
export interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

/** A set of whole numbers: ordered spans with a gap between each two, so equal sets are equal data. */
export type Spans = readonly Span[];

export const NOTHING: Spans = [];

export function union(a: Spans, b: Spans): Spans {
  const merged: Span[] = [];
  for (const span of [...a, ...b].sort(byFirst)) {
    const before = merged.at(-1);
    if (before === undefined || span.first > before.last + 1n) merged.push(span);
    else if (span.last > before.last) {
      merged[merged.length - 1] = { first: before.first, last: span.last };
    }
  }
  return merged;
}

/** Both are in order, so each span is looked at once. */
export function subtract(a: Spans, b: Spans): Spans {
  const left: Span[] = [];
  let at = 0;
  for (const span of a) {
    let first = span.first;
    while ((b[at]?.last ?? first) < first) at += 1;
    for (let i = at; first <= span.last; i += 1) {
      const hole = b[i];
      if (hole === undefined || hole.first > span.last) {
        left.push({ first, last: span.last });
        break;
      }
      if (hole.first > first) left.push({ first, last: hole.first - 1n });
      if (hole.last + 1n > first) first = hole.last + 1n;
    }
  }
  return left;
}

export function intersect(a: Spans, b: Spans): Spans {
  const both: Span[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) break;
    const first = one.first > other.first ? one.first : other.first;
    const last = one.last < other.last ? one.last : other.last;
    if (first <= last) both.push({ first, last });
    if (one.last < other.last) i += 1;
    else j += 1;
  }
  return both;
}

export function sameSpans(a: Spans, b: Spans): boolean {
  return (
    a.length === b.length &&
    a.every(({ first, last }, i) => first === b[i]?.first && last === b[i]?.last)
  );
}

/** How many numbers are in the set. */
export function sizeOf(spans: Spans): bigint {
  return spans.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
}

function byFirst(a: Span, b: Span): number {
  return a.first < b.first ? -1 : a.first > b.first ? 1 : 0;
}

/** Whether any number is in both. */
export function overlaps(a: Spans, b: Spans): boolean {
  return intersect(a, b).length > 0;
}
