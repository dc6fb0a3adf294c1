import { type ReviewedPeer, UNNAMED } from '../../reviewed-rule.js';
import { combine, type OpenRanges } from '../../sets/ranges.js';
import { type Cell, groupBy, toRegion } from '../../sets/region.js';
import { type Services, subtract, union } from '../../sets/services.js';

/** One rule of an ordered list. */
export interface Verdict {
  /** Lower numbers are looked at first. */
  readonly priority: number;
  readonly isAccept: boolean;
  readonly peers: readonly ReviewedPeer[];
  readonly services: Services;
}

export interface Decided {
  readonly peer: ReviewedPeer;
  readonly services: Services;
}

/** What each packet meets first: at one priority a refusal comes before, unless said otherwise. */
export function decide(
  rules: readonly Verdict[],
  tie: 'refused' | 'accepted' = 'refused',
): { readonly accepted: Decided[]; readonly refused: Decided[] } {
  const decisions = new Decisions();
  const byPriority = groupBy(rules, ({ priority }) => priority);
  const order = tie === 'refused' ? [false, true] : [true, false];
  for (const [, alike] of [...byPriority].sort(([a], [b]) => a - b)) {
    for (const isAccept of order) {
      decisions.decide(
        alike.filter((rule) => rule.isAccept === isAccept),
        isAccept,
      );
    }
  }
  return { accepted: decisions.all(true), refused: decisions.all(false) };
}

interface CellState {
  readonly cell: Cell;
  readonly accepted: OpenRanges;
  readonly refused: OpenRanges;
}

class Decisions {
  readonly #cells = new Map<string, CellState>();

  decide(rules: readonly Verdict[], isAccept: boolean): void {
    const packets = rules.flatMap(({ peers, services }) =>
      peers.map((peer) => ({ ...UNNAMED, peer, services })),
    );
    for (const [key, cell] of toRegion(packets)) {
      const before = this.#cells.get(key) ?? { cell, accepted: [], refused: [] };
      const decided = combine(before.accepted, before.refused, union);
      const fresh = combine(cell.ranges, decided, subtract);
      const side = isAccept ? 'accepted' : 'refused';
      this.#cells.set(key, { ...before, [side]: combine(before[side], fresh, union) });
    }
  }

  all(isAccept: boolean): Decided[] {
    return [...this.#cells.values()].flatMap(({ cell: { peer }, accepted, refused }) =>
      (isAccept ? accepted : refused).map(({ first, last, services }) => ({
        peer: peer.kind === 'addresses' ? { ...peer, first, last } : peer,
        services,
      })),
    );
  }
}
