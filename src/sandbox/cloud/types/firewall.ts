import { fwcenterAddressBook, fwcenterControlPolicy } from '../../../cloud/table/fwcenter.js';
import { parseCidr, parseNetwork } from '../../../net/cidr.js';
import { isDomainName } from '../../../net/host-name.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { ACCOUNT_ID } from '../../surroundings.js';
import { CloudError, invalid, missing, parseOr } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';

export const addressBook: CloudType = {
  row: fwcenterAddressBook,
  newId: (cloud) => cloud.newId('book'),

  make(input, _, cloud) {
    checkName(readText(input, 'GroupName'));
    const made: JsonObject = {
      AutoUpdateType: 'Manual',
      ...input,
      Updated: seconds(cloud.now()),
    };
    checkEntries(made);
    return made;
  },

  read(book, cloud) {
    return { RefCnt: cloud.users(fwcenterAddressBook, readText(book, 'GroupUuid')).length };
  },
};

/** Returns what an address book holds, whichever of its two lists was given. */
export function bookEntries(book: JsonObject | undefined): string[] {
  const detailed = readObjects(book, 'AddressDetailList');
  const addresses = detailed.map((entry) => readText(entry, 'Address'));
  return [...new Set([...readTexts(book, 'AddressList'), ...addresses])];
}

/** A time as the firewall writes it: Unix time. */
function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

function checkName(name: string): void {
  if (!/^[A-Za-z0-9\p{Script=Han}_-]+$/u.test(name)) {
    throw invalid('GroupName', 'takes letters, digits, - and _ only', name);
  }
}

function checkEntries(book: JsonObject): void {
  const entries = bookEntries(book);
  if (entries.length === 0 && book.AutoUpdateType === 'Manual') {
    throw new CloudError('MissingProperty', '`AddressList` or `AddressDetailList` is required');
  }
  for (const entry of entries) {
    const problem = entryProblem(entry, readText(book, 'GroupType'));
    if (problem !== undefined) throw invalid('AddressList', problem, entry);
  }
}

function entryProblem(entry: string, type: string): string | undefined {
  if (type === 'port') return portSpan(entry) ? undefined : 'must hold ports such as 443 or 80/90';
  if (type === 'domain') {
    return isDomainName(entry.replace(/^\*\./, '')) ? undefined : 'must hold domain names';
  }
  try {
    const { family } = parseNetwork(entry);
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

export const controlPolicy: CloudType = {
  row: fwcenterControlPolicy,
  references: {
    Source: fwcenterAddressBook,
    Destination: fwcenterAddressBook,
    DestPort: fwcenterAddressBook,
  },
  refers: (policy, property) => policy[`${property}Type`] === 'group',
  newId: (cloud) => cloud.newId('policy'),

  make(input, { prior }, cloud) {
    checkSide('Source', input, cloud);
    checkSide('Destination', input, cloud);
    checkPorts(input, cloud);
    checkHours(readText(input, 'RepeatType'));
    checkPosition(input, prior);
    return {
      IpType: 'v4',
      RepeatType: 'Permanent',
      Status: true,
      ...input,
      AccountId: ACCOUNT_ID,
      // As of a policy that nothing has met yet.
      EffectStatus: 1,
      HitCnt: 0,
      IsEffected: true,
      UpdateTime: seconds(cloud.now()),
      UseCount: 0,
    };
  },
};

function checkHours(repeat: string): void {
  if (repeat !== '' && repeat !== 'Permanent') {
    const rule = 'must be Permanent in the sandbox';
    throw invalid('RepeatType', rule, repeat, 'UnsupportedRepeatType');
  }
}

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
      parseOr(parseCidr, value, (rule) => invalid(side, rule, value));
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
      if (value === '') throw missing(side);
  }
}

function checkBook(
  property: string,
  id: string,
  types: readonly string[],
  cloud: CloudScope,
): void {
  const type = readText(referenced(cloud, fwcenterAddressBook, property, id), 'GroupType');
  if (!types.includes(type)) {
    const rule = `must name an address book of type ${types.join(' or ')}`;
    throw invalid(property, rule, type, `Invalid${property}.GroupType`);
  }
}

function checkPorts(input: JsonObject, cloud: CloudScope): void {
  const ports = readText(input, 'DestPort');
  const hasPorts = input.Proto === 'TCP' || input.Proto === 'UDP';
  if (!hasPorts) {
    if (ports === '') return;
    throw invalid('DestPort', `must be empty for ${readText(input, 'Proto')}`, ports);
  }
  if (input.DestPortType === 'group') checkBook('DestPort', ports, ['port'], cloud);
  else if (!portSpan(ports)) {
    throw invalid('DestPort', 'must be a port or a range such as 443 or 80/90', ports);
  }
}
