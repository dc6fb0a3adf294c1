import { isIPv4, isIPv6 } from 'node:net';
import { privatezonePrivateZone, privatezoneRecord } from '../../../cloud/table/privatezone.js';
import { vpcVpc } from '../../../cloud/table/vpc.js';
import { isDomainName } from '../../../net/host-name.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { ACCOUNT_ID } from '../../surroundings.js';
import { CloudError, invalid } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced } from '../cloud-type.js';

export const privateZone: CloudType = {
  row: privatezonePrivateZone,
  times: ['CreatedAt', 'UpdatedAt'],
  references: { 'Vpcs/VpcId': vpcVpc },
  newId: (cloud) => cloud.newNumber(),

  make(input, { id }, cloud) {
    const name = readText(input, 'ZoneName');
    if (!isDomainName(name)) throw invalid('ZoneName', 'must be a domain', name);
    checkVpcs(input, id, cloud);
    return {
      LineMode: 0,
      RecursionMode: false,
      Remark: '',
      ...input,
      LastOperator: ACCOUNT_ID,
      Vpcs: readObjects(input, 'Vpcs').map((vpc) => ({
        ...vpc,
        AccountID: ACCOUNT_ID,
        RegionName: readText(vpc, 'Region'),
      })),
    };
  },

  read(zone, cloud) {
    return { RecordCount: cloud.users(privatezonePrivateZone, readText(zone, 'ZID')).length };
  },
};

function checkVpcs(input: JsonObject, id: string, cloud: CloudScope): void {
  const others = cloud
    .all(privatezonePrivateZone)
    .filter((zone) => zone.ZID !== id && zone.ZoneName === input.ZoneName);
  for (const vpc of readObjects(input, 'Vpcs')) {
    const vpcId = readText(vpc, 'VpcId');
    if (vpc.Region !== cloud.place.region) {
      throw invalid('Region', `must be ${cloud.place.region}`, readText(vpc, 'Region'));
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
  times: ['CreatedAt', 'UpdatedAt'],
  // The zone's own id is text, and the same id in a record is a number.
  references: { ZID: privatezonePrivateZone },
  newId: (cloud) => cloud.newNumber(),

  make(input, { id }, cloud) {
    const zone = referenced(cloud, privatezonePrivateZone, 'ZID', String(input.ZID));
    const host = readText(input, 'Host');
    if (host !== APEX && !LABELS.test(host)) throw invalid('Host', 'must be @, * or labels', host);
    checkValue(readText(input, 'Type'), readText(input, 'Value'));
    checkNeighbours(input, id, cloud);
    const zoneName = readText(zone, 'ZoneName');
    return {
      Enable: true,
      Line: 'default',
      Remark: '',
      TTL: 600,
      Weight: 1,
      ...input,
      LastOperator: ACCOUNT_ID,
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
    };
  },
};

/** Checks of a record's value, by its type; a value of any other type has some text. */
const VALUE_CHECKS = new Map<string, (value: string) => boolean>([
  ['A', isIPv4],
  ['AAAA', isIPv6],
  ['CNAME', (value) => NAME.test(value)],
  ['PTR', (value) => NAME.test(value)],
]);

function checkValue(type: string, value: string): void {
  const fits = VALUE_CHECKS.get(type) ?? ((text) => text !== '');
  if (!fits(value)) throw invalid('Value', `does not fit ${type}`, value);
}

/** An alias is the only record of its host, and no record is there twice. */
function checkNeighbours(input: JsonObject, id: string, cloud: CloudScope): void {
  const neighbours = cloud
    .all(privatezoneRecord)
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
