import { groupBy } from '../../reach/group-by.js';
import { type PacketRule, peerName, rangeText } from '../../reach/packet-rule.js';
import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { type Part, splitParts } from '../../reach/sets/region.js';
import {
  intersect,
  type Services,
  servicesText,
  subtract,
  toServices,
  union,
} from '../../reach/sets/services.js';
import { reviewedTree } from '../stacks/reviewed-trees.js';

export type DrawnRule = ReturnType<typeof markedRules>[number];
export type Mark = 'kept' | 'added' | 'removed';

/**
 * Returns what a diagram draws: each part of what rules let through, and whether it came, went or stayed.
 *
 * @param base the tree before; without it nothing is marked
 */
export function markedRules(head: SynthesizedTree, base: SynthesizedTree = head) {
  const [before, after] = [reviewedTree(base), reviewedTree(head)];
  const rules = [...before.stacks, ...after.stacks].flatMap((stack) => stack.rules);
  const excepted = rules.filter((rule) => rule.peer.kind === 'account' && rule.exception);
  const foreign = groupBy(excepted, subjectKey);
  return splitParts(before.region, after.region).flatMap((part) => {
    const { cell, pair } = part;
    const { stack, via, direction, subject, peer } = cell;
    const { first, last } = pair;
    const drawn = {
      stack,
      via,
      direction,
      subject,
      kind: peer.kind,
      role: peerRole(part, foreign.get(subjectKey(cell))),
      text: peer.kind === 'addresses' ? rangeText(peer.family, first, last) : peer.name,
      addresses: peer.kind === 'addresses' ? last - first + 1n : 0n,
    };
    const marked = (mark: Mark, services: Services) =>
      services.length === 0 ? [] : [{ ...drawn, services: servicesText(services), mark }];
    return [
      ...marked('kept', intersect(pair.a, pair.b)),
      ...marked('added', subtract(pair.b, pair.a)),
      ...marked('removed', subtract(pair.a, pair.b)),
    ];
  });
}

function subjectKey({ stack, via, subject }: Pick<PacketRule, 'stack' | 'via' | 'subject'>) {
  return JSON.stringify([stack, via, subject]);
}

/**
 * Returns what a peer is where it is not the service's, as the connection option would have it.
 *
 * @param foreign rules of accounts that only an exception lets in
 */
function peerRole(
  { cell, pair }: Part,
  foreign: readonly PacketRule[] | undefined,
): 'foreign-account' | 'of-any-account' | 'name-server' | undefined {
  const { peer, via, direction } = cell;
  const isExcepted = (name: string) => foreign?.some((rule) => peerName(rule.peer) === name);
  if (peer.kind === 'account' && isExcepted(peerName(peer))) return 'foreign-account';
  // A connection does not say whose it is.
  if (peer.kind === 'endpoint' && foreign !== undefined) return 'of-any-account';
  const isToNames = subtract(union(pair.a, pair.b), DNS).length === 0;
  return via === 'fixed-ip-egress' && direction === 'egress' && isToNames
    ? 'name-server'
    : undefined;
}

const DNS = union(
  toServices('tcp', { first: 53, last: 53 }),
  toServices('udp', { first: 53, last: 53 }),
);
