import { vpcPrefixList, vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, parseCidr } from '../../net/cidr.js';
import { subtractCidrs } from '../../net/cidr-set.js';
import { type CloudState, findResource, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';
import { fixedAddressesOf } from '../../sandbox/surroundings.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { stepsText } from '../timeline/wording.js';

/**
 * Finds prefix lists that lose addresses which rules outside of the trees may still allow by them. What a
 * rule of the trees refers to at any time is theirs: what that loses, its own finding says.
 */
export function listFindings(account: Account): RehearsalFinding[] {
  const { before, steps, addresses } = account.passage;
  const own = new Set([before, ...steps.map(({ cloud }) => cloud)].flatMap(referredLists));
  return steps.flatMap(({ operation, identifier = '', stack, cloud }, i): RehearsalFinding[] => {
    // The cloud deletes no list that a rule refers to.
    if (operation !== 'UPDATE' || own.has(identifier)) return [];
    const from = i + 1;
    const prior = entriesOf(steps[i - 1]?.cloud ?? before, identifier);
    const left = [...entriesOf(cloud, identifier), ...retiredAddresses(account)];
    const lost = subtractCidrs(prior, left).map(({ text }) => text);
    if (lost.length === 0) return [];
    const what = addresses.get(identifier) ?? identifier;
    const text = `${what} loses ${lost.join(', ')}: rules of others that refer to it no longer allow that ${stepsText(from, undefined)}`;
    return [{ kind: 'client-change', stack, what, text, from, remedy: REMEDY }];
  });
}

const REMEDY =
  'look up which rules outside of these stacks refer to the prefix list, and keep the entry until none of them needs it';

function referredLists(cloud: CloudState): string[] {
  return listResources(cloud, vpcSecurityGroup)
    .flatMap((group) => PERMISSIONS.flatMap((name) => readObjects(group, name)))
    .map((rule) => readText(rule, 'PrefixListId'));
}

const PERMISSIONS = ['IngressPermissions', 'EgressPermissions'];

function entriesOf(cloud: CloudState, identifier: string): Cidr[] {
  const list = findResource(cloud, vpcPrefixList, identifier);
  if (list === undefined) return [];
  return readObjects(list, 'PrefixListEntries').map((entry) => parseCidr(readText(entry, 'Cidr')));
}

/** The addresses that links stated before and the service no longer has: nobody needs them. */
function retiredAddresses({ passage: { links, service } }: Account): Cidr[] {
  const own = fixedAddressesOf(service).map(parseAddress);
  return [...links.before.values()]
    .flatMap((stated) => stated.links)
    .filter(({ via }) => via === 'fixed-ip-egress')
    .flatMap(({ expectedAddresses }) => expectedAddresses.map(parseCidr))
    .filter((cidr) => !own.some((address) => cidrContains(cidr, address)));
}
