import { groupBy } from '../../lists/group-by.js';
import { type AddressPeer, peerName, type RulePeer } from '../packet-rule.js';
import { nameKey } from '../rules/carriers.js';
import { joinSides, splitOwnSides } from '../rules/own-sides.js';
import { EVERYONE } from '../rules/peers.js';
import type { OwnSide, RuleList } from '../rules/reading.js';
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
 * Joins the policies that decide on a place in one list, by their positions. A place has the addresses that it is
 * known by, or perhaps any: where policies are for some of them alone, the list has a part for each that they treat
 * alike. There may be thousands of policies, each for an address that is a place of its own.
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
  const order = new Map(firewalls.map((door, at) => [door, at] as const));
  const inOrder = (doors: Iterable<Door>) =>
    [...new Set(doors)].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const byName = groupBy(
    firewalls.flatMap((door) => door.of.map((name) => ({ door, key: nameKey(name) }))),
    ({ key }) => key,
  );
  const bySide = groupBy(firewalls, ({ list: { own } }) =>
    own?.kind !== 'addresses' ? 'named' : isEveryone(own) ? 'everyone' : 'some',
  );
  const of = (side: 'named' | 'everyone' | 'some') => bySide.get(side) ?? [];
  const everywhere = joinSides([
    ...of('everyone').map(({ list }) => list),
    ...of('named').map(({ list }) => doubted(list)),
  ]);
  const some = lookup(of('some'), ({ list }) => list.own);
  const [split = []] = splitOwnSides([of('some').map(({ list }) => list)]);
  const parts = lookup(split, ({ own }) => own);
  const numbers = new Map(
    Object.values(joinSides(split)).flatMap((all) => all.map((one, i) => [one, i] as const)),
  );
  // Parts with the same policies are treated alike.
  const policiesOf = ({ own, rules, unclear = [] }: OwnSide) =>
    JSON.stringify([
      own && familyOf({ peer: own }),
      ...[rules, unclear].map((all) => all.map((one) => numbers.get(one))),
    ]);
  const at = (peers: readonly RulePeer[], own: readonly Door[] = []): Door[] => {
    const place = placeOf(peers);
    const deciding = inOrder([...of('everyone'), ...of('named'), ...some(place)]);
    const [first = deciding[0]] = own;
    if (first === undefined) return [];
    const found = parts(place);
    const alike = groupBy([...found, ...elsewhere(place, found)], policiesOf);
    const sides = [...alike.values()].map(([one]) => one);
    const all = { ...first.list, ...joinSides([everywhere, ...sides]) };
    const list = sides.length < 2 ? all : { ...all, places: { everywhere, sides } };
    const carrier = deciding.map((door) => door.list.carrier).join(', ');
    return [{ ...first, list: { ...list, carrier } }];
  };
  const before = ({ of: names }: Door) => {
    const own = names.flatMap((name) => byName.get(nameKey(name)) ?? []);
    const known = inOrder(own.map(({ door }) => door));
    return at(
      known.flatMap(({ list }) => list.own ?? []),
      known,
    );
  };
  return { before, at };
}

/** The addresses of a place; undefined where some are not known, or all. */
type OwnAddresses = Readonly<Record<4 | 6, OpenRanges>> | undefined;

function placeOf(peers: readonly RulePeer[]): OwnAddresses {
  const known = peers.filter(isAddresses);
  if (known.length === 0 || known.length < peers.length) return undefined;
  return { 4: everythingOf(known, 4), 6: everythingOf(known, 6) };
}

function isAddresses(peer: RulePeer): peer is AddressPeer {
  return peer.kind === 'addresses';
}

/** Finds what is for some of the addresses of a place; all of it where those are not known. */
function lookup<T>(all: readonly T[], ownOf: (one: T) => RulePeer | undefined) {
  const rules = all.flatMap((one) => {
    const peer = ownOf(one);
    return peer === undefined ? [] : { peer, services: EVERYTHING, one };
  });
  const byFamily = new RuleLookup(rules, familyOf);
  return (place: OwnAddresses): readonly T[] => {
    if (place === undefined) return all;
    const found = FAMILIES.flatMap((family) =>
      place[family].flatMap((range) => byFamily.find(`${family}`, range, EVERYTHING)),
    );
    return [...new Set(found.map(({ one }) => one))];
  };
}

const FAMILIES = [4, 6] as const;

function familyOf({ peer }: { readonly peer: RulePeer }): string {
  return peer.kind === 'addresses' ? `${peer.family}` : peer.name;
}

/** The addresses of a place that no part has. */
function elsewhere(place: OwnAddresses, parts: readonly OwnSide[]): OwnSide[] {
  if (place === undefined) return [{ rules: [] }];
  const known = parts.flatMap(({ own }) => (own !== undefined && isAddresses(own) ? own : []));
  return FAMILIES.flatMap((family) => {
    const [range] = combine(place[family], everythingOf(known, family), subtract);
    return range === undefined ? [] : [{ own: { ...range, kind: 'addresses', family }, rules: [] }];
  });
}

function isEveryone(peer: RulePeer): boolean {
  return EVERYONE.some((all) => peerName(all) === peerName(peer));
}

/** The policies for an own side of which no addresses are known: each place may have them. */
function doubted(list: RuleList): RuleList {
  const { own, rules, unclear = [] } = list;
  const addresses = own === undefined ? 'an address of a policy' : peerName(own);
  const doubt = `Is ${addresses} the public address of this place?`;
  const all = [...rules, ...unclear].map((one) => ({ ...one, doubt: one.doubt ?? doubt }));
  return { ...list, rules: [], unclear: all };
}
