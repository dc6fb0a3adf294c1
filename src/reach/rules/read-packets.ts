import { ALL_OPEN } from '../semantics.js';
import { type Decides, readFirewall } from './firewall.js';
import { readListener, readPrivateLinks } from './load-balancers.js';
import { readNetworkAcls } from './network-acls.js';
import { joinReadings, type Reading, type ResourceIndex } from './reading.js';
import { decideLists } from './rule-list.js';
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
  return joinReadings([decideLists(read.lists, ALL_OPEN), read]);
}
