import { type Cidr, cidrCovers, cidrsOverlap, compareCidrs, toCidr } from './cidr.js';

/** The same addresses without repeats and without networks that lie in another one. */
export function irredundant(cidrs: readonly Cidr[]): Cidr[] {
  const kept: Cidr[] = [];
  for (const cidr of [...cidrs].sort(compareCidrs)) {
    const before = kept.at(-1);
    if (before === undefined || !cidrCovers(before, cidr)) kept.push(cidr);
  }
  return kept;
}

/** The same addresses, no more and no fewer, in as few networks as there can be. */
export function mergeCidrs(cidrs: readonly Cidr[]): Cidr[] {
  const merged: Cidr[] = [];
  for (const cidr of irredundant(cidrs)) {
    merged.push(cidr);
    for (;;) {
      const [lower, upper] = merged.slice(-2);
      const both = lower && upper && joined(lower, upper);
      if (!both) break;
      merged.splice(-2, 2, both);
    }
  }
  return merged;
}

/** The addresses of `a` that are not in `b`, in as few networks as there can be. */
export function subtractCidrs(a: readonly Cidr[], b: readonly Cidr[]): Cidr[] {
  return mergeCidrs(a.flatMap((cidr) => without(cidr, b)));
}

function without(cidr: Cidr, holes: readonly Cidr[]): Cidr[] {
  const near = holes.filter((hole) => cidrsOverlap(hole, cidr));
  if (near.length === 0) return [cidr];
  if (near.some((hole) => cidrCovers(hole, cidr))) return [];
  return halves(cidr).flatMap((half) => without(half, near));
}

function halves({ family, first, last, prefix }: Cidr): Cidr[] {
  const middle = first + (last - first + 1n) / 2n;
  return [first, middle].map((value) => toCidr({ family, value }, prefix + 1));
}

/** The network that consists of exactly these two. */
function joined(lower: Cidr, upper: Cidr): Cidr | undefined {
  if (lower.family !== upper.family || lower.prefix !== upper.prefix || lower.prefix === 0) {
    return undefined;
  }
  const both = toCidr({ family: lower.family, value: lower.first }, lower.prefix - 1);
  return both.first === lower.first && both.last === upper.last ? both : undefined;
}

/** Counts what networks hold of which none lies in another one. */
export function countAddresses(cidrs: readonly Cidr[]): bigint {
  return cidrs.reduce((total, { first, last }) => total + last - first + 1n, 0n);
}
