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

export function subtract(a: Spans, b: Spans): Spans {
  return a.flatMap((span) => {
    const left: Span[] = [];
    let first = span.first;
    for (const hole of b) {
      if (hole.last < first || hole.first > span.last) continue;
      if (hole.first > first) left.push({ first, last: hole.first - 1n });
      first = hole.last + 1n;
    }
    return first <= span.last ? [...left, { first, last: span.last }] : left;
  });
}

export function intersect(a: Spans, b: Spans): Spans {
  return subtract(a, subtract(a, b));
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
