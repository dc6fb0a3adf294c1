import { resolveStack } from '../read/resolve.js';
import type { TerraformStackJson } from '../read/terraform-json.js';
import { ALL_OPEN, type Answers } from '../semantics.js';
import { type Decides, readFirewall } from './firewall.js';
import { readListeners, readPrivateLinks } from './load-balancers.js';
import { readNetworkAcls } from './network-acls.js';
import { joinReadings, type Reading, ResourceIndex } from './reading.js';
import { decideLists } from './rule-list.js';
import { readSecurityGroups } from './security-groups.js';

/** Reads what the rules of a stack let through, and deny. */
export function readFlows(
  stack: TerraformStackJson,
  answers: Answers = ALL_OPEN,
): Required<Reading> {
  return readPackets(new ResourceIndex(resolveStack(stack).resources), () => true, answers);
}

/** Reads what the rules of resources let through, and deny, of which every reference is resolved. */
export function readPackets(
  index: ResourceIndex,
  decides: Decides,
  answers: Answers = ALL_OPEN,
): Required<Reading> {
  const read = joinReadings([
    ...readSecurityGroups(index),
    readFirewall(index, decides),
    ...readListeners(index),
    ...readPrivateLinks(index),
    readNetworkAcls(index),
  ]);
  return joinReadings([decideLists(read.lists, answers), read]);
}
