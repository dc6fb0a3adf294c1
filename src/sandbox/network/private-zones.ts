import { privatezonePrivateZone, privatezoneRecord } from '../../cloud/table/index.js';
import { type CloudState, resourcesOf } from '../cloud/cloud-state.js';
import { type JsonObject, objectsOf, textOf } from '../json.js';
import { workloadVpcs } from './workload.js';

/** What the private zones of a VPC say of a name. */
type ZoneAnswer =
  | { readonly kind: 'not-covered' | 'not-found' }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'alias'; readonly target: string };

/**
 * Asks the private zones of the workloads' VPCs. A zone hides everything public below its name, unless
 * it is recursive: then only the names that it has.
 *
 * @param name in lower case
 */
export function askPrivateZones(cloud: CloudState, name: string): ZoneAnswer {
  const vpcIds = workloadVpcs(cloud);
  const [zone] = resourcesOf(cloud, privatezonePrivateZone.cloudType)
    .filter((each) => objectsOf(each, 'Vpcs').some((vpc) => vpcIds.includes(textOf(vpc, 'VpcId'))))
    .filter((each) => covers(nameOf(each), name))
    .sort((a, b) => nameOf(b).length - nameOf(a).length);
  if (!zone) return { kind: 'not-covered' };
  const records = recordsAt(cloud, zone, name);
  const alias = records.find(({ Type }) => Type === 'CNAME');
  if (alias) return { kind: 'alias', target: textOf(alias, 'Value').replace(/\.$/, '') };
  if (records.length === 0) {
    return { kind: zone.RecursionMode === true ? 'not-covered' : 'not-found' };
  }
  const addresses = records.filter(({ Type }) => Type === 'A').map((each) => textOf(each, 'Value'));
  return { kind: 'addresses', addresses };
}

function nameOf(zone: JsonObject): string {
  return textOf(zone, 'ZoneName').toLowerCase();
}

function covers(zoneName: string, name: string): boolean {
  return name === zoneName || name.endsWith(`.${zoneName}`);
}

function recordsAt(cloud: CloudState, zone: JsonObject, name: string): JsonObject[] {
  const own = resourcesOf(cloud, privatezoneRecord.cloudType).filter(
    ({ ZID, Enable }) => String(ZID) === zone.ZID && Enable === true,
  );
  const host = name === nameOf(zone) ? '@' : name.slice(0, -nameOf(zone).length - 1);
  const at = (wanted: string) =>
    own.filter((record) => textOf(record, 'Host').toLowerCase() === wanted);
  const exact = at(host);
  return exact.length > 0 || host === '@' ? exact : at('*');
}
