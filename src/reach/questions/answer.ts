import { nameSome } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { type AddressPeer, peerName, rangeText, type Verdict } from '../packet-rule.js';
import type { DecidingRule, PlaceAnswer, Reachability } from '../report-schema.js';
import type { RuleList } from '../rules/reading.js';
import { combine, type OpenRange, type OpenRanges } from '../sets/ranges.js';
import { directionKey, toRange } from '../sets/region.js';
import { isEverything, type Services, servicesText, subtract } from '../sets/services.js';
import { type Bounds, passUnderDoubt } from '../ways/bounds.js';
import { hostsOf, type Way } from '../ways/door.js';
import type { Reached } from '../ways/doors.js';
import { nameGate } from '../ways/gates.js';
import type { Asked, Decision } from '../ways/pass.js';

/** Packets of a question, and the name on the stack's own side. */
export interface Question {
  readonly direction: 'ingress' | 'egress';
  readonly peer: AddressPeer;
  readonly services: Services;
  readonly subject: string;
  readonly vpc?: string;
}

/** Answers a question for each place that the subject is at. */
export function answerQuestion(stacks: readonly Reached[], question: Question): PlaceAnswer[] {
  return stacks.flatMap((stack) =>
    placesOf(stack, question).map((way) => answerPlace(way, question, stack)),
  );
}

/** Finds the places that a question is about: those of one subject, or all. */
export function placesOf(
  stack: Pick<Reached, 'ways' | 'index'>,
  { direction, subject, vpc }: Pick<Question, 'direction' | 'vpc'> & { readonly subject?: string },
): Way[] {
  const isThere = (way: Way) => vpc === undefined || way.vpc === '' || way.vpc === vpc;
  return stack.ways
    .filter((way) => way.direction === direction)
    .flatMap((way) =>
      subject === undefined || way.names.includes(subject)
        ? [way].filter(isThere)
        : waysByName(way, subject, vpc, stack),
    );
}

/** The way of clients that resolve a name first: in the VPC that is asked about, or in each that the stack has. */
export function waysByName(
  way: Way,
  name: string,
  vpc: string | undefined,
  { index, ways }: Pick<Reached, 'index' | 'ways'>,
): Way[] {
  const [door] = way.series;
  const hosts = hostsOf(way, name, ways);
  if (hosts.length === 0 || door === undefined) return [];
  const { carrier } = door.list;
  const vpcs = vpc === undefined ? new Set([...hosts.flatMap((one) => one.vpcs), way.vpc]) : [vpc];
  return [...vpcs].map((one) => ({
    ...way,
    vpc: one,
    series: [
      { ...door, list: nameGate(name.toLowerCase(), hosts, { vpc: one, carrier }, index) },
      ...way.series,
    ],
  }));
}

function answerPlace(way: Way, { peer, services }: Question, stack: Reached): PlaceAnswer {
  const { stack: name, subject, vpc, series } = way;
  const packets = [toRange({ peer, services })];
  const judged = judgeAt(way, { family: peer.family, packets });
  const isSeen = stack.unseen.length === 0;
  const answer = isSeen ? answerOf(judged) : 'undecided';
  return {
    stack: name,
    subject,
    vpc,
    carriers: series.filter(({ list }) => list.kind !== 'gate').map(({ list }) => list.carrier),
    answer,
    part: answer === 'partly' ? judged.pass.map((range) => partText(peer.family, range)) : [],
    rules: describeRules(judged.by(), { peer, services }, stack),
    depends: [...judged.why, ...stack.unseen],
  };
}

function partText(family: 4 | 6, { first, last, services }: OpenRange): string {
  return `${rangeText(family, first, last)} on ${servicesText(services)}`;
}

/** Packets at a place: those that pass and those that do not, for certain, and those in doubt. */
export interface Judgement extends Pick<Bounds, 'why' | 'by'> {
  readonly pass: OpenRanges;
  readonly stop: OpenRanges;
  readonly doubt: OpenRanges;
}

/** Judges packets at a place: every answer for a question and every verdict on an intent is made of this. */
export function judgeAt(
  { series, families }: Pick<Way, 'series' | 'families'>,
  asked: Asked,
): Judgement {
  // An address of another family than all of the place's leads nowhere.
  const packets = families.includes(asked.family) ? asked.packets : [];
  const { least, most, why, by } = passUnderDoubt(series, { ...asked, packets });
  const stop = combine(asked.packets, most, subtract);
  return { pass: least, stop, doubt: combine(most, least, subtract), why, by };
}

function answerOf({ pass, stop, doubt }: Judgement): Reachability {
  const parts = { reachable: pass, closed: stop, undecided: doubt } as const;
  const answers = ['reachable', 'closed', 'undecided'] as const;
  return joinAnswers(answers.filter((one) => parts[one].length > 0));
}

/** Joins the answers for several sets of packets, or places: where one passes and another does not, it is a part. */
export function joinAnswers(answers: readonly Reachability[]): Reachability {
  const isAny = (...wanted: readonly Reachability[]) => answers.some((one) => wanted.includes(one));
  const passes = isAny('reachable', 'partly');
  if (passes && isAny('closed', 'partly')) return 'partly';
  if (isAny('undecided')) return 'undecided';
  return passes ? 'reachable' : 'closed';
}

/** Describes rules that decide, each once, with the reasons that the stack states for packets. */
export function describeRules(
  by: readonly Decision[],
  asked: Pick<Question, 'peer' | 'services'>,
  { stated }: Reached,
): DecidingRule[] {
  const rules = by.map(({ door, rule }): DecidingRule => {
    const { stack, file, list } = door;
    const key = directionKey({ stack, direction: list.direction, ...asked });
    const found =
      rule.isAccept && list.kind !== 'gate' ? stated.find(key, asked.peer, asked.services) : [];
    const reasons = found.flatMap(({ subject, reason }) =>
      subject === door.subject ? reason : [],
    );
    return {
      resource: rule.resource,
      file,
      effect: rule.isAccept ? 'accept' : 'drop',
      rule: ruleText(rule, list),
      reason: [...new Set(reasons)].join('; '),
    };
  });
  return [...groupBy(rules, (rule) => JSON.stringify(rule)).values()].map(([rule]) => rule);
}

/** A rule of a list with its number, and whom and what it is for. */
function ruleText(
  { at, resource, peers, services, text }: Verdict,
  { kind, rules }: RuleList,
): string {
  if (kind === 'gate' || kind === 'listener') return text;
  const own = rules.filter((rule) => rule.at !== undefined && rule.resource === resource);
  const number = at === undefined ? '' : `rule ${at} of ${own.length} for `;
  const on = isEverything(services) ? '' : ` on ${servicesText(services)}`;
  return `${number}${nameSome(peers.map(peerName), MAX_PEERS)}${on}, ${text}`;
}

/** The limit of peers that a sentence names. */
const MAX_PEERS = 3;
