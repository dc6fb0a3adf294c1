import { type ReviewedRule, rangeText } from './reviewed-rule.js';
import { combine, overlay, type Pair } from './sets/ranges.js';
import { type Cell, keyOf, type Region, toRanges } from './sets/region.js';
import { type Services, servicesText } from './sets/services.js';
import { intersect, subtract } from './sets/spans.js';

/** Packets that one tree lets through and the other does not. */
export interface Change {
  readonly effect: 'widens' | 'narrows';
  readonly stack: string;
  /** The connection option. */
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  /** A CIDR, an address, a range, or a kind and a name. */
  readonly peer: string;
  /** What was opened or closed: `tcp 443`. */
  readonly services: string;
  /** Everything that was open to the peer, and that is open to it now. */
  readonly was: string;
  readonly now: string;
  /** How many, in decimal digits; absent where the peer has a name only. */
  readonly addresses?: string;
  readonly why: string;
}

/** What two regions say about each other. */
export interface Difference {
  readonly changes: readonly Change[];
  /** Peers, ranges counted once, to which something stays open as it was. */
  readonly neutral: number;
}

/** Two sets of rules, packet by packet; `a` is before, `b` is after. */
export interface Sides {
  readonly a: { readonly region: Region; readonly rules: readonly ReviewedRule[] };
  readonly b: { readonly region: Region; readonly rules: readonly ReviewedRule[] };
}

export function difference({ a, b }: Sides): Difference {
  const reasons = { a: rulesByCell(a.rules), b: rulesByCell(b.rules) };
  const parts = partsOf(a.region, b.region);
  return {
    changes: parts.flatMap(({ key, cell, pair }) => {
      const opened = subtract(pair.b, pair.a);
      const closed = subtract(pair.a, pair.b);
      return [
        ...row('widens', cell, pair, opened, why(reasons.b.get(key), pair, opened)),
        ...row('narrows', cell, pair, closed, why(reasons.a.get(key), pair, closed)),
      ];
    }),
    neutral: keysOf(a.region, b.region).reduce(
      (sum, key) => sum + alike(a.region, b.region, key),
      0,
    ),
  };
}

function alike(a: Region, b: Region, key: string): number {
  return combine(a.get(key)?.ranges ?? [], b.get(key)?.ranges ?? [], intersect).length;
}

function keysOf(a: Region, b: Region): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort();
}

/** A part of both regions in which each lets one set of services through. */
export interface Part {
  readonly key: string;
  readonly cell: Cell;
  readonly pair: Pair;
}

/** Both regions cut into parts, cell by cell. */
export function partsOf(a: Region, b: Region): Part[] {
  return keysOf(a, b).flatMap((key) => {
    const cell = b.get(key) ?? a.get(key);
    if (cell === undefined) return [];
    const pairs = overlay(a.get(key)?.ranges ?? [], b.get(key)?.ranges ?? []);
    return pairs.map((pair) => ({ key, cell, pair }));
  });
}

/** For people: the peer that a part of a cell stands for. */
export function peerText({ peer }: Cell, { first, last }: Pick<Pair, 'first' | 'last'>): string {
  if (peer.kind === 'addresses') return rangeText(peer.family, first, last);
  return `${peer.kind} ${peer.name}`;
}

function row(
  effect: Change['effect'],
  cell: Cell,
  pair: Pair,
  services: Services,
  reason: string,
): Change[] {
  if (services.length === 0) return [];
  const { stack, via, direction, subject } = cell;
  return [
    {
      effect,
      stack,
      via,
      direction,
      subject,
      peer: peerText(cell, pair),
      services: servicesText(services),
      was: servicesText(pair.a),
      now: servicesText(pair.b),
      ...(cell.peer.kind === 'addresses' && { addresses: String(pair.last - pair.first + 1n) }),
      why: reason,
    },
  ];
}

function rulesByCell(rules: readonly ReviewedRule[]): ReadonlyMap<string, ReviewedRule[]> {
  const byCell = new Map<string, ReviewedRule[]>();
  for (const rule of rules) {
    const key = keyOf(rule);
    byCell.set(key, [...(byCell.get(key) ?? []), rule]);
  }
  return byCell;
}

/** The reasons of the rules that make a part what it is. */
function why(rules: readonly ReviewedRule[] = [], pair: Pair, services: Services): string {
  const reasons = rules
    .filter((rule) =>
      toRanges(rule).some(
        (range) =>
          range.first <= pair.last &&
          pair.first <= range.last &&
          intersect(range.services, services).length > 0,
      ),
    )
    .map(({ reason }) => reason);
  return [...new Set(reasons)].filter((reason) => reason !== '').join('; ');
}
