import {
  fwcenterAddressBook,
  fwcenterControlPolicy,
  vpcSecurityGroup,
} from '../../cloud/table/index.js';
import { type CloudState, resourcesOf } from '../cloud/cloud-state.js';
import { bookEntries, portSpan } from '../cloud/types/address-book.js';
import { textOf } from '../json.js';
import { rulesOf } from './workload.js';

export type PortRange = readonly [first: number, last: number];

const LAST_PORT = 65_535;

/**
 * All ports, in ranges within which every rule of the cloud treats all ports alike.
 *
 * @param alone ports that get a range of their own
 */
export function portRanges(cloud: CloudState, alone: readonly number[]): PortRange[] {
  const spans = [...groupSpans(cloud), ...firewallSpans(cloud), ...alone.map((at) => [at, at])];
  const starts = spans
    .flatMap(([first = 1, last = LAST_PORT]) => [first, last + 1])
    .filter((port) => port > 1 && port <= LAST_PORT);
  const ordered = [...new Set([1, ...starts])].sort((a, b) => a - b);
  return ordered.map((first, i) => [first, (ordered[i + 1] ?? LAST_PORT + 1) - 1]);
}

function groupSpans(cloud: CloudState): number[][] {
  return resourcesOf(cloud, vpcSecurityGroup.cloudType)
    .flatMap((group) => [...rulesOf(group, 'ingress'), ...rulesOf(group, 'egress')])
    .map((rule) => [Number(rule.PortStart), Number(rule.PortEnd)]);
}

function firewallSpans(cloud: CloudState): (readonly number[])[] {
  const policies = resourcesOf(cloud, fwcenterControlPolicy.cloudType);
  const books = resourcesOf(cloud, fwcenterAddressBook.cloudType);
  const texts = [
    ...policies.map((each) => textOf(each, 'DestPort')),
    ...books.flatMap(bookEntries),
  ];
  return texts.flatMap((text) => {
    const span = portSpan(text);
    return span ? [span] : [];
  });
}
