import { vpcPrefixList, vpcSecurityGroup } from '../../../cloud/table/index.js';
import { parseCidr } from '../../../net/cidr.js';
import { type JsonObject, objectsOf, textOf } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, users } from '../cloud-type.js';

export const prefixList: CloudType = {
  row: vpcPrefixList,

  make(input, prior, cloud) {
    const id = prior ? textOf(prior, 'PrefixListId') : cloud.newId('pl');
    const made: JsonObject = {
      Description: '',
      IpVersion: 'IPv4',
      PrefixListName: id,
      ProjectName: 'default',
      Tags: [],
      ...input,
      PrefixListEntries: objectsOf(input, 'PrefixListEntries').map((entry) => ({
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
    const id = textOf(properties, 'PrefixListId');
    const groups = groupsWith(id, cloud);
    if (groups.length > 0) throw dependencyViolation(id, groups);
  },

  read(properties, cloud) {
    const groups = groupsWith(textOf(properties, 'PrefixListId'), cloud);
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
      objectsOf(group, name).some(({ PrefixListId }) => PrefixListId === listId),
    ),
  );
}

function checkEntries(list: JsonObject): void {
  const cidrs = objectsOf(list, 'PrefixListEntries').map((entry) => textOf(entry, 'Cidr'));
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
