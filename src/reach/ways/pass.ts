import { groupBy } from '../../lists/group-by.js';
import { PRIVATE_NETWORKS } from '../../net/cidr.js';
import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { joinSides, sidesOf, whichSide } from '../rules/own-sides.js';
import type { OwnPlaces, OwnSide, RuleList } from '../rules/reading.js';
import {
  areTied,
  decideInOrder,
  decidingRules,
  tieUnder,
  type Weighed,
} from '../rules/rule-list.js';
import {
  combine,
  combineFew,
  everythingOf,
  meet,
  type OpenRanges,
  uniteAll,
} from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { EVERYTHING, intersect, subtract } from '../sets/services.js';
import type { Door } from './door.js';

/** Packets to or from addresses of one family. */
export interface Asked {
  readonly family: 4 | 6;
  readonly packets: OpenRanges;
  /** Peers that are known by name alone are answered apart: they are no addresses. */
  readonly isWithoutNames?: boolean;
}

/** Every packet of a family. */
export function everyPacket(family: 4 | 6): Asked {
  const last = (1n << (family === 4 ? 32n : 128n)) - 1n;
  return { family, packets: [{ first: 0n, last, services: EVERYTHING }], isWithoutNames: true };
}

/** Answers a question in doubt, for a rule that accepts or drops. */
export type Believed = (doubt: string, isAccept: boolean) => boolean;

/** Everything in doubt holds for accepts and not for drops, or the other way round. */
export const ACCEPTS: Believed = (_, isAccept) => isAccept;
export const DROPS: Believed = (_, isAccept) => !isAccept;

export interface Passed {
  readonly open: OpenRanges;
  /** The rules that decide, door by door, in the order in which the cloud looks at them. */
  readonly by: () => readonly Decision[];
}

export interface Decision {
  readonly door: Door;
  readonly rule: Verdict;
}

/** Sends packets through doors one after the other: what the first stops the second never sees. */
export function passAll(series: readonly Door[], asked: Asked, isOpen: Believed): Passed {
  let open = asked.packets;
  const passed = series.map((door) => {
    const one = passDoor(door.list, { ...asked, packets: open }, isOpen);
    open = one.open;
    return { door, ...one };
  });
  const by = () => passed.flatMap(({ door, rules }) => rules().map((rule) => ({ door, rule })));
  return { open, by };
}

/** Sends packets through doors with everything in doubt against them, and with everything for them. */
export function passAtBounds(series: readonly Door[], asked: Asked) {
  const least = passAll(series, asked, DROPS);
  const isDoubted = series.some(({ list }) => mayDoubt(list));
  return { least, most: isDoubted ? passAll(series, asked, ACCEPTS) : least };
}

/** Tells whether something of a list can be in doubt, whatever the packets. */
function mayDoubt({ rules, unclear = [], places }: RuleList): boolean {
  const isDoubted = ({ assumes, doubt = assumes, peers }: Verdict) =>
    doubt !== undefined || peers.some(({ kind }) => kind !== 'addresses');
  return unclear.length > 0 || places !== undefined || areTied(rules) || rules.some(isDoubted);
}

function passDoor(list: RuleList, asked: Asked, isOpen: Believed) {
  const { places } = list;
  return places === undefined
    ? passList(list, asked, isOpen)
    : passPlaces(list, places, asked, isOpen);
}

/**
 * Sends packets to a place that has one of several own sides: through all of them where that is in doubt against the
 * packets, else through any. Of each side, just the packets that its own rules speak of are looked at by themselves.
 */
function passPlaces(
  list: RuleList,
  { everywhere, sides }: OwnPlaces,
  asked: Asked,
  isOpen: Believed,
) {
  const without = passList({ ...list, ...everywhere }, asked, isOpen);
  const passed = sidesOf(sides, asked.family).map((side) => {
    const met = uniteAll(weigh(side, asked, isOpen).flatMap(({ ranges }) => ranges));
    const here = { ...list, ...joinSides([everywhere, side]) };
    return { met, ...passList(here, { ...asked, packets: met }, isOpen) };
  });
  // Rules of every side speak of these, so that nowhere the others decide alone.
  const always = passed.reduce(
    (all, { met }) => (all.length === 0 ? all : meet(all, met)),
    asked.packets,
  );
  const left = { ...without, met: combine(asked.packets, always, subtract) };
  const all = [...passed, { ...left, open: combine(left.open, always, subtract) }];
  const stopped = all.flatMap(({ met, open }) => combine(met, open, subtract));
  return {
    open: isOpen(whichSide(list), true)
      ? uniteAll(all.flatMap(({ open }) => open))
      : combine(asked.packets, uniteAll(stopped), subtract),
    rules: () => {
      const deciding = all.flatMap(({ met, rules }) => (met.length === 0 ? [] : rules()));
      return [...new Set(deciding)].sort((a, b) => a.priority - b.priority);
    },
  };
}

/**
 * Returns what passes doors of which nothing in doubt is in force: neither does it let anybody in, nor does it stop
 * what others let in. Of network ACLs the order is in doubt, so that all may be let through.
 */
export function passSurely(series: readonly Door[], asked: Asked): OpenRanges {
  const byKind = groupBy(series, ({ list: { kind } }) => kind === 'acl');
  const { open: packets } = passAll(byKind.get(true) ?? [], asked, ACCEPTS);
  const certain = (byKind.get(false) ?? []).map((door) => ({
    ...{ ...door, list: certainOf(door.list, asked.family) },
  }));
  return passAll(certain, { ...asked, packets }, () => false).open;
}

/** Leaves of a list what is in force for certain, wherever the place is. */
function certainOf({ places, ...list }: RuleList, family: 4 | 6): RuleList {
  const sides = places === undefined ? [] : sidesOf(places.sides, family);
  const known = sides.map(({ rules }) => new Set(rules));
  const isCertain = (rule: Verdict) =>
    places?.everywhere.rules.includes(rule) === true || known.every((own) => own.has(rule));
  return { ...list, rules: list.rules.filter(isCertain), unclear: [] };
}

function passList(list: RuleList, asked: Asked, isOpen: Believed) {
  const { family } = asked;
  const isFirewall = list.kind === 'firewall';
  const seen = isFirewall ? combine(asked.packets, PRIVATE[family], subtract) : asked.packets;
  const weighed = weigh(list, { ...asked, packets: seen }, isOpen);
  const { accepted, refused, steps } = decideInOrder(
    weighed,
    tieUnder(list, (question) => isOpen(question, true)),
  );
  // A firewall passes what no policy decides, and does not see what stays inside.
  const open = isFirewall ? combine(asked.packets, refused, subtract) : accepted;
  return { open, rules: () => decidingRules(steps) };
}

/** The rules that are in force, each with those of the packets that it speaks of. */
export function weigh(list: OwnSide, asked: Asked, isOpen: Believed): Weighed<Verdict>[] {
  return [...(list.unclear ?? []), ...list.rules].flatMap((rule) => {
    if (!isInForce(rule, isOpen)) return [];
    const met = rule.peers.filter((peer) => isMet(peer, rule, asked, isOpen));
    const ranges = uniteAll(
      met.flatMap((peer) =>
        peer.kind === 'addresses'
          ? [toRange({ peer, services: rule.services })]
          : asked.packets.map((range) => ({ ...range, services: rule.services })),
      ),
    );
    const packets = combineFew(ranges, asked.packets, intersect);
    return packets.length === 0 ? [] : [{ rule, ranges: packets }];
  });
}

function isInForce({ assumes, doubt, isUnless, isAccept }: Verdict, isOpen: Believed): boolean {
  if (assumes !== undefined && !isOpen(assumes, isAccept)) return false;
  if (doubt === undefined) return true;
  return isUnless === true ? !isOpen(doubt, !isAccept) : isOpen(doubt, isAccept);
}

function isMet(peer: RulePeer, { isAccept }: Verdict, asked: Asked, isOpen: Believed): boolean {
  if (peer.kind === 'addresses') return peer.family === asked.family;
  if (isAccept && asked.isWithoutNames === true) return false;
  return isOpen(doubtOf(peer), isAccept);
}

const PRIVATE = { 4: everythingOf(PRIVATE_NETWORKS, 4), 6: everythingOf(PRIVATE_NETWORKS, 6) };

/** Asks whether a peer that is known by name alone has the address. */
export function doubtOf(peer: RulePeer): string {
  return `Does the address belong to ${peerName(peer)}?`;
}
