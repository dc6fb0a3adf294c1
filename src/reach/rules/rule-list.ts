import type { Verdict } from '../packet-rule.js';
import type { AssumedId } from '../semantics.js';
import { decide, type Side } from './decide.js';
import type { EffectiveFlow, Reading, RuleList } from './reading.js';

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
