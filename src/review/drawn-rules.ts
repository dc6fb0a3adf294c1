import { partsOf } from './changes.js';
import type { SynthesizedTree } from './read/read-tree.js';
import { rangeText } from './reviewed-rule.js';
import { reviewedTree } from './reviewed-stack.js';
import { type Services, servicesText } from './sets/services.js';
import { intersect, subtract } from './sets/spans.js';

/** What a diagram draws: a part of what rules let through, and whether it came, went or stayed. */
export interface MarkedRule {
  readonly stack: string;
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  readonly peer: { readonly kind: string; readonly text: string; readonly addresses?: bigint };
  readonly services: string;
  readonly mark: 'kept' | 'added' | 'removed';
}

/** @param base the tree before; without it nothing is marked */
export function markedRules(head: SynthesizedTree, base: SynthesizedTree = head): MarkedRule[] {
  return partsOf(reviewedTree(base).region, reviewedTree(head).region).flatMap(({ cell, pair }) => {
    const { stack, via, direction, subject, peer } = cell;
    const drawnPeer =
      peer.kind === 'addresses'
        ? {
            kind: 'cidr',
            text: rangeText(peer.family, pair.first, pair.last),
            addresses: pair.last - pair.first + 1n,
          }
        : { kind: peer.kind, text: peer.name };
    const marked = (mark: MarkedRule['mark'], services: Services): MarkedRule[] =>
      services.length === 0
        ? []
        : [
            {
              stack,
              via,
              direction,
              subject,
              peer: drawnPeer,
              services: servicesText(services),
              mark,
            },
          ];
    return [
      ...marked('kept', intersect(pair.a, pair.b)),
      ...marked('added', subtract(pair.b, pair.a)),
      ...marked('removed', subtract(pair.a, pair.b)),
    ];
  });
}
