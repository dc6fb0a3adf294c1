import type { Verdict } from '../packet-rule.js';
import type { Answers, AssumedId } from '../semantics.js';
import { decide, type Side } from './decide.js';
import type { EffectiveFlow, Reading, RuleList } from './reading.js';

/** The rules of a list that hold under answers to the questions in doubt. */
export function rulesUnder({ rules }: RuleList, answers: Answers): Verdict[] {
  return rules.filter(({ assumes }) => assumes === undefined || answers[assumes] === 'open');
}

/** Returns which side of equal priority comes first. */
export function tieOf({ kind }: RuleList, answers: Answers): Side {
  const question = TIES[kind];
  return question !== undefined && answers[question] === 'open' ? 'accepted' : 'refused';
}

/** The question that a tie depends on. */
export const TIES: Readonly<Partial<Record<RuleList['kind'], AssumedId>>> = {
  firewall: 'firewall-same-position',
  acl: 'network-acl-order',
};

/** Computes what lists let through, and what firewalls deny, under answers to the questions in doubt. */
export function decideLists(lists: readonly RuleList[], answers: Answers): Reading {
  return {
    // A network ACL opens nothing: it stops what others let through.
    flows: lists
      .filter(({ kind }) => kind !== 'acl')
      .flatMap((list) => {
        const { accepted } = decide(rulesUnder(list, answers), tieOf(list, answers));
        return toFlows(list, accepted, true);
      }),
    // All that is denied, whatever is accepted before it: what no longer is, is shown in one row.
    denied: lists
      .filter(({ kind, direction }) => kind === 'firewall' || isOutward({ kind, direction }))
      .flatMap((list) => {
        const denies = list.rules.filter(({ isAccept }) => !isAccept);
        return toFlows(list, decide(denies).refused, false);
      }),
  };
}

/** Of packets that no rule of a group decides outward it is not known whether they pass. */
function isOutward({ kind, direction }: Pick<RuleList, 'kind' | 'direction'>): boolean {
  return kind === 'group' && direction === 'egress';
}

function toFlows(
  { kind, carrier, direction, rules }: RuleList,
  packets: ReturnType<typeof decide>['accepted'],
  isAccept: boolean,
): EffectiveFlow[] {
  const alike = kind === 'firewall' ? rules.filter((rule) => rule.isAccept === isAccept) : rules;
  const resource = [...new Set(alike.map((rule) => rule.resource))].join(', ');
  return packets.map((one) => ({ ...one, kind: 'packets', carrier, direction, resource }));
}
