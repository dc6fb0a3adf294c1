import { groupBy } from '../../lists/group-by.js';
import type { Verdict } from '../packet-rule.js';
import { combine, combineFew, type OpenRanges, uniteAll, withRanges } from '../sets/ranges.js';
import { cellKey, peerOf, toRange } from '../sets/region.js';
import { intersect, subtract } from '../sets/services.js';

export type Side = 'accepted' | 'refused';

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
export function decide(
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
