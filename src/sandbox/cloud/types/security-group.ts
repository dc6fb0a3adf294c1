import {
  privatelinkVpcEndpoint,
  vpcPrefixList,
  vpcSecurityGroup,
  vpcVpc,
} from '../../../cloud/table/index.js';
import { parseCidr } from '../../../net/cidr.js';
import { type JsonObject, readObjects, readText, readTexts } from '../../json.js';
import { CloudError, danglingReference, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, users } from '../cloud-type.js';

const ANY_PORT = -1;
/** In one direction, of one IP family. */
const MAX_RULES = 200;

export const securityGroup: CloudType = {
  row: vpcSecurityGroup,

  make(input, prior, cloud) {
    const vpcId = readText(input, 'VpcId');
    if (!cloud.find(vpcVpc.cloudType, vpcId)) throw danglingReference('VpcId', vpcId);
    const id = prior ? readText(prior, 'SecurityGroupId') : cloud.newId('sg');
    const made = {
      Description: '',
      ProjectName: 'default',
      SecurityGroupName: id,
      Tags: [],
      ...input,
      EgressPermissions: makeRules(input, 'egress', prior ? [] : allowAll(), id, cloud),
      IngressPermissions: makeRules(input, 'ingress', prior ? [] : [allowGroup(id)], id, cloud),
      CreationTime: prior?.CreationTime ?? cloud.now(),
      SecurityGroupId: id,
      ServiceManaged: false,
      Status: 'Available',
      Type: 'normal',
    };
    return made;
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'SecurityGroupId');
    const endpoints = cloud
      .all(privatelinkVpcEndpoint.cloudType)
      .filter((endpoint) => readTexts(endpoint, 'SecurityGroupIds').includes(id))
      .map((endpoint) => readText(endpoint, 'EndpointId'));
    const groups = cloud
      .all(vpcSecurityGroup.cloudType)
      .filter((group) => group.SecurityGroupId !== id)
      .filter((group) => findSourceGroups(group).includes(id))
      .map((group) => readText(group, 'SecurityGroupId'));
    const users = [...endpoints, ...groups];
    if (users.length > 0) throw dependencyViolation(id, users);
  },
};

/** What a new group has where its creator gave no rules of that direction. */
function allowAll(): JsonObject[] {
  return ['0.0.0.0/0', '::/0'].map((CidrIp) => ({ ...openRule(), CidrIp }));
}

function allowGroup(id: string): JsonObject {
  return { ...openRule(), SourceGroupId: id };
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

function findSourceGroups(group: JsonObject): string[] {
  return ['EgressPermissions', 'IngressPermissions'].flatMap((name) =>
    readObjects(group, name).map((rule) => readText(rule, 'SourceGroupId')),
  );
}

function makeRules(
  input: JsonObject,
  direction: 'egress' | 'ingress',
  otherwise: JsonObject[],
  id: string,
  cloud: CloudScope,
): JsonObject[] {
  const name = direction === 'egress' ? 'EgressPermissions' : 'IngressPermissions';
  const rules = input[name] === undefined ? otherwise : readObjects(input, name);
  for (const rule of rules) checkRule(rule, direction, name, id, cloud);
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

function checkRule(
  rule: JsonObject,
  direction: string,
  name: string,
  id: string,
  cloud: CloudScope,
): void {
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
  const group = readText(rule, 'SourceGroupId');
  const list = readText(rule, 'PrefixListId');
  if (!readText(rule, 'CidrIp') && !group && !list) {
    throw refuse('needs one of `CidrIp`, `SourceGroupId` and `PrefixListId`');
  }
  if (group && group !== id && !cloud.find(vpcSecurityGroup.cloudType, group)) {
    throw danglingReference('SourceGroupId', group);
  }
  if (list && !cloud.find(vpcPrefixList.cloudType, list)) {
    throw danglingReference('PrefixListId', list);
  }
}

export const prefixList: CloudType = {
  row: vpcPrefixList,

  make(input, prior, cloud) {
    const id = prior ? readText(prior, 'PrefixListId') : cloud.newId('pl');
    const made: JsonObject = {
      Description: '',
      IpVersion: 'IPv4',
      PrefixListName: id,
      ProjectName: 'default',
      Tags: [],
      ...input,
      PrefixListEntries: readObjects(input, 'PrefixListEntries').map((entry) => ({
        Description: '',
        ...entry,
      })),
      AssociationsRouteTables: [],
      CreatedTime: prior?.CreatedTime ?? cloud.now(),
      PrefixListId: id,
      Status: 'Available',
      UpdatedTime: cloud.now(),
    };
    checkEntries(made);
    return made;
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'PrefixListId');
    const groups = groupsWith(id, cloud);
    if (groups.length > 0) throw dependencyViolation(id, groups);
  },

  read(properties, cloud) {
    const groups = groupsWith(readText(properties, 'PrefixListId'), cloud);
    return {
      AssociationCount: groups.length,
      AssociationsSecurityGroups: groups.map((id) => ({
        ResourceId: id,
        ResourceType: 'SecurityGroup',
      })),
    };
  },
};

function groupsWith(listId: string, cloud: CloudScope): string[] {
  return users(cloud, vpcSecurityGroup, 'SecurityGroupId', (group) =>
    ['EgressPermissions', 'IngressPermissions'].some((name) =>
      readObjects(group, name).some(({ PrefixListId }) => PrefixListId === listId),
    ),
  );
}

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
    if (parseCidr(cidr).family !== family) {
      throw new CloudError(
        'InvalidPrefixListEntry.IpVersion',
        `\`Cidr\` must be ${String(list.IpVersion)}, got: "${cidr}"`,
      );
    }
    if (cidrs.indexOf(cidr) < index) {
      throw new CloudError('InvalidPrefixListEntry.Duplicate', `"${cidr}" is listed twice`);
    }
  }
}
