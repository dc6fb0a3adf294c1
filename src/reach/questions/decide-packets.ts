import { groupBy } from '../group-by.js';
import type { RulePeer } from '../packet-rule.js';
import type { Verdict } from '../rules/decide.js';
import type { RuleList } from '../rules/reading.js';
import { rulesUnder, tieOf } from '../rules/rule-list.js';
import type { Answers } from '../semantics.js';
import { combine, type OpenRange, type OpenRanges, uniteAll } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { intersect, type Services, subtract, union } from '../sets/services.js';

/** Packets to or from a range of addresses. */
export interface Asked {
  readonly peer: Extract<RulePeer, { readonly kind: 'addresses' }>;
  readonly services: Services;
}

/** Assumptions on the unknown: answers of the cloud, and peers of which only a name is known. */
export interface Doubt {
  readonly answers: Answers;
  /** `open`: an accept for a group's members holds for the packets, a drop does not. */
  readonly names: 'open' | 'closed';
}

/** A list's decision on packets. */
export interface Decided {
  readonly open: OpenRanges;
  /** Packets that no rule decides. */
  readonly undecided: OpenRanges;
  /** The rules that decide, in the order in which the cloud looks at them. */
  readonly by: readonly Verdict[];
}

/** Sends packets through a list, rule by rule. */
export function decidePackets(list: RuleList, asked: Asked, doubt: Doubt): Decided {
  const byPriority = groupBy(rulesUnder(list, doubt.answers), ({ priority }) => priority);
  const acceptsFirst = tieOf(list, doubt.answers) === 'accepted';
  const by: Verdict[] = [];
  let undecided: OpenRanges = [toRange(asked)];
  let open: OpenRanges = [];
  for (const [, alike] of [...byPriority].sort(([a], [b]) => a - b)) {
    const first = alike.filter(({ isAccept }) => isAccept === acceptsFirst);
    const then = alike.filter(({ isAccept }) => isAccept !== acceptsFirst);
    for (const rules of [first, then]) {
      const met = rules.map((rule) => ({ rule, packets: meet(rule, asked, undecided, doubt) }));
      const hits = met.filter(({ packets }) => packets.length > 0);
      by.push(...hits.map(({ rule }) => rule));
      const decided = uniteAll(hits.flatMap(({ packets }) => packets));
      if (hits[0]?.rule.isAccept === true) open = combine(open, decided, union);
      undecided = combine(undecided, decided, subtract);
    }
  }
  return { open, undecided, by };
}

/** The packets that a rule decides, of those that are left. */
function meet(rule: Verdict, asked: Asked, left: OpenRanges, doubt: Doubt): OpenRange[] {
  const ranges = rule.peers.flatMap((peer): OpenRange[] => {
    if (peer.kind === 'addresses') {
      return peer.family === asked.peer.family ? [toRange({ peer, services: rule.services })] : [];
    }
    const isMet = (doubt.names === 'open') === rule.isAccept;
    return isMet ? [toRange({ peer: asked.peer, services: rule.services })] : [];
  });
  return combine(left, uniteAll(ranges), intersect);
}
