import { groupBy } from '../group-by.js';
import type { RulePeer } from '../packet-rule.js';
import type { AssumedId } from '../semantics.js';
import { combine, type OpenRanges } from '../sets/ranges.js';
import { type Cell, peerOf, toRegion } from '../sets/region.js';
import { type Services, subtract, union } from '../sets/services.js';

/** One rule of an ordered list. */
export interface Verdict {
  /** Lower numbers are looked at first. */
  readonly priority: number;
  readonly isAccept: boolean;
  readonly peers: readonly RulePeer[];
  readonly services: Services;
  /** Terraform's address of the resource that has the rule. */
  readonly resource: string;
  /** The rule in words; a rule of the cloud's own says so. */
  readonly text: string;
  /** The rule holds only if this question of the cloud's decision is answered `open`. */
  readonly assumes?: AssumedId;
}

/**
 * Decides by the rule that each packet meets first: at one priority a refusal, unless said
 * otherwise.
 */
export function decide(
  rules: readonly Pick<Verdict, 'priority' | 'isAccept' | 'peers' | 'services'>[],
  tie: Side = 'refused',
) {
  const cells = new Map<string, CellState>();
  const byPriority = groupBy(rules, ({ priority }) => priority);
  const order: Side[] = tie === 'refused' ? [tie, 'accepted'] : [tie, 'refused'];
  for (const [, alike] of [...byPriority].sort(([a], [b]) => a - b)) {
    for (const side of order) {
      const next = alike.filter(({ isAccept }) => isAccept === (side === 'accepted'));
      settle(cells, next, side);
    }
  }
  const all = (side: Side) =>
    [...cells.values()].flatMap(({ cell, [side]: ranges }) =>
      ranges.map((range) => ({ peer: peerOf(cell, range), services: range.services })),
    );
  return { accepted: all('accepted'), refused: all('refused') };
}

export type Side = 'accepted' | 'refused';

type CellState = Readonly<Record<Side, OpenRanges>> & { readonly cell: Cell };

/** Puts the packets of some rules that are not decided yet on one side. */
function settle(
  cells: Map<string, CellState>,
  rules: readonly Pick<Verdict, 'peers' | 'services'>[],
  side: Side,
): void {
  const packets = rules.flatMap(({ peers, services }) => peers.map((peer) => ({ peer, services })));
  for (const [key, cell] of toRegion(packets)) {
    const before = cells.get(key) ?? { cell, accepted: [], refused: [] };
    const decided = combine(before.accepted, before.refused, union);
    const fresh = combine(cell.ranges, decided, subtract);
    cells.set(key, { ...before, [side]: combine(before[side], fresh, union) });
  }
}
