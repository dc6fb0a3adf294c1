import { fwcenterAddressBook, fwcenterControlPolicy } from '../../../cloud/table/index.js';
import { hostCidr, parseCidr } from '../../../net/cidr.js';
import { isDomainName } from '../../../net/host-name.js';
import { type JsonObject, objectsOf, textOf, textsOf } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, users } from '../cloud-type.js';

export const addressBook: CloudType = {
  row: fwcenterAddressBook,

  make(input, prior, cloud) {
    checkName(textOf(input, 'GroupName'));
    const made: JsonObject = {
      AutoUpdateType: 'Manual',
      Description: '',
      ...input,
      GroupUuid: prior ? textOf(prior, 'GroupUuid') : cloud.newId('book'),
      Updated: Math.floor(Date.parse(cloud.now()) / 1000),
    };
    checkEntries(made);
    return made;
  },

  checkDelete(properties, cloud) {
    const policies = policiesWith(textOf(properties, 'GroupUuid'), cloud);
    if (policies.length > 0) throw dependencyViolation(textOf(properties, 'GroupUuid'), policies);
  },

  read(properties, cloud) {
    return { RefCnt: policiesWith(textOf(properties, 'GroupUuid'), cloud).length };
  },
};

/** What an address book holds, whichever of its two lists was given. */
export function bookEntries(book: JsonObject): string[] {
  const detailed = objectsOf(book, 'AddressDetailList').map((entry) => textOf(entry, 'Address'));
  return [...new Set([...textsOf(book, 'AddressList'), ...detailed])];
}

function policiesWith(bookId: string, cloud: CloudScope): string[] {
  const uses = (policy: JsonObject) =>
    [policy.Source, policy.Destination, policy.DestPort].includes(bookId);
  return users(cloud, fwcenterControlPolicy, 'RuleId', uses);
}

function checkName(name: string): void {
  if (!/^[A-Za-z0-9\p{Script=Han}_-]+$/u.test(name)) {
    throw new CloudError(
      'InvalidGroupName',
      `\`GroupName\` takes letters, digits, - and _ only, got: "${name}"`,
    );
  }
}

function checkEntries(book: JsonObject): void {
  const entries = bookEntries(book);
  if (entries.length === 0 && book.AutoUpdateType === 'Manual') {
    throw new CloudError('MissingProperty', '`AddressList` or `AddressDetailList` is required');
  }
  for (const entry of entries) {
    const problem = problemOf(entry, textOf(book, 'GroupType'));
    if (problem === undefined) continue;
    throw new CloudError('InvalidAddressList', `\`AddressList\` ${problem}, got: "${entry}"`);
  }
}

function problemOf(entry: string, type: string): string | undefined {
  if (type === 'port') return portSpan(entry) ? undefined : 'must hold ports such as 443 or 80/90';
  if (type === 'domain') {
    return isDomainName(entry.replace(/^\*\./, '')) ? undefined : 'must hold domain names';
  }
  try {
    const { family } = entry.includes('/') ? parseCidr(entry) : hostCidr(entry);
    const wanted = type === 'ipv6' ? 6 : 4;
    return family === wanted ? undefined : `must hold IPv${wanted} addresses`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A port or a range of them as the firewall writes it: `443` or `80/90`. Undefined where it is none. */
export function portSpan(text: string): readonly [first: number, last: number] | undefined {
  const [, first, last] = /^(\d{1,5})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (first === undefined) return undefined;
  const span = [Number(first), Number(last ?? first)] as const;
  return span[0] >= 1 && span[0] <= span[1] && span[1] <= 65_535 ? span : undefined;
}
