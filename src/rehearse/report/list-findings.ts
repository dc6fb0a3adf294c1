import { vpcPrefixList } from '../../cloud/table/vpc.js';
import { parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, parseCidr } from '../../net/cidr.js';
import { subtractCidrs } from '../../net/cidr-set.js';
import { type CloudState, findResource } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';
import { fixedAddressesOf } from '../../sandbox/surroundings.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { stepsText } from '../timeline/wording.js';

/** Finds prefix lists that lose addresses which rules outside of the trees may still allow by them. */
export function listFindings(
  account: Account,
  losses: readonly RehearsalFinding[],
): RehearsalFinding[] {
  const { before, steps, addresses } = account.passage;
  return steps.flatMap(({ operation, identifier = '', stack, cloud }, i): RehearsalFinding[] => {
    const from = i + 1;
    // What rules of the trees lose by it says it already.
    if (operation !== 'UPDATE' || losses.some((loss) => loss.from === from)) return [];
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

function entriesOf(cloud: CloudState, identifier: string): Cidr[] {
  const list = findResource(cloud, vpcPrefixList, identifier);
  if (list === undefined) return [];
  return readObjects(list, 'PrefixListEntries').map((entry) => parseCidr(readText(entry, 'Cidr')));
}

/** The addresses that links stated before and the service no longer has: nobody needs them. */
function retiredAddresses({ passage: { links, service } }: Account): Cidr[] {
  const own = fixedAddressesOf(service).map(parseAddress);
  return [...links.before.values()]
    .flatMap((stated) => stated.links.flatMap(({ expectedAddresses }) => expectedAddresses))
    .map(parseCidr)
    .filter((cidr) => !own.some((address) => cidrContains(cidr, address)));
}
