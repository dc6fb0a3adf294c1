import { type Decides, readFirewall } from './firewall.js';
import { readListener, readPrivateLinks } from './load-balancers.js';
import { readNetworkAcls } from './network-acls.js';
import { joinReadings, type Reading, type ResourceIndex, type RuleList } from './reading.js';
import { areTied, decideLists, tieQuestion } from './rule-list.js';
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

/** Finds the lists in which a question may leave something open, whatever depends on it. */
export function listsInDoubt(lists: readonly RuleList[]): RuleList[] {
  return lists.filter(
    (list) =>
      list.rules.some(({ assumes }) => assumes !== undefined) ||
      (tieQuestion(list) !== undefined && areTied(list.rules)),
  );
}
