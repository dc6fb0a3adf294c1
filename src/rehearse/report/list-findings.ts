import { vpcPrefixList, vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, parseCidr } from '../../net/cidr.js';
import { subtractCidrs } from '../../net/cidr-set.js';
import { type CloudState, findResource, listResources } from '../../sandbox/cloud/cloud-state.js';
import { type JsonObject, readObjects, readText } from '../../sandbox/json.js';
import { fixedAddressesOf } from '../../sandbox/surroundings.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { stepsText } from '../timeline/wording.js';

/**
 * Finds prefix lists that lose addresses which rules outside of the trees may still allow by them. What rules
 * of the trees lose by that, their own finding says: whether there are any others is not shown.
 */
export function listFindings(account: Account): RehearsalFinding[] {
  const { before, steps, addresses } = account.passage;
  const own = new Set(
    [before, ...steps.map(({ cloud }) => cloud)]
      .flatMap((cloud) => listResources(cloud, vpcSecurityGroup))
      .flatMap(referredLists),
  );
  return steps.flatMap(({ operation, identifier = '', stack, cloud }, i): RehearsalFinding[] => {
    // The cloud deletes no list that a rule refers to.
    const from = i + 1;
    if (operation === 'DELETE') return lostLists(account, i);
    if (operation !== 'UPDATE') return [];
    const prior = entriesOf(steps[i - 1]?.cloud ?? before, identifier);
    const left = [...entriesOf(cloud, identifier), ...retiredAddresses(account)];
    const lost = subtractCidrs(prior, left).map(({ text }) => text);
    if (lost.length === 0) return [];
    const what = addresses.get(identifier) ?? identifier;
    const isOwn = own.has(identifier);
    const text = `${what} loses ${lost.join(', ')}: rules of others that refer to it no longer allow that ${stepsText(from, undefined)}`;
    return [
      {
        kind: isOwn ? 'not-shown' : 'client-change',
        stack,
        what,
        text: isOwn ? `${text}; whether there are any is not shown` : text,
        from,
        remedy: REMEDY,
      },
    ];
  });
}

/** The cloud deletes no list that a rule refers to: those of others must go before. */
function lostLists(
  { passage: { before, steps, addresses } }: Account,
  i: number,
): RehearsalFinding[] {
  const { identifier = '', stack = '', error } = steps[i] ?? {};
  if (error !== undefined || findResource(before, vpcPrefixList, identifier) === undefined)
    return [];
  const what = addresses.get(identifier) ?? identifier;
  const from = i + 1;
  const text = `${what} is deleted at step ${from}, which the cloud refuses while rules of others refer to ${identifier}: whether there are any is not shown`;
  const remedy = `look up which rules outside of these stacks refer to ${identifier}, and let them refer to another list before the deploy`;
  return [{ kind: 'not-shown', stack, what, text, from, remedy }];
}

const REMEDY =
  'look up which rules outside of these stacks refer to the prefix list, and keep the entry until none of them needs it';

/** The prefix lists that the rules of a group refer to. */
export function referredLists(group: JsonObject): string[] {
  return PERMISSIONS.flatMap((name) => readObjects(group, name))
    .map((rule) => readText(rule, 'PrefixListId'))
    .filter((id) => id !== '');
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
