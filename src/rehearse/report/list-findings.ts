import { vpcPrefixList, vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, parseCidr } from '../../net/cidr.js';
import { subtractCidrs } from '../../net/cidr-set.js';
import { findResource, listResources } from '../../sandbox/cloud/cloud-state.js';
import { type JsonObject, readObjects, readText } from '../../sandbox/json.js';
import { referredLists } from '../../sandbox/network/groups.js';
import { fixedAddressesOf } from '../../sandbox/surroundings.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { stepsText } from '../timeline/wording.js';

/**
 * Finds prefix lists that lose addresses, or go, though rules outside of the trees may refer to them. What rules
 * of the trees lose by that, their own finding says: whether others refer to the same list is not shown.
 */
export function listFindings(account: Account): RehearsalFinding[] {
  const { before, steps } = account.passage;
  const own = new Set(
    [before, ...steps.map(({ cloud }) => cloud)]
      .flatMap((cloud) => listResources(cloud, vpcSecurityGroup))
      .flatMap(referredLists),
  );
  return steps.flatMap((step, i): RehearsalFinding[] => {
    const { identifier = '', operation, error } = step;
    const prior = findResource(steps[i - 1]?.cloud ?? before, vpcPrefixList, identifier);
    const isOwn = own.has(identifier);
    const isOfOthers = !isOwn || isPublished(identifier, account.passage);
    if (prior === undefined || error !== undefined || !isOfOthers) return [];
    const lost = operation === 'UPDATE' ? lostEntries(account, step, prior) : [];
    if (operation === 'UPDATE' && lost.length === 0) return [];
    const { text, remedy } =
      operation === 'UPDATE' ? lossOf(lost, i + 1) : goneOf(identifier, i + 1);
    const what = account.passage.addresses.get(identifier) ?? identifier;
    const isShown = operation === 'UPDATE' && !isOwn;
    return [
      {
        kind: isShown ? 'client-change' : 'not-shown',
        stack: step.stack,
        what,
        text: `${what} ${text}${isShown ? '' : '; whether there are any is not shown'}`,
        from: i + 1,
        remedy,
      },
    ];
  });
}

/** Tells whether an output gives the identifier of a list to others. */
function isPublished(identifier: string, { addresses, trees }: Account['passage']): boolean {
  const address = addresses.get(identifier);
  const outputs = trees.flat().map(({ terraform }) => JSON.stringify(terraform.outputs));
  return address !== undefined && outputs.some((text) => text.includes(`${address}.`));
}

function lossOf(lost: readonly string[], step: number) {
  const text = `loses ${lost.join(', ')}: rules of others that refer to it no longer allow that ${stepsText(step, undefined)}`;
  return { text, remedy: REMEDY };
}

/** The cloud deletes no list that a rule refers to: those of others must go before. */
function goneOf(identifier: string, step: number) {
  return {
    text: `is deleted at step ${step}, which the cloud refuses while rules of others refer to ${identifier}`,
    remedy: `look up which rules outside of these stacks refer to ${identifier}, and let them refer to another list before the deploy`,
  };
}

/** The entries that a list no longer has after a step, but for addresses that the service has left. */
function lostEntries(
  account: Account,
  { identifier = '', cloud }: Account['passage']['steps'][number],
  prior: JsonObject,
): string[] {
  const now = findResource(cloud, vpcPrefixList, identifier) ?? {};
  return subtractCidrs(entriesOf(prior), [...entriesOf(now), ...retiredAddresses(account)]).map(
    ({ text }) => text,
  );
}

const REMEDY =
  'look up which rules outside of these stacks refer to the prefix list, and keep the entry until none of them needs it';

function entriesOf(list: JsonObject): Cidr[] {
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
