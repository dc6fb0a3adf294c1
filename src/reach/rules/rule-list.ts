import { groupBy } from '../../lists/group-by.js';
import type { Verdict } from '../packet-rule.js';
import type { AssumedId } from '../semantics.js';
import { combine, combineFew, type OpenRanges, uniteAll, withRanges } from '../sets/ranges.js';
import { cellKey, peerOf, toRange } from '../sets/region.js';
import { intersect, subtract } from '../sets/services.js';
import type { EffectiveFlow, Reading, RuleList } from './reading.js';

type Side = 'accepted' | 'refused';

/** The facts of a rule that decide. */
type Ordered = Pick<Verdict, 'priority' | 'isAccept'>;

/** A rule with the packets that it speaks of. */
export interface Weighed<Rule extends Ordered> {
  readonly rule: Rule;
  readonly ranges: OpenRanges;
}

/**
 * Decides by the rule that each packet meets first: at one priority a refusal, unless said
 * otherwise. Packets of different classes of peers are decided apart.
 */
function decide(
  rules: readonly Pick<Verdict, 'priority' | 'isAccept' | 'peers' | 'services'>[],
  tie: Side = 'refused',
) {
  const packets = rules.flatMap((rule) =>
    rule.peers.map((peer) => ({
      rule,
      peer,
      ranges: [toRange({ peer, services: rule.services })],
    })),
  );
  const classes = [...groupBy(packets, cellKey).values()].map((alike) => ({
    peer: alike[0].peer,
    decided: decideInOrder(alike, tie),
  }));
  const all = (side: Side) =>
    classes.flatMap(({ peer, decided: { [side]: ranges } }) =>
      ranges.map((range) => ({ peer: peerOf({ peer }, range), services: range.services })),
    );
  return { accepted: all('accepted'), refused: all('refused') };
}

/** Decides packets of one class of peers. */
export function decideInOrder<Rule extends Ordered>(
  weighed: readonly Weighed<Rule>[],
  tie: Side,
): Readonly<Record<Side, OpenRanges>> & { readonly steps: readonly Step<Rule>[] } {
  const decided: Record<Side, OpenRanges> = { accepted: [], refused: [] };
  let before: OpenRanges = [];
  const steps: Step<Rule>[] = [];
  const order: Side[] = tie === 'refused' ? [tie, 'accepted'] : [tie, 'refused'];
  const byPriority = groupBy(weighed, ({ rule }) => rule.priority);
  for (const [, alike] of [...byPriority].sort(([a], [b]) => a - b)) {
    for (const side of order) {
      const next = alike.filter(({ rule }) => rule.isAccept === (side === 'accepted'));
      const fresh = combineFew(uniteAll(next.flatMap(({ ranges }) => ranges)), before, subtract);
      decided[side] = withRanges(decided[side], fresh);
      before = withRanges(before, fresh);
      if (fresh.length > 0) steps.push({ fresh, rules: next });
    }
  }
  return { ...decided, steps };
}

/** Packets that rules of one priority decide, of those that no rule before them does. */
export interface Step<Rule extends Ordered> {
  readonly fresh: OpenRanges;
  readonly rules: readonly Weighed<Rule>[];
}

/** Lists the rules that decide, in the order in which the cloud looks at them. */
export function decidingRules<Rule extends Ordered>(steps: readonly Step<Rule>[]): Rule[] {
  return steps.flatMap(({ fresh, rules }) =>
    rules
      .filter(({ ranges }) => combine(ranges, fresh, intersect).length > 0)
      .map(({ rule }) => rule),
  );
}

type Tied = Pick<RuleList, 'kind'>;

/** Returns which side of equal priority comes first. */
export function tieUnder(list: Tied, isOpen: (question: AssumedId) => boolean): Side {
  const question = tieQuestion(list);
  return question !== undefined && isOpen(question) ? 'accepted' : 'refused';
}

/** The question that each kind of list leaves open. */
export const QUESTIONS: Readonly<Record<RuleList['kind'], AssumedId | undefined>> = {
  group: 'group-outward',
  firewall: 'firewall-same-position',
  acl: 'network-acl-order',
  listener: undefined,
  gate: undefined,
};

/** The question that a tie depends on; undefined where no tie is in doubt. */
export function tieQuestion({ kind }: Tied): AssumedId | undefined {
  return kind === 'group' ? undefined : QUESTIONS[kind];
}

/** Tells whether an accept and a drop have one priority. */
export function areTied(rules: readonly Pick<Verdict, 'priority' | 'isAccept'>[]): boolean {
  const sides = new Map(rules.map(({ priority, isAccept }) => [priority, isAccept]));
  return rules.some(({ priority, isAccept }) => sides.get(priority) !== isAccept);
}

/**
 * Computes what lists let through, and what firewalls deny.
 *
 * @param isOpen whatever is assumed of the cloud: true is the worse for openings, false for cuts
 */
export function decideLists(lists: readonly RuleList[], isOpen: boolean): Reading {
  return {
    // A network ACL opens nothing: it stops what others let through.
    flows: lists
      .filter(({ kind }) => kind !== 'acl')
      .flatMap((list) => {
        const rules = list.rules.filter(({ assumes }) => assumes === undefined || isOpen);
        const { accepted } = decide(
          rules,
          tieUnder(list, () => isOpen),
        );
        return toFlows(list, accepted, true);
      }),
    // All that is denied, whatever is accepted before it: what no longer is, is shown in one row.
    denied: lists
      .filter((list) => list.kind === 'firewall' || isUnclearOutward(list))
      .flatMap((list) => {
        const denies = list.rules.filter(({ isAccept }) => !isAccept);
        return toFlows(list, decide(denies).refused, false);
      }),
  };
}

/** Tells whether it is unknown what happens to outbound packets that no rule of a group decides. */
function isUnclearOutward({ kind, direction }: RuleList): boolean {
  return kind === 'group' && direction === 'egress';
}

function toFlows(
  { kind, carrier, direction, rules }: RuleList,
  packets: ReturnType<typeof decide>['accepted'],
  isAccept: boolean,
): EffectiveFlow[] {
  const alike = kind === 'firewall' ? rules.filter((rule) => rule.isAccept === isAccept) : rules;
  const resource = [...new Set(alike.map((rule) => rule.resource))].join(', ');
  return packets.map(({ peer, services }) => ({
    kind: 'packets',
    carrier,
    direction,
    peer,
    services,
    resource,
  }));
}
