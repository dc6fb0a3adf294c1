import { type ReviewedRule, rangeText } from './reviewed-rule.js';
import { RuleLookup } from './sets/lookup.js';
import { combine, overlay, type Pair } from './sets/ranges.js';
import type { Cell, Region } from './sets/region.js';
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
  readonly why: string;
  /** Exceptions of the access rules that state it; absent where none does. */
  readonly exception?: string;
  /** Terraform's addresses of the resources that open or opened it; empty where none does. */
  readonly through: string;
  /** How many, in decimal digits; absent where the peer has a name only. */
  readonly addresses?: string;
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

/** Finds the access rules that state a change; without it a rule states itself. */
export type FindStated = (
  side: 'a' | 'b',
  cell: Cell,
  range: Pick<Pair, 'first' | 'last'>,
  services: Services,
) => readonly ReviewedRule[];

export function difference({ a, b }: Sides, findStated?: FindStated): Difference {
  const lookups = { a: new RuleLookup(a.rules), b: new RuleLookup(b.rules) };
  return {
    changes: partsOf(a.region, b.region).flatMap(({ cell, pair }) => [
      ...toChange('widens', cell, pair, subtract(pair.b, pair.a), 'b'),
      ...toChange('narrows', cell, pair, subtract(pair.a, pair.b), 'a'),
    ]),
    neutral: keysOf(a.region, b.region).reduce(
      (sum, key) => sum + alike(a.region, b.region, key),
      0,
    ),
  };

  function toChange(
    effect: Change['effect'],
    cell: Cell,
    pair: Pair,
    services: Services,
    side: 'a' | 'b',
  ): Change[] {
    if (services.length === 0) return [];
    const sample = sampleOf(cell, pair, services);
    const rules = lookups[side]
      .find(sample, pair, services)
      .filter(
        (rule) =>
          rule.carrier === cell.carrier &&
          (cell.carrier !== undefined || (rule.via === cell.via && rule.subject === cell.subject)),
      );
    const stated = findStated?.(side, cell, pair, services) ?? rules;
    const exception = joined(stated.map((rule) => exceptionText(rule)));
    return [
      {
        ...row(
          effect,
          cell,
          pair,
          services,
          joined(stated.map(({ reason }) => reason)),
          joined(rules.map(({ resource = '' }) => resource)),
        ),
        ...(exception !== '' && { exception }),
      },
    ];
  }
}

/** A rule that asks for what a part of a cell is. */
export function sampleOf(
  { stack, direction, peer }: Cell,
  { first, last }: Pick<Pair, 'first' | 'last'>,
  services: Services,
) {
  const asked = peer.kind === 'addresses' ? { ...peer, first, last } : peer;
  return { stack, direction, peer: asked, services };
}

/** For people: until when, by whom and why; empty where the rule has no exception. */
export function exceptionText({ exception }: Pick<ReviewedRule, 'exception'>): string {
  if (exception === undefined) return '';
  const { expires, owner, reason } = exception;
  return `until ${expires}, ${owner}: ${reason}`;
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].filter((one) => one !== '').join('; ');
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
  why: string,
  through: string,
): Change {
  const { stack, via, direction, subject, peer } = cell;
  return {
    effect,
    stack,
    via,
    direction,
    subject,
    peer: peerText(cell, pair),
    services: servicesText(services),
    was: servicesText(pair.a),
    now: servicesText(pair.b),
    why,
    through,
    ...(peer.kind === 'addresses' && { addresses: String(pair.last - pair.first + 1n) }),
  };
}
