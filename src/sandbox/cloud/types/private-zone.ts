import { privatezonePrivateZone, privatezoneRecord, vpcVpc } from '../../../cloud/table/index.js';
import { isDomainName } from '../../../net/host-name.js';
import { type JsonObject, objectsOf, textOf } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';

export const privateZone: CloudType = {
  row: privatezonePrivateZone,

  readOnlyMembers: { Vpcs: ['AccountID', 'RegionName'] },

  make(input, prior, cloud) {
    const name = textOf(input, 'ZoneName');
    if (!isDomainName(name)) {
      throw new CloudError('InvalidZoneName', `\`ZoneName\` must be a domain, got: "${name}"`);
    }
    const id = prior ? textOf(prior, 'ZID') : String(cloud.newNumber());
    checkVpcs(input, id, cloud);
    return {
      LineMode: 0,
      ProjectName: 'default',
      RecursionMode: false,
      Remark: '',
      Tags: [],
      ...input,
      CreatedAt: prior?.CreatedAt ?? cloud.now(),
      LastOperator: ACCOUNT_ID,
      UpdatedAt: cloud.now(),
      Vpcs: objectsOf(input, 'Vpcs').map((vpc) => ({
        ...vpc,
        AccountID: ACCOUNT_ID,
        RegionName: textOf(vpc, 'Region'),
      })),
      ZID: id,
    };
  },

  checkDelete(properties, cloud) {
    const id = textOf(properties, 'ZID');
    const records = recordsOf(id, cloud).map((record) => textOf(record, 'RecordId'));
    if (records.length > 0) throw dependencyViolation(id, records);
  },

  read(properties, cloud) {
    return { RecordCount: recordsOf(textOf(properties, 'ZID'), cloud).length };
  },
};

// The zone's own id is text, and the same id in a record is a number.
function recordsOf(zoneId: string, cloud: CloudScope): JsonObject[] {
  return cloud.all(privatezoneRecord.cloudType).filter(({ ZID }) => ZID === Number(zoneId));
}

function checkVpcs(input: JsonObject, id: string, cloud: CloudScope): void {
  const others = cloud
    .all(privatezonePrivateZone.cloudType)
    .filter((zone) => zone.ZID !== id && zone.ZoneName === input.ZoneName);
  for (const vpc of objectsOf(input, 'Vpcs')) {
    const vpcId = textOf(vpc, 'VpcId');
    referenced(cloud, vpcVpc, 'VpcId', vpcId);
    if (vpc.Region !== cloud.place.region) {
      throw new CloudError(
        'InvalidRegion',
        `\`Region\` must be ${cloud.place.region}, got: "${textOf(vpc, 'Region')}"`,
      );
    }
    const isBound = ({ VpcId }: JsonObject) => VpcId === vpcId;
    if (others.some((zone) => objectsOf(zone, 'Vpcs').some(isBound))) {
      throw new CloudError(
        'InvalidVpcs.Conflict',
        `${vpcId} has another zone ${textOf(input, 'ZoneName')} already`,
      );
    }
  }
}
