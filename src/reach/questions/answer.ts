import { groupBy } from '../../lists/group-by.js';
import { type RulePeer, rangeText } from '../packet-rule.js';
import type { DecidingRule, PlaceAnswer, Reachability } from '../report-schema.js';
import { combine, type OpenRange, type OpenRanges } from '../sets/ranges.js';
import { directionKey, toRange } from '../sets/region.js';
import { type Services, servicesText, subtract } from '../sets/services.js';
import { passUnderDoubt } from '../ways/bounds.js';
import type { Way } from '../ways/door.js';
import type { Reached } from '../ways/doors.js';
import { nameGate } from '../ways/host-names.js';
import type { Decision } from '../ways/pass.js';
import { differingZones } from '../ways/resolve-name.js';

/** Packets of a question, and the name on the stack's own side. */
export interface Question {
  readonly direction: 'ingress' | 'egress';
  readonly peer: Extract<RulePeer, { readonly kind: 'addresses' }>;
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
function waysByName(
  way: Way,
  name: string,
  vpc: string | undefined,
  { index }: Pick<Reached, 'index'>,
): Way[] {
  const [door] = way.series;
  const hosts = way.hosts.filter((one) => one.name === name);
  if (hosts.length === 0 || door === undefined || way.direction === 'egress') return [];
  const vpcs = vpc === undefined ? new Set([...hosts.flatMap((one) => one.vpcs), way.vpc]) : [vpc];
  return [...vpcs].map((one) => {
    const zones = differingZones(index, name, { vpcs: [one], elsewhere: () => undefined });
    return {
      ...way,
      vpc: one,
      series: [{ ...door, list: nameGate(hosts, one, zones?.all) }, ...way.series],
    };
  });
}

function answerPlace(
  { stack: name, subject, vpc, series, families }: Way,
  { peer, services }: Question,
  stack: Reached,
): PlaceAnswer {
  // An address of another family than all of the place's leads nowhere.
  const packets = families.includes(peer.family) ? [toRange({ peer, services })] : [];
  const { least, why: doubts, by } = passUnderDoubt(series, { family: peer.family, packets });
  const why = [...doubts, ...stack.unseen];
  const answer = why.length === 0 ? reachabilityOf(least, packets) : 'undecided';
  return {
    stack: name,
    subject,
    vpc,
    carriers: series.filter(({ list }) => list.kind !== 'gate').map(({ list }) => list.carrier),
    answer,
    part: answer === 'partly' ? least.map((range) => partText(peer.family, range)) : [],
    rules: describeRules(by(), { peer, services }, stack),
    depends: why,
  };
}

function partText(family: 4 | 6, { first, last, services }: OpenRange): string {
  return `${rangeText(family, first, last)} on ${servicesText(services)}`;
}

function reachabilityOf(open: OpenRanges, wanted: OpenRanges): Reachability {
  if (open.length === 0) return 'closed';
  return combine(wanted, open, subtract).length === 0 ? 'reachable' : 'partly';
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
      rule: rule.text,
      reason: [...new Set(reasons)].join('; '),
    };
  });
  return [...groupBy(rules, (rule) => JSON.stringify(rule)).values()].map(([rule]) => rule);
}

/** Joins the answers of all places: one that is open is a way. */
export function joinAnswers(places: readonly PlaceAnswer[]): Reachability {
  const is = (answer: Reachability) => places.some((place) => place.answer === answer);
  const order = ['reachable', 'undecided', 'partly'] as const;
  return order.find(is) ?? 'closed';
}
