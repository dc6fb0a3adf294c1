import { fwcenterAddressBook, fwcenterControlPolicy } from '../../../cloud/table/index.js';
import { parseCidr } from '../../../net/cidr.js';
import { type JsonObject, textOf } from '../../json.js';
import { CloudError } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';
import { portSpan } from './address-book.js';

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
      RuleId: prior ? textOf(prior, 'RuleId') : cloud.newId('policy'),
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
  const repeat = textOf(input, 'RepeatType');
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
  const value = textOf(input, side);
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
  if (!types.includes(textOf(book, 'GroupType'))) {
    throw new CloudError(
      `Invalid${property}.GroupType`,
      `\`${property}\` must name an address book of type ${types.join(' or ')}, got: "${textOf(book, 'GroupType')}"`,
    );
  }
}

function checkPorts(input: JsonObject, cloud: CloudScope): void {
  const ports = textOf(input, 'DestPort');
  const hasPorts = input.Proto === 'TCP' || input.Proto === 'UDP';
  if (!hasPorts && ports !== '') {
    throw new CloudError(
      'InvalidDestPort',
      `\`DestPort\` must be empty for ${textOf(input, 'Proto')}, got: "${ports}"`,
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
