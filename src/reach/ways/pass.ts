import { PRIVATE_NETWORKS } from '../../net/cidr.js';
import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { decideInOrder, decidingRules, type Weighed } from '../rules/decide.js';
import type { RuleList } from '../rules/reading.js';
import { tieUnder } from '../rules/rule-list.js';
import { combine, everythingOf, meet, type OpenRanges, uniteAll } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { EVERYTHING, subtract } from '../sets/services.js';
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
  return { least: passAll(series, asked, DROPS), most: passAll(series, asked, ACCEPTS) };
}

/** The packets that one door may let through, whatever the answers to what is in doubt. */
export function mostThrough(door: Door, family: 4 | 6): OpenRanges {
  return passAll([door], { family, packets: everyPacket(family).packets }, ACCEPTS).open;
}

function passDoor(list: RuleList, asked: Asked, isOpen: Believed) {
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
export function weigh(list: RuleList, asked: Asked, isOpen: Believed): Weighed<Verdict>[] {
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
    const packets = meet(asked.packets, ranges);
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
