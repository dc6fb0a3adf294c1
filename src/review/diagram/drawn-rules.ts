import { groupBy } from '../../lists/group-by.js';
import { type PacketRule, peerName, rangeText } from '../../reach/packet-rule.js';
import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { directionKey, type Part, peerOf, splitParts } from '../../reach/sets/region.js';
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
  const stated = new RuleLookup(rules, placeKey);
  return [...splitParts(before.region, after.region)].flatMap((part) => {
    const { cell, pair } = part;
    const { stack, via, direction, subject, peer } = cell;
    const { first, last } = pair;
    const place = placeOf(cell.carrier);
    // A list lets nobody in by itself.
    if (place === undefined) return [];
    const key = placeKey({ stack, direction, subject, peer: peerOf(cell, pair) });
    const drawn = {
      place,
      isStated: stated.find(key, pair, union(pair.a, pair.b), 1).length > 0,
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

/** The kind of thing that lets packets through; undefined for a list that rules elsewhere refer to. */
function placeOf(carrier: string | undefined): Place | undefined {
  if (carrier === undefined) return 'elsewhere';
  const known = PLACES.find(([beginning]) => carrier.startsWith(beginning));
  return known === undefined ? 'listener' : known[1];
}

/** The places of carriers, by the beginning of their names. */
const PLACES = [
  ['volcenginecc_privatelink_vpc_endpoint.', 'endpoint'],
  ['volcenginecc_privatelink_endpoint_service.', 'endpoint service'],
  ['volcenginecc_vpc_security_group.', 'security group'],
  ['volcenginecc_vpc_eni.', 'network interface'],
  ['Cloud Firewall', 'Cloud Firewall'],
  ['rules that refer to the ', undefined],
] as const;

export type Place = NonNullable<(typeof PLACES)[number][1]> | 'listener' | 'elsewhere';

/** The packets of a subject in one direction, whatever lets them through. */
function placeKey({
  subject,
  ...rule
}: Pick<PacketRule, 'stack' | 'direction' | 'subject' | 'peer'>): string {
  return JSON.stringify([subject, directionKey({ ...rule, services: [] })]);
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
