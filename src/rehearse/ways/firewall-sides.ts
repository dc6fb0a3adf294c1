import { groupBy } from '../../lists/group-by.js';
import { PRIVATE_NETWORKS } from '../../net/cidr.js';
import { peerName, type Verdict } from '../../reach/packet-rule.js';
import { EVERYONE } from '../../reach/rules/peers.js';
import type { RuleList } from '../../reach/rules/reading.js';
import { compare } from '../../reach/sets/ranges.js';
import { EVERYTHING } from '../../reach/sets/services.js';

/**
 * Gives each state a list of Cloud Firewall for every part of the own addresses that policies of any state tell
 * apart, with all policies for that part; other lists stay. What no policy decides passes, without any policy all,
 * and what stays within the cloud a firewall does not see.
 */
export function splitFirewalls(states: readonly (readonly RuleList[])[]): RuleList[][] {
  const all = states.flat().filter(isFirewall);
  const edges = new Map([...groupBy(all, axisOf)].map(([axis, own]) => [axis, edgesOf(own)]));
  const partsIn = (list: RuleList) => splitSide(list, edges.get(axisOf(list)) ?? []);
  const parts = new Map(all.flatMap(partsIn).map((part) => [part.carrier, part]));
  return states.map((lists) => {
    const rules = new Map([...parts.keys()].map((carrier) => [carrier, new Set<Verdict>()]));
    for (const list of lists.filter(isFirewall)) {
      for (const { carrier } of partsIn(list)) {
        for (const rule of list.rules) rules.get(carrier)?.add(rule);
      }
    }
    const split = [...parts].map(([carrier, part]) => ({
      ...part,
      rules: [WITHIN, ...(rules.get(carrier) ?? []), PASSES],
    }));
    return [...lists.filter((list) => !isFirewall(list)), ...split];
  });
}

const PASSES: Verdict = {
  ...{ priority: Number.POSITIVE_INFINITY, isAccept: true, peers: EVERYONE },
  ...{ services: EVERYTHING, resource: '', text: 'no policy decides' },
};

const WITHIN: Verdict = {
  ...{ ...PASSES, priority: Number.NEGATIVE_INFINITY },
  ...{ peers: PRIVATE_NETWORKS.map((network) => ({ kind: 'addresses', ...network })) },
};

function isFirewall({ kind }: RuleList): boolean {
  return kind === 'firewall';
}

/** Addresses of one family in one direction can be told apart by their numbers. */
function axisOf({ direction, own, carrier }: RuleList): string {
  return own?.kind === 'addresses' ? `${direction} ${own.family}` : carrier;
}

/** The numbers at which an own side begins or has ended, in order. */
function edgesOf(lists: readonly RuleList[]): bigint[] {
  const edges = lists.flatMap(({ own }) =>
    own?.kind === 'addresses' ? [own.first, own.last + 1n] : [],
  );
  return [...new Set(edges)].sort(compare);
}

/** Splits an own side at the edges within; one of which no addresses are known stays whole. */
function splitSide(list: RuleList, edges: readonly bigint[]): RuleList[] {
  const { direction, own } = list;
  if (own?.kind !== 'addresses') return [list];
  const start = lowerBound(edges, own.first);
  const end = lowerBound(edges, own.last + 1n);
  return edges.slice(start, end).map((first, i) => {
    const last = (edges[start + i + 1] ?? own.last + 1n) - 1n;
    const part = { ...own, first, last };
    const carrier = `Cloud Firewall, ${direction} of ${peerName(part)}`;
    return { kind: 'firewall', carrier, direction, own: part, rules: [] };
  });
}

/** The index of the first number that is not below a wanted one. */
function lowerBound(numbers: readonly bigint[], wanted: bigint): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? wanted) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
