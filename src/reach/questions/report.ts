import type { PacketRule } from '../packet-rule.js';
import { REACH_SCHEMA, type ReachReport, type ReachRow } from '../report-schema.js';
import { meet } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { intersect } from '../sets/services.js';
import type { Reached } from '../ways/doors.js';
import { everyPacket, type Asked as Packets } from '../ways/pass.js';
import { answerQuestion, joinAnswers, placesOf, type Question } from './answer.js';
import { reachTable } from './table.js';
import { namesOf } from './wrong-ends.js';

/** A question with the words in which it was asked. */
type Asked =
  | { readonly from: string; readonly to: string; readonly question: Question }
  | { readonly about: NonNullable<ReachReport['about']>; readonly end: OneEnd };

/** Builds the table of stacks, or the answer to a question. */
export function reachReport(stacks: readonly Reached[], asked?: Asked): ReachReport {
  const unread = stacks.flatMap((stack) => stack.unread);
  const more = { schema: REACH_SCHEMA, unread } as const;
  if (asked === undefined) return { ...more, rows: reachTable(stacks) };
  if ('end' in asked) return { ...more, about: asked.about, rows: rowsOfEnd(stacks, asked.end) };
  const { from, to, question } = asked;
  const places = answerQuestion(stacks, question);
  return {
    ...more,
    question: { from, to, answer: joinAnswers(places.map((place) => place.answer)), places },
    rows: [],
  };
}

/** A question of which one end is given, an address or a subject; the other is asked for. */
export type OneEnd = Pick<Question, 'direction' | 'services' | 'vpc'> &
  Partial<Pick<Question, 'peer' | 'subject'>>;

/** Lists everybody that may reach an end, or everything that it may reach. */
export function rowsOfEnd(stacks: readonly Reached[], asked: OneEnd): ReachRow[] {
  const about = partsAsked(stacks, asked);
  return reachTable(about.stacks, about.packetsOf);
}

/** Stacks with what a question is about alone, and its packets. */
export interface AskedParts {
  readonly stacks: readonly Reached[];
  /** @default - every packet */
  readonly packetsOf?: ((family: 4 | 6) => Packets) | undefined;
  /** Both ends were given: each of the packets is asked about. */
  readonly isQuestion?: boolean;
}

/** Returns the parts of stacks that a question with one end, or both, is about. */
export function partsAsked(stacks: readonly Reached[], asked: OneEnd): Required<AskedParts> {
  const own = stacks.map((stack) => ({
    ...stack,
    ways: placesOf(stack, asked),
    named: stack.named.flatMap((rule) => cutRule(rule, asked)),
  }));
  const isQuestion = asked.peer !== undefined && asked.subject !== undefined;
  return { stacks: own, packetsOf: (family) => packetsOf(family, asked), isQuestion };
}

function packetsOf(family: 4 | 6, { peer, services }: OneEnd): Packets {
  const all = everyPacket(family);
  if (peer === undefined) {
    return { ...all, packets: all.packets.map((range) => ({ ...range, services })) };
  }
  return { ...all, packets: peer.family === family ? [toRange({ peer, services })] : [] };
}

/** The part of a rule that a question is about; members of a group, and who is not known, may have any address. */
function cutRule(rule: PacketRule, { direction, subject, peer, services }: OneEnd): PacketRule[] {
  const isAbout = subject === undefined || namesOf(rule).includes(subject);
  const own = { ...rule, services: intersect(rule.services, services) };
  if (rule.direction !== direction || !isAbout || own.services.length === 0) return [];
  if (peer === undefined || ['group', 'unknown'].includes(rule.peer.kind)) return [own];
  if (rule.peer.kind !== 'addresses' || rule.peer.family !== peer.family) return [];
  return meet([toRange(own)], [toRange({ peer, services })]).map(({ first, last }) => ({
    ...{ ...own, peer: { ...peer, first, last } },
  }));
}
