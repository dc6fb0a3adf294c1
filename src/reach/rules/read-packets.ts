import { ALL_OPEN, type StatedAnswers } from '../semantics.js';
import { type Decides, readFirewall } from './firewall.js';
import { readListener, readPrivateLinks } from './load-balancers.js';
import { readNetworkAcls } from './network-acls.js';
import { joinReadings, type Reading, type ResourceIndex } from './reading.js';
import { decideLists } from './rule-list.js';
import { readSecurityGroups } from './security-groups.js';
import { settleList } from './stated-answers.js';

/**
 * Reads what the rules of resources let through, and deny, of which every reference is resolved.
 *
 * @param stated the owner's answers to what is in doubt; what is not answered counts as open
 */
export function readPackets(
  index: ResourceIndex,
  decides: Decides,
  stated: StatedAnswers,
): Required<Reading> {
  const read = joinReadings([
    ...readSecurityGroups(index),
    readFirewall(index, decides),
    ...index.ofType('volcenginecc_clb_listener').map((one) => readListener(one, index)),
    ...readPrivateLinks(index),
    readNetworkAcls(index),
  ]);
  const lists = read.lists.map((list) => settleList(list, stated));
  return joinReadings([decideLists(lists, ALL_OPEN), { ...read, lists }]);
}
