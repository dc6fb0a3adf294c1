import type { SynthesizedTree } from '../read/read-tree.js';
import { type ReviewedRule, rangeText } from '../reviewed-rule.js';
import { type Part, splitParts } from '../sets/region.js';
import {
  intersect,
  type Services,
  servicesText,
  subtract,
  toServices,
  union,
} from '../sets/services.js';
import { reviewedTree } from '../stacks/reviewed-stack.js';

interface DrawnPeer {
  readonly kind: string;
  readonly text: string;
  readonly addresses?: bigint;
  /** Where it is not the service's, as the connection option would have it. */
  readonly role?: 'foreign-account' | 'name-server' | 'of-any-account';
}

/**
 * What a diagram draws: each part of what rules let through, and whether it came, went or stayed.
 *
 * @param base the tree before; without it nothing is marked
 */
export function markedRules(head: SynthesizedTree, base: SynthesizedTree = head) {
  const [before, after] = [reviewedTree(base), reviewedTree(head)];
  const stacks = [...before.stacks, ...after.stacks];
  const foreign = foreignAccounts(stacks.flatMap(({ rules }) => rules));
  return splitParts(before.region, after.region).flatMap((part) => {
    const { cell, pair } = part;
    const { stack, via, direction, subject } = cell;
    const peer: DrawnPeer = { ...drawnPeer(part), ...peerRole(part, foreign) };
    const marked = (mark: 'kept' | 'added' | 'removed', services: Services) =>
      services.length === 0
        ? []
        : [{ stack, via, direction, subject, peer, services: servicesText(services), mark }];
    return [
      ...marked('kept', intersect(pair.a, pair.b)),
      ...marked('added', subtract(pair.b, pair.a)),
      ...marked('removed', subtract(pair.a, pair.b)),
    ];
  });
}

function drawnPeer({ cell: { peer }, pair: { first, last } }: Part): DrawnPeer {
  if (peer.kind !== 'addresses') return { kind: peer.kind, text: peer.name };
  return {
    kind: 'cidr',
    text: rangeText(peer.family, first, last),
    addresses: last - first + 1n,
  };
}

type Subject = Pick<ReviewedRule, 'stack' | 'via' | 'subject'>;

const subjectKey = ({ stack, via, subject }: Subject) => JSON.stringify([stack, via, subject]);

/** Accounts that only an exception lets in, by the subject that they may connect to. */
function foreignAccounts(rules: readonly ReviewedRule[]): ReadonlyMap<string, Set<string>> {
  const bySubject = new Map<string, Set<string>>();
  for (const rule of rules) {
    if (rule.peer.kind !== 'account' || rule.exception === undefined) continue;
    const key = subjectKey(rule);
    bySubject.set(key, (bySubject.get(key) ?? new Set()).add(rule.peer.name));
  }
  return bySubject;
}

function peerRole(
  { cell, pair }: Part,
  foreign: ReadonlyMap<string, Set<string>>,
): Pick<DrawnPeer, 'role'> {
  const { peer, via, direction } = cell;
  const accounts = foreign.get(subjectKey(cell));
  if (peer.kind === 'account' && accounts?.has(peer.name)) return { role: 'foreign-account' };
  // A connection does not say whose it is.
  if (peer.kind === 'endpoint' && accounts !== undefined) return { role: 'of-any-account' };
  const isToNames = subtract(union(pair.a, pair.b), DNS).length === 0;
  return via === 'fixed-ip' && direction === 'egress' && isToNames ? { role: 'name-server' } : {};
}

const DNS = union(
  toServices('tcp', { first: 53, last: 53 }),
  toServices('udp', { first: 53, last: 53 }),
);
