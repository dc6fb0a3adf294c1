import { peerName, type Verdict } from '../packet-rule.js';
import { EVERYTHING, sameSpans } from '../sets/services.js';
import { type Decides, readFirewall } from './firewall.js';
import { readListener, readPrivateLinks } from './load-balancers.js';
import { readNetworkAcls } from './network-acls.js';
import { EVERYONE } from './peers.js';
import { joinReadings, type Reading, type ResourceIndex, type RuleList } from './reading.js';
import { areTied, decideLists, QUESTIONS } from './rule-list.js';
import { readSecurityGroups } from './security-groups.js';

/**
 * Reads what the rules of resources let through, and deny, of which every reference is resolved; what is in
 * doubt counts as open.
 */
export function readPackets(index: ResourceIndex, decides: Decides): Required<Reading> {
  const read = joinReadings([
    ...readSecurityGroups(index),
    readFirewall(index, decides),
    ...index.ofType('volcenginecc_clb_listener').map((one) => readListener(one, index)),
    ...readPrivateLinks(index),
    readNetworkAcls(index),
  ]);
  return joinReadings([decideLists(read.lists, true), read]);
}

/** Finds the lists whose question leaves something open, whatever depends on it. */
export function listsInDoubt(lists: readonly RuleList[]): RuleList[] {
  return lists.filter(({ kind, rules }) => {
    const question = QUESTIONS[kind];
    if (question === undefined) return false;
    const isLeft = rules.some(({ assumes }) => assumes === question) && !isClosed(rules);
    return (kind !== 'group' && areTied(rules)) || isLeft;
  });
}

/** Tells whether a rule drops everything that the others leave, so that nothing is left to a default. */
function isClosed(rules: readonly Verdict[]): boolean {
  return EVERYONE.every((all) =>
    rules.some(
      ({ isAccept, services, peers }) =>
        !isAccept &&
        sameSpans(services, EVERYTHING) &&
        peers.some((peer) => peerName(peer) === peerName(all)),
    ),
  );
}
