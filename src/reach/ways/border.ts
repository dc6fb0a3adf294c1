import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { EVERYONE } from '../rules/peers.js';
import type { RuleList } from '../rules/reading.js';
import { combine, everythingOf, type OpenRanges, rangesAt } from '../sets/ranges.js';
import { subtract } from '../sets/services.js';
import { type Door, isOfSame } from './door.js';

/**
 * Joins the policies that decide on a place in one list, by their positions. Those for an address of the
 * enterprise decide if the place has that address: one that it is known by, or perhaps any.
 */
export function firewallOf(place: Door, firewalls: readonly Door[]): Door[] {
  const all = firewalls.filter(({ list }) => list.direction === place.list.direction);
  const own = all.filter((door) => isOfSame(door, place));
  const places = placesOf(own.flatMap(({ list }) => list.own ?? []));
  const read = (verdicts: (list: RuleList) => readonly Verdict[]) =>
    [...sidesOf(all, verdicts)].map(([verdict, sides]) => ({
      verdict,
      sides,
      relation: relationOf(sides, places),
    }));
  const [rules, unclear] = [read((list) => list.rules), read((list) => list.unclear ?? [])];
  const met = [...rules, ...unclear].filter(({ relation }) => relation !== 'apart');
  const names = new Set(met.flatMap(({ sides }) => sides));
  const deciding = all.filter(({ list: { own: side } }) => side && names.has(side));
  const [first = deciding[0]] = own;
  if (first === undefined) return [];
  const list: RuleList = {
    ...first.list,
    carrier: deciding.map((door) => door.list.carrier).join(', '),
    rules: rules.flatMap((one) => (one.relation === 'covers' ? one.verdict : [])),
    unclear: [
      ...unclear.flatMap((one) => (one.relation === 'covers' ? one.verdict : [])),
      ...met.flatMap((one) => (one.relation === 'meets' ? doubted(one.verdict, one.sides) : [])),
    ],
  };
  return [{ ...first, list }];
}

/** The own sides of each policy: one with several networks there is in the list of each. */
function sidesOf(
  firewalls: readonly Door[],
  verdicts: (list: RuleList) => readonly Verdict[],
): Map<Verdict, RulePeer[]> {
  const sides = new Map<Verdict, RulePeer[]>();
  for (const { list } of firewalls) {
    for (const verdict of verdicts(list)) {
      sides.set(verdict, [...(sides.get(verdict) ?? []), ...(list.own ? [list.own] : [])]);
    }
  }
  return sides;
}

/** Addresses that a place is known by, as sets. */
interface Places {
  /** Some are not known, or all. */
  readonly areUnclear: boolean;
  readonly 4: OpenRanges;
  readonly 6: OpenRanges;
}

function placesOf(peers: readonly RulePeer[]): Places {
  const areUnclear = peers.length === 0 || peers.some(({ kind }) => kind !== 'addresses');
  return { areUnclear, 4: rangesOf(peers, 4), 6: rangesOf(peers, 6) };
}

function rangesOf(peers: readonly RulePeer[], family: 4 | 6): OpenRanges {
  return everythingOf(
    peers.filter((peer) => peer.kind === 'addresses'),
    family,
  );
}

/** Tells whether policies are for all addresses that a place has in their family, for some, or for none. */
function relationOf(sides: readonly RulePeer[], places: Places): 'covers' | 'meets' | 'apart' {
  if (sides.some(isEveryone)) return 'covers';
  if (places.areUnclear || sides.some(({ kind }) => kind !== 'addresses')) return 'meets';
  const families = FAMILIES.map((family) => [places[family], rangesOf(sides, family)] as const);
  const compared = families.filter(([own, other]) => own.length > 0 && other.length > 0);
  if (compared.length > 0 && compared.every(([own, other]) => isWithin(own, other))) {
    return 'covers';
  }
  return compared.some(([own, other]) => other.some((range) => rangesAt(own, range).length > 0))
    ? 'meets'
    : 'apart';
}

const FAMILIES = [4, 6] as const;

/**
 * Tells whether ranges lie within others; both have at least one. There may be thousands of
 * policies, each for one of as many addresses.
 */
function isWithin(own: OpenRanges, other: OpenRanges): boolean {
  const isSpanned =
    firstOf(other) <= firstOf(own) && (own.at(-1)?.last ?? 0n) <= (other.at(-1)?.last ?? 0n);
  return isSpanned && combine(own, other, subtract).length === 0;
}

function firstOf([range]: OpenRanges): bigint {
  return range?.first ?? 0n;
}

function isEveryone(peer: RulePeer): boolean {
  return EVERYONE.some((all) => peerName(all) === peerName(peer));
}

function doubted(verdict: Verdict, sides: readonly RulePeer[]): Verdict {
  const addresses = sides.map(peerName).join(', ') || 'an address of a policy';
  const doubt = `Is ${addresses} the public address of this place?`;
  return { ...verdict, doubt: verdict.doubt ?? doubt };
}
