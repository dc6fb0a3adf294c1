import { fwcenterAddressBook, fwcenterControlPolicy } from '../../../cloud/table/index.js';
import { hostCidr, parseCidr } from '../../../net/cidr.js';
import { isDomainName } from '../../../net/host-name.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced, users } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';

export const addressBook: CloudType = {
  row: fwcenterAddressBook,

  make(input, prior, cloud) {
    checkName(readText(input, 'GroupName'));
    const made: JsonObject = {
      AutoUpdateType: 'Manual',
      Description: '',
      ...input,
      GroupUuid: prior ? readText(prior, 'GroupUuid') : cloud.newId('book'),
      Updated: Math.floor(Date.parse(cloud.now()) / 1000),
    };
    checkEntries(made);
    return made;
  },

  checkDelete(properties, cloud) {
    const policies = policiesWith(readText(properties, 'GroupUuid'), cloud);
    if (policies.length > 0) throw dependencyViolation(readText(properties, 'GroupUuid'), policies);
  },

  read(properties, cloud) {
    return { RefCnt: policiesWith(readText(properties, 'GroupUuid'), cloud).length };
  },
};

/** What an address book holds, whichever of its two lists was given. */
export function bookEntries(book: JsonObject): string[] {
  const detailed = readObjects(book, 'AddressDetailList').map((entry) =>
    readText(entry, 'Address'),
  );
  return [...new Set([...readTexts(book, 'AddressList'), ...detailed])];
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
    const problem = entryProblem(entry, readText(book, 'GroupType'));
    if (problem === undefined) continue;
    throw new CloudError('InvalidAddressList', `\`AddressList\` ${problem}, got: "${entry}"`);
  }
}

function entryProblem(entry: string, type: string): string | undefined {
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

/** A policy of the firewall between the VPCs and the internet. */
export const controlPolicy: CloudType = {
  row: fwcenterControlPolicy,

  make(input, prior, cloud) {
    checkFirewallRule(input, cloud);
    checkPosition(input, prior);
    return {
      ...POLICY_DEFAULTS,
      IpType: 'v4',
      ...input,
      ...POLICY_FACTS,
      AccountId: ACCOUNT_ID,
      RuleId: prior ? readText(prior, 'RuleId') : cloud.newId('policy'),
      UpdateTime: Math.floor(Date.parse(cloud.now()) / 1000),
    };
  },

  checkDelete() {
    // Nothing else in the cloud refers to a policy.
  },
};

/** What a policy of either firewall says of its two sides, its ports and its hours. @throws CloudError */
function checkFirewallRule(input: JsonObject, cloud: CloudScope): void {
  checkSide('Source', input, cloud);
  checkSide('Destination', input, cloud);
  checkPorts(input, cloud);
  const repeat = readText(input, 'RepeatType');
  if (repeat !== '' && repeat !== 'Permanent') {
    throw new CloudError(
      'UnsupportedRepeatType',
      `\`RepeatType\` must be Permanent in the sandbox, got: "${repeat}"`,
    );
  }
}

/** Properties that every policy of either firewall has, before what its creator gave. */
const POLICY_DEFAULTS: JsonObject = {
  Description: '',
  Prio: 0,
  RepeatType: 'Permanent',
  Status: true,
};

/** What the firewall counts and finds out, as of a policy that nothing has met yet. */
const POLICY_FACTS: JsonObject = {
  EffectStatus: 1,
  HitCnt: 0,
  IsEffected: true,
  UseCount: 0,
};

/** A position of 0 puts a new policy last; an existing one moves to 1 or more. @throws CloudError */
function checkPosition(input: JsonObject, prior: JsonObject | undefined): void {
  const [position, before] = [Number(input.Prio ?? 0), Number(prior?.Prio ?? 0)];
  if (position < 0 || (prior !== undefined && position === 0 && before !== 0)) {
    const least = prior === undefined ? 0 : 1;
    throw new CloudError('InvalidPrio', `\`Prio\` must be ${least} or more, got: ${position}`);
  }
}

function checkSide(side: 'Source' | 'Destination', input: JsonObject, cloud: CloudScope): void {
  const value = readText(input, side);
  switch (input[`${side}Type`]) {
    case 'net':
      checkNetwork(side, value);
      break;
    case 'group':
      checkBook(side, value, ['ip', 'ipv6', ...(side === 'Destination' ? ['domain'] : [])], cloud);
      break;
    case 'domain':
      if (input.Proto !== 'TCP') {
        throw new CloudError('InvalidProto', '`Proto` must be TCP for a domain as destination');
      }
      break;
    default:
      if (value === '') throw new CloudError('MissingProperty', `\`${side}\` is required`);
  }
}

function checkNetwork(side: string, value: string): void {
  try {
    parseCidr(value);
  } catch (error) {
    throw new CloudError(
      `Invalid${side}`,
      `\`${side}\` ${(error as Error).message}, got: "${value}"`,
    );
  }
}

function checkBook(
  property: string,
  id: string,
  types: readonly string[],
  cloud: CloudScope,
): void {
  const book = referenced(cloud, fwcenterAddressBook, property, id);
  if (!types.includes(readText(book, 'GroupType'))) {
    throw new CloudError(
      `Invalid${property}.GroupType`,
      `\`${property}\` must name an address book of type ${types.join(' or ')}, got: "${readText(book, 'GroupType')}"`,
    );
  }
}

function checkPorts(input: JsonObject, cloud: CloudScope): void {
  const ports = readText(input, 'DestPort');
  const hasPorts = input.Proto === 'TCP' || input.Proto === 'UDP';
  if (!hasPorts && ports !== '') {
    throw new CloudError(
      'InvalidDestPort',
      `\`DestPort\` must be empty for ${readText(input, 'Proto')}, got: "${ports}"`,
    );
  }
  if (!hasPorts) return;
  if (input.DestPortType === 'group') checkBook('DestPort', ports, ['port'], cloud);
  else if (!portSpan(ports)) {
    throw new CloudError(
      'InvalidDestPort',
      `\`DestPort\` must be a port or a range such as 443 or 80/90, got: "${ports}"`,
    );
  }
}
