import { PRIVATE_NETWORKS } from '../../net/cidr.js';
import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { decideInOrder, decidingRules, type Weighed } from '../rules/decide.js';
import type { RuleList } from '../rules/reading.js';
import { tieQuestion, tieUnder } from '../rules/rule-list.js';
import { ASSUMED } from '../semantics.js';
import { combine, meet, type OpenRanges, uniteAll } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { EVERYTHING, subtract, union } from '../sets/services.js';
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
function weigh(list: RuleList, asked: Asked, isOpen: Believed): Weighed<Verdict>[] {
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

/** The questions that can decide on packets, each once. */
function doubtsOf(series: readonly Door[], asked: Asked): string[] {
  const doubts = series.flatMap(({ list }) => {
    const rules = new Set(
      [YES, NO].flatMap((all) => weigh(list, asked, all)).map(({ rule }) => rule),
    );
    return [
      ...(rules.size > 1 ? [tieQuestion(list) ?? []].flat() : []),
      ...[...rules].flatMap(({ assumes, doubt, peers }) => [
        assumes ?? [],
        doubt ?? [],
        peers.filter(({ kind }) => kind !== 'addresses').map(doubtOf),
      ]),
    ];
  });
  return [...new Set(doubts.flat(2))];
}

const PRIVATE = { 4: privateRanges(4), 6: privateRanges(6) } as const;

function privateRanges(family: 4 | 6): OpenRanges {
  return uniteAll(
    PRIVATE_NETWORKS.filter((network) => network.family === family).map(({ first, last }) => ({
      first,
      last,
      services: EVERYTHING,
    })),
  );
}

function doubtOf(peer: RulePeer): string {
  return `Does the address belong to ${peerName(peer)}?`;
}

/** A doubt as a sentence for people. */
function doubtText(doubt: string): string {
  const row = Object.entries(ASSUMED).find(([id]) => id === doubt)?.[1];
  return row === undefined ? doubt : `${row.question} (${row.open}, or ${row.closed})`;
}

const YES: Believed = () => true;
const NO: Believed = () => false;

/** All combinations of so many doubts are computed; of more, only bounds. */
const MAX_COMBINED = 6;

/** Packets that pass under some answers, and under all, with what they depend on. */
export interface Bounds {
  readonly most: OpenRanges;
  readonly least: OpenRanges;
  /** The doubts that change the result, alone or with others, as sentences. */
  readonly depends: readonly string[];
  /** All rules that decide under some answers. */
  readonly by: () => readonly Decision[];
}

/** Sends packets through doors under all combinations of answers to what is in doubt. */
export function passUnderDoubt(series: readonly Door[], asked: Asked): Bounds {
  const doubts = doubtsOf(series, asked);
  const isBounded = doubts.length > MAX_COMBINED;
  const beliefs = isBounded ? [ACCEPTS, DROPS] : combinations(doubts);
  const all = beliefs.map((believed) => passAll(series, asked, believed));
  const open = all.map((one) => one.open);
  const most = open.reduce((a, b) => combine(a, b, union));
  const least = open.reduce(meet);
  const isDecided = sameRanges(most, least);
  const decisive = isBounded ? doubts : doubts.filter((_, i) => changes(open, i));
  return {
    most,
    least,
    depends: isDecided ? [] : decisive.map(doubtText),
    by: () => all.flatMap(({ by }) => by()),
  };
}

/** Everything in doubt holds for accepts and not for drops, or the other way round. */
const ACCEPTS: Believed = (_, isAccept) => isAccept;
const DROPS: Believed = (_, isAccept) => !isAccept;

/** The packets that one door may let through, whatever the answers to what is in doubt. */
export function mostThrough(door: Door, family: 4 | 6): OpenRanges {
  return passAll([door], { family, packets: everyPacket(family).packets }, ACCEPTS).open;
}

function combinations(doubts: readonly string[]): Believed[] {
  return Array.from({ length: 2 ** doubts.length }, (_, bits): Believed => {
    const open = new Set(doubts.filter((_doubt, i) => (bits >> i) & 1));
    return (doubt) => open.has(doubt);
  });
}

/** Tells whether a doubt changes the result of any combination of the others. */
function changes(open: readonly OpenRanges[], doubt: number): boolean {
  return open.some((one, bits) => !sameRanges(one, open[bits ^ (1 << doubt)] ?? one));
}

function sameRanges(a: OpenRanges, b: OpenRanges): boolean {
  return a === b || (combine(a, b, subtract).length === 0 && combine(b, a, subtract).length === 0);
}
