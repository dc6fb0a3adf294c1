import { isIPv4, isIPv6 } from 'node:net';
import { privatezonePrivateZone, privatezoneRecord, vpcVpc } from '../../../cloud/table/index.js';
import { isDomainName } from '../../../net/host-name.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';
import { ACCOUNT_ID } from '../region.js';

export const privateZone: CloudType = {
  row: privatezonePrivateZone,

  readOnlyMembers: { Vpcs: ['AccountID', 'RegionName'] },

  make(input, prior, cloud) {
    const name = readText(input, 'ZoneName');
    if (!isDomainName(name)) {
      throw new CloudError('InvalidZoneName', `\`ZoneName\` must be a domain, got: "${name}"`);
    }
    const id = prior ? readText(prior, 'ZID') : String(cloud.newNumber());
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
      Vpcs: readObjects(input, 'Vpcs').map((vpc) => ({
        ...vpc,
        AccountID: ACCOUNT_ID,
        RegionName: readText(vpc, 'Region'),
      })),
      ZID: id,
    };
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'ZID');
    const records = findRecords(id, cloud).map((record) => readText(record, 'RecordId'));
    if (records.length > 0) throw dependencyViolation(id, records);
  },

  read(properties, cloud) {
    return { RecordCount: findRecords(readText(properties, 'ZID'), cloud).length };
  },
};

// The zone's own id is text, and the same id in a record is a number.
function findRecords(zoneId: string, cloud: CloudScope): JsonObject[] {
  return cloud.all(privatezoneRecord.cloudType).filter(({ ZID }) => ZID === Number(zoneId));
}

function checkVpcs(input: JsonObject, id: string, cloud: CloudScope): void {
  const others = cloud
    .all(privatezonePrivateZone.cloudType)
    .filter((zone) => zone.ZID !== id && zone.ZoneName === input.ZoneName);
  for (const vpc of readObjects(input, 'Vpcs')) {
    const vpcId = readText(vpc, 'VpcId');
    referenced(cloud, vpcVpc, 'VpcId', vpcId);
    if (vpc.Region !== cloud.place.region) {
      throw new CloudError(
        'InvalidRegion',
        `\`Region\` must be ${cloud.place.region}, got: "${readText(vpc, 'Region')}"`,
      );
    }
    const isBound = ({ VpcId }: JsonObject) => VpcId === vpcId;
    if (others.some((zone) => readObjects(zone, 'Vpcs').some(isBound))) {
      throw new CloudError(
        'InvalidVpcs.Conflict',
        `${vpcId} has another zone ${readText(input, 'ZoneName')} already`,
      );
    }
  }
}

const APEX = '@';
const LABELS = /^(\*|[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i;
const NAME = /^([a-z0-9_-]+\.)+[a-z0-9-]+\.?$/i;

export const privateZoneRecord: CloudType = {
  row: privatezoneRecord,

  make(input, prior, cloud) {
    const zone = referenced(cloud, privatezonePrivateZone, 'ZID', String(input.ZID));
    const id = prior ? readText(prior, 'RecordId') : String(cloud.newNumber());
    checkHost(readText(input, 'Host'));
    checkValue(readText(input, 'Type'), readText(input, 'Value'));
    checkNeighbours(input, id, cloud);
    const host = readText(input, 'Host');
    const zoneName = readText(zone, 'ZoneName');
    return {
      Enable: true,
      Line: 'default',
      Remark: '',
      TTL: 600,
      Weight: 1,
      ...input,
      CreatedAt: prior?.CreatedAt ?? cloud.now(),
      LastOperator: ACCOUNT_ID,
      RecordId: id,
      RecordSets: [
        {
          FQDN: host === APEX ? zoneName : `${host}.${zoneName}`,
          Host: host,
          ID: `${id}-set`,
          Line: 'default',
          Type: readText(input, 'Type'),
          WeightEnabled: false,
        },
      ],
      UpdatedAt: cloud.now(),
    };
  },

  checkDelete() {
    // Nothing else in the cloud refers to a record.
  },
};

function checkHost(host: string): void {
  if (host !== APEX && !LABELS.test(host)) {
    throw new CloudError('InvalidHost', `\`Host\` must be @, * or labels, got: "${host}"`);
  }
}

function checkValue(type: string, value: string): void {
  const isRight =
    type === 'A'
      ? isIPv4(value)
      : type === 'AAAA'
        ? isIPv6(value)
        : type === 'CNAME' || type === 'PTR'
          ? NAME.test(value)
          : value !== '';
  if (!isRight) {
    throw new CloudError('InvalidValue', `\`Value\` does not fit ${type}, got: "${value}"`);
  }
}

/** An alias is the only record of its host, and no record is there twice. */
function checkNeighbours(input: JsonObject, id: string, cloud: CloudScope): void {
  const neighbours = cloud
    .all(privatezoneRecord.cloudType)
    .filter(
      (other) => other.RecordId !== id && other.ZID === input.ZID && other.Host === input.Host,
    );
  if (neighbours.some(({ Type, Value }) => Type === input.Type && Value === input.Value)) {
    throw new CloudError('InvalidRecord.Duplicate', 'there is the same record already');
  }
  const types = [...neighbours, input].map(({ Type }) => Type);
  if (neighbours.length > 0 && types.includes('CNAME')) {
    throw new CloudError(
      'InvalidRecord.Conflict',
      `a CNAME must be the only record of its host, got: "${readText(input, 'Host')}"`,
    );
  }
}
