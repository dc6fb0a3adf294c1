import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../lists/group-by.js';
import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { nameKey } from '../rules/carriers.js';
import { EVERYONE } from '../rules/peers.js';
import type { RuleList } from '../rules/reading.js';
import { RuleLookup } from '../sets/lookup.js';
import { combine, everythingOf, type OpenRanges } from '../sets/ranges.js';
import { EVERYTHING, subtract } from '../sets/services.js';
import type { Door } from './door.js';

/** The policies of Cloud Firewall that packets meet. */
export interface Border {
  /** Before a place, by the addresses that it is known by. */
  readonly before: (place: Door) => Door[];
  /** Before own addresses, or none where no policy is for them. */
  readonly at: (direction: RuleList['direction'], own: RulePeer) => Door[];
}

/**
 * Joins the policies that decide on a place in one list, by their positions. Those for an address of the
 * enterprise decide if the place has that address: one that it is known by, or perhaps any. There may be
 * thousands of policies, each for an address that is a place of its own.
 */
export function borderOf(firewalls: readonly Door[]): Border {
  const directions = groupBy(firewalls, ({ list }) => list.direction);
  const borders = new Map([...directions].map(([one, all]) => [one, borderIn(all)]));
  return {
    before: (place) => borders.get(place.list.direction)?.before(place) ?? [],
    at: (direction, own) => borders.get(direction)?.at([own]) ?? [],
  };
}

function borderIn(firewalls: readonly Door[]) {
  const all = firewalls.map((door, at) => ({ door, at, side: door.list.own }));
  const bySide = new Map(all.map((one) => [one.side, one]));
  const byName = groupBy(
    all.flatMap((one) => one.door.of.map((name) => ({ ...one, name: nameKey(name) }))),
    ({ name }) => name,
  );
  const findNear = policyLookup(firewalls.map(({ list }) => list));
  const at = (peers: readonly RulePeer[], own: typeof all = []): Door[] => {
    const places = placesOf(peers);
    const met = findNear(places);
    const known = groupBy(met, (policy) => covers(policy, places));
    const [certain, doubtful] = [known.get(true) ?? [], known.get(false) ?? []];
    const sides = new Set(met.flatMap((policy) => policy.sides));
    const deciding = inOrder([...sides].flatMap((side) => bySide.get(side) ?? []));
    const [first = deciding[0]] = own;
    if (first === undefined) return [];
    const inForce = (is: boolean) =>
      certain.flatMap((one) => (one.isInForce === is ? one.verdict : []));
    const list: RuleList = {
      ...first.door.list,
      carrier: deciding.map(({ door }) => door.list.carrier).join(', '),
      rules: inForce(true),
      unclear: [...inForce(false), ...doubtful.map(doubted)],
    };
    return [{ ...first.door, list }];
  };
  const before = ({ of }: Door) => {
    const own = inOrder(of.flatMap((name) => byName.get(nameKey(name)) ?? []));
    return at(
      own.flatMap(({ door: { list } }) => list.own ?? []),
      own,
    );
  };
  return { before, at };
}

function inOrder<T extends { readonly at: number }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.at, one])).values()].sort((a, b) => a.at - b.at);
}

/** A policy with its own sides: one with several networks there is in the list of each. */
interface Policy {
  readonly verdict: Verdict;
  /** False of one that may be in force and may not. */
  readonly isInForce: boolean;
  readonly sides: readonly RulePeer[];
  readonly at: number;
}

/** Finds the policies that are for an address of a place, or may be, in their order. */
function policyLookup(lists: readonly RuleList[]): (places: Places) => readonly Policy[] {
  const all = [
    ...sidesOf(lists, ({ rules }) => rules).map((one) => ({ ...one, isInForce: true })),
    ...sidesOf(lists, ({ unclear = [] }) => unclear).map((one) => ({ ...one, isInForce: false })),
  ].map((policy, at) => ({ ...policy, at }));
  const anywhere = all.filter(({ sides }) =>
    sides.some((one) => !isAddresses(one) || isEveryone(one)),
  );
  const sides = all.flatMap((policy) =>
    policy.sides.filter(isAddresses).map((peer) => ({ peer, services: EVERYTHING, policy })),
  );
  const byAddress = new RuleLookup(sides, ({ peer }) => `${peer.family}`);
  return (places) => {
    if (places.areUnclear) return all;
    const found = FAMILIES.flatMap((family) =>
      places[family].flatMap((range) => byAddress.find(`${family}`, range, EVERYTHING)),
    );
    return inOrder([...anywhere, ...found.map(({ policy }) => policy)]);
  };
}

function sidesOf(lists: readonly RuleList[], verdicts: (list: RuleList) => readonly Verdict[]) {
  const sides = new Map<Verdict, RulePeer[]>();
  for (const list of lists) {
    for (const verdict of verdicts(list)) {
      const known = sides.get(verdict) ?? [];
      if (list.own !== undefined) known.push(list.own);
      sides.set(verdict, known);
    }
  }
  return [...sides].map(([verdict, own]) => ({ verdict, sides: own }));
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
  return everythingOf(peers.filter(isAddresses), family);
}

/** Tells whether a policy is for all addresses that a place has in their family, and not for some. */
function covers({ sides }: Policy, places: Places): boolean {
  if (sides.some(isEveryone)) return true;
  if (places.areUnclear || !sides.every(isAddresses)) return false;
  const families = FAMILIES.map((family) => [places[family], rangesOf(sides, family)] as const);
  const compared = families.filter(([own, other]) => own.length > 0 && other.length > 0);
  return compared.every(([own, other]) => combine(own, other, subtract).length === 0);
}

const FAMILIES = [4, 6] as const;

type Addresses = Extract<RulePeer, { readonly kind: 'addresses' }>;

function isAddresses(peer: RulePeer): peer is Addresses {
  return peer.kind === 'addresses';
}

function isEveryone(peer: RulePeer): boolean {
  return EVERYONE.some((all) => isDeepStrictEqual(all, peer));
}

function doubted({ verdict, sides }: Policy): Verdict {
  const addresses = sides.map(peerName).join(', ') || 'an address of a policy';
  const doubt = `Is ${addresses} the public address of this place?`;
  return { ...verdict, doubt: verdict.doubt ?? doubt };
}
