import { groupBy } from '../group-by.js';
import { type PacketRule, peerName } from '../packet-rule.js';
import type { Verdict } from '../rules/decide.js';
import { ALL_CLOSED, ALL_OPEN, type Answers, ASSUMED, type AssumedId } from '../semantics.js';
import { combine, type OpenRanges } from '../sets/ranges.js';
import { directionKey, toRange } from '../sets/region.js';
import { intersect, subtract, union } from '../sets/services.js';
import { type Asked, type Decided, type Doubt, decidePackets } from './decide-packets.js';
import type { Door, Reached } from './doors.js';

export type Reachability = 'reachable' | 'closed' | 'partly' | 'undecided';

/** A rule that decides, for people. */
export interface DecidingRule {
  readonly resource: string;
  readonly file: string;
  readonly effect: 'accept' | 'drop';
  readonly rule: string;
  /** Reasons of the access rules that allow it; empty where none states it. */
  readonly reason: string;
}

/** The answer for one subject in one VPC. */
export interface PlaceAnswer {
  readonly stack: string;
  readonly subject: string;
  readonly vpc: string;
  /** The lists that guard it: several are passed one after the other. */
  readonly carriers: readonly string[];
  readonly answer: Reachability;
  readonly rules: readonly DecidingRule[];
  /** Reasons why it is undecided, a sentence each. */
  readonly depends: readonly string[];
}

/** Packets of a question, and the name on the stack's own side. */
export interface Question extends Asked {
  readonly direction: 'ingress' | 'egress';
  readonly subject: string;
  readonly vpc?: string;
}

/** Answers a question for each place that the subject is at. */
export function answerQuestion(stacks: readonly Reached[], question: Question): PlaceAnswer[] {
  return stacks.flatMap((stack) => {
    const doors = stack.doors.filter((door) => isMeant(door, question));
    const firewalls = doors.filter(({ list }) => list.kind === 'firewall');
    const others = doors.filter(({ list }) => list.kind !== 'firewall');
    // A firewall stands before each place; alone it is all that is known.
    const places =
      others.length > 0
        ? others.map((door) => [door, ...aclsOf(door, stack), ...firewalls])
        : [firewalls];
    return places
      .filter(({ length }) => length > 0)
      .map((series) => answerPlace(series, question, stack));
  });
}

/** The network ACLs of the subnets that a door is in. */
function aclsOf({ subnets, list: { direction } }: Door, { doors }: Reached): Door[] {
  return doors.filter(
    ({ list, subnets: guarded }) =>
      list.kind === 'acl' &&
      list.direction === direction &&
      guarded.some((subnet) => subnets.includes(subnet)),
  );
}

/** Subjects by the name that access rules have, by carrier, or by the address of a resource. */
function isMeant({ subject, vpc, list }: Door, question: Question): boolean {
  if (list.kind === 'acl' || list.direction !== question.direction) return false;
  if (question.vpc !== undefined && vpc !== '' && vpc !== question.vpc) return false;
  const [carrier = ''] = list.carrier.split(' ');
  const names = [subject, list.carrier, carrier, ...list.rules.map(({ resource }) => resource)];
  return names.includes(question.subject);
}

function answerPlace(series: readonly Door[], asked: Asked, stack: Reached): PlaceAnswer {
  const wanted = [toRange(asked)];
  const run = (doubt: Doubt) => passAll(series, asked, doubt);
  const [widest, narrowest] = [run(OPEN), run(CLOSED)];
  const [most, least] = [widest.open, narrowest.open];
  const isDecided = combine(most, least, subtract).length === 0;
  const [first] = series;
  return {
    stack: stack.name,
    subject: first?.subject ?? '',
    vpc: first?.vpc ?? '',
    carriers: series.map(({ list }) => list.carrier),
    answer: isDecided ? reachabilityOf(least, wanted) : 'undecided',
    rules: toRules([...widest.by, ...(isDecided ? [] : narrowest.by)], asked, stack),
    depends: isDecided ? [] : reasonsOf(run, most, [...widest.by, ...narrowest.by]),
  };
}

const OPEN: Doubt = { answers: ALL_OPEN, names: 'open' };
const CLOSED: Doubt = { answers: ALL_CLOSED, names: 'closed' };

interface Passed {
  readonly open: OpenRanges;
  readonly by: readonly { readonly door: Door; readonly rule: Verdict }[];
}

/** Sends packets through doors one after the other: what the first stops the second never sees. */
function passAll(series: readonly Door[], asked: Asked, doubt: Doubt): Passed {
  let open: OpenRanges = [toRange(asked)];
  const by: { door: Door; rule: Verdict }[] = [];
  for (const door of series) {
    const decided = decidePackets(door.list, asked, doubt);
    by.push(...decided.by.map((rule) => ({ door, rule })));
    open = combine(open, openOf(door, decided), intersect);
  }
  return { open, by };
}

/** Adds undecided packets to the open ones for a firewall; groups and listeners drop them. */
function openOf({ list }: Door, { open, undecided }: Decided): OpenRanges {
  return list.kind === 'firewall' ? combine(open, undecided, union) : open;
}

export function reachabilityOf(open: OpenRanges, wanted: OpenRanges): Reachability {
  const within = combine(open, wanted, intersect);
  if (within.length === 0) return 'closed';
  return combine(wanted, within, subtract).length === 0 ? 'reachable' : 'partly';
}

/** Names what the answer depends on: each question of the cloud that alone changes it, and each name. */
function reasonsOf(run: (doubt: Doubt) => Passed, most: OpenRanges, by: Passed['by']): string[] {
  const changes = (doubt: Doubt) => combine(most, run(doubt).open, subtract).length > 0;
  const ids = Object.keys(ASSUMED).filter((id): id is AssumedId => id in ASSUMED);
  const rows = ids.filter((id) => {
    const answers: Answers = { ...ALL_OPEN, [id]: 'closed' };
    return changes({ ...OPEN, answers });
  });
  const names = by.flatMap(({ rule }) => rule.peers.filter(({ kind }) => kind !== 'addresses'));
  return [
    ...rows.map((id) => `${ASSUMED[id].question} (${ASSUMED[id].open}, or ${ASSUMED[id].closed})`),
    ...new Set(names.map((peer) => `Does the address belong to ${peerName(peer)}?`)),
  ];
}

function toRules(by: Passed['by'], asked: Asked, { stated }: Reached): DecidingRule[] {
  const rules = by.map(({ door, rule }): DecidingRule => {
    const { stack, file, list } = door;
    const key = directionKey({ stack, direction: list.direction, ...asked });
    const found = rule.isAccept ? stated.find(key, asked.peer, asked.services) : [];
    const own = found.filter(({ subject }) => subject === door.subject);
    return {
      resource: rule.resource,
      file,
      effect: rule.isAccept ? 'accept' : 'drop',
      rule: rule.text,
      reason: reasonText(own),
    };
  });
  return [...groupBy(rules, (rule) => JSON.stringify(rule)).values()].map(([rule]) => rule);
}

function reasonText(rules: readonly PacketRule[]): string {
  return [...new Set(rules.map(({ reason }) => reason))].join('; ');
}

/** Joins the answers of all places: one that is open is a way. */
export function joinAnswers(places: readonly PlaceAnswer[]): Reachability {
  const is = (answer: Reachability) => places.some((place) => place.answer === answer);
  const order = ['reachable', 'undecided', 'partly'] as const;
  return order.find(is) ?? 'closed';
}
