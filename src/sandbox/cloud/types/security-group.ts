import { vpcPrefixList, vpcSecurityGroup, vpcVpc } from '../../../cloud/table/vpc.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, invalid } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import { readBlock } from './vpc.js';

const ANY_PORT = -1;
/** The limit in one direction and one IP family. */
const MAX_RULES = 200;

export const securityGroup: CloudType = {
  row: vpcSecurityGroup,
  times: ['CreationTime'],
  references: {
    VpcId: vpcVpc,
    'EgressPermissions/SourceGroupId': vpcSecurityGroup,
    'EgressPermissions/PrefixListId': vpcPrefixList,
    'IngressPermissions/SourceGroupId': vpcSecurityGroup,
    'IngressPermissions/PrefixListId': vpcPrefixList,
  },
  refers: (holder, property) => property === 'VpcId' || holder[property] !== '',
  newId: (cloud) => cloud.newId('sg'),

  make(input, { id, prior }, cloud) {
    const given = input.EgressPermissions;
    const isKept = !prior && given !== undefined && cloud.keepsDefaultRule;
    const kept = isKept ? makeRules({}, 'egress', allowAll()) : [];
    return {
      SecurityGroupName: id,
      ...input,
      EgressPermissions: [...makeRules(input, 'egress', prior ? [] : allowAll()), ...kept],
      IngressPermissions: makeRules(
        input,
        'ingress',
        prior ? [] : [{ ...openRule(), SourceGroupId: id }],
      ),
      ServiceManaged: false,
      Status: 'Available',
      Type: 'normal',
    };
  },

  read(group, cloud) {
    const drop = { ...NO_PEER, ...openRule(), CidrIp: '0.0.0.0/0', Policy: 'drop', Priority: 1 };
    const shut = (Direction: 'egress' | 'ingress', name: string) =>
      cloud.isShut(readText(group, 'SecurityGroupId'), Direction)
        ? { [name]: [...readObjects(group, name), { ...drop, Direction }] }
        : {};
    return { ...shut('ingress', 'IngressPermissions'), ...shut('egress', 'EgressPermissions') };
  },
};

/** Returns what a new group has where its creator gave no rules of that direction. */
function allowAll(): JsonObject[] {
  return ['0.0.0.0/0', '::/0'].map((CidrIp) => ({ ...openRule(), CidrIp }));
}

function openRule(): JsonObject {
  return {
    Description: '',
    Policy: 'accept',
    PortEnd: ANY_PORT,
    PortStart: ANY_PORT,
    Priority: 100,
    Protocol: 'all',
  };
}

/** A rule is read with every kind of peer, empty where it has none. */
const NO_PEER = { CidrIp: '', PrefixListId: '', SourceGroupId: '' };

function makeRules(
  input: JsonObject,
  direction: 'egress' | 'ingress',
  otherwise: JsonObject[],
): JsonObject[] {
  const name = direction === 'egress' ? 'EgressPermissions' : 'IngressPermissions';
  const rules = input[name] === undefined ? otherwise : readObjects(input, name);
  for (const rule of rules) checkRule(rule, direction, name);
  checkCount(rules, name);
  return rules.map((rule) => ({ ...NO_PEER, ...rule, Direction: direction }));
}

function checkCount(rules: readonly JsonObject[], name: string): void {
  const ipv6 = rules.filter((rule) => readText(rule, 'CidrIp').includes(':')).length;
  const count = Math.max(ipv6, rules.length - ipv6);
  if (count > MAX_RULES) {
    throw new CloudError(
      'QuotaExceeded.SecurityGroupRule',
      `\`${name}\` must be at most ${MAX_RULES} of each IP family, got: ${count}`,
    );
  }
}

function checkRule(rule: JsonObject, direction: string, name: string): void {
  const refuse = (reason: string) =>
    new CloudError('InvalidSecurityRule', `\`${name}\` ${reason}, got: ${JSON.stringify(rule)}`);
  if (rule.Direction !== undefined && rule.Direction !== direction) {
    throw refuse(`holds ${direction} rules only`);
  }
  const [first, last] = [Number(rule.PortStart), Number(rule.PortEnd)];
  const hasPorts = rule.Protocol === 'tcp' || rule.Protocol === 'udp';
  const isAny = first === ANY_PORT && last === ANY_PORT;
  if (!isAny && !(hasPorts && first >= 1 && first <= last)) {
    throw refuse('takes ports 1 to 65535 in order for tcp and udp, and -1 otherwise');
  }
  if (!rule.CidrIp && !rule.SourceGroupId && !rule.PrefixListId) {
    throw refuse('needs one of `CidrIp`, `SourceGroupId` and `PrefixListId`');
  }
}

export const prefixList: CloudType = {
  row: vpcPrefixList,
  times: ['CreatedTime', 'UpdatedTime'],
  newId: (cloud) => cloud.newId('pl'),

  make(input, { id }) {
    const made: JsonObject = {
      PrefixListName: id,
      ...input,
      PrefixListEntries: readObjects(input, 'PrefixListEntries').map((entry) => ({
        Description: '',
        ...entry,
      })),
      AssociationsRouteTables: [],
      Status: 'Available',
    };
    checkEntries(made);
    return made;
  },

  read(list, cloud) {
    const groups = cloud.users(vpcPrefixList, readText(list, 'PrefixListId'));
    return {
      AssociationCount: groups.length,
      AssociationsSecurityGroups: groups.map(({ id }) => ({
        ResourceId: id,
        ResourceType: 'SecurityGroup',
      })),
    };
  },
};

function checkEntries(list: JsonObject): void {
  const cidrs = readObjects(list, 'PrefixListEntries').map((entry) => readText(entry, 'Cidr'));
  const most = Number(list.MaxEntries);
  if (cidrs.length > most) {
    throw new CloudError(
      'QuotaExceeded.PrefixListEntries',
      `\`PrefixListEntries\` must have at most \`MaxEntries\` (${most}), got: ${cidrs.length}`,
    );
  }
  const family = list.IpVersion === 'IPv6' ? 6 : 4;
  for (const [index, cidr] of cidrs.entries()) {
    if (readBlock(cidr).family !== family) {
      const rule = `must be ${String(list.IpVersion)}`;
      throw invalid('Cidr', rule, cidr, 'InvalidPrefixListEntry.IpVersion');
    }
    if (cidrs.indexOf(cidr) < index) {
      throw new CloudError('InvalidPrefixListEntry.Duplicate', `"${cidr}" is listed twice`);
    }
  }
}
