import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { privatezonePrivateZone, privatezoneRecord } from '../../cloud/table/privatezone.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { type JsonObject, readObjects, readText } from '../../sandbox/json.js';

/** A name that clients of a VPC find something by. */
interface VpcName {
  readonly name: string;
  readonly vpc: string;
}

/** The domain that an endpoint has in one zone alone. */
interface ZoneDomain {
  readonly name: string;
  readonly zone: string;
  readonly endpoint: string;
}

export type UsedName = VpcName | ZoneDomain;

/** Returns what a name is told apart by: each VPC finds it, or not, by itself. */
export function nameKey(used: UsedName): string {
  return `${'vpc' in used ? used.vpc : used.zone} ${used.name}`;
}

/**
 * The names that clients may use at first and do not find after each state: names of private zones, VPC
 * by VPC, and the domains of single zones of endpoints that stay: where an endpoint goes, its link says so.
 *
 * @param boundZones private zones that are bound to every VPC
 */
export function lostNames(
  states: readonly CloudState[],
  boundZones: readonly string[] = [],
): readonly (readonly UsedName[])[] {
  const [first] = states;
  const used = first === undefined ? [] : namesIn(first);
  return states.map((state) => {
    const found = new Set(namesIn(state).map(nameKey));
    const endpoints = new Set(endpointIds(state));
    const everywhere = namesOf(state, ({ ZID }) => boundZones.includes(String(ZID)));
    const isThere = (one: UsedName) => 'vpc' in one || endpoints.has(one.endpoint);
    return used.filter(
      (one) => !found.has(nameKey(one)) && !everywhere.includes(one.name) && isThere(one),
    );
  });
}

function namesIn(cloud: CloudState): UsedName[] {
  return [...zoneNames(cloud), ...zoneDomains(cloud)];
}

function zoneNames(cloud: CloudState): VpcName[] {
  return listResources(cloud, privatezonePrivateZone).flatMap((zone) => {
    const names = namesOf(cloud, ({ ZID }) => ZID === zone.ZID);
    return readObjects(zone, 'Vpcs').flatMap((vpc) =>
      names.map((name) => ({ name, vpc: readText(vpc, 'VpcId') })),
    );
  });
}

/** The names of private zones that have records in force. */
function namesOf(cloud: CloudState, isMeant: (zone: JsonObject) => boolean): string[] {
  const records = listResources(cloud, privatezoneRecord).filter(({ Enable }) => Enable === true);
  const names = listResources(cloud, privatezonePrivateZone)
    .filter(isMeant)
    .flatMap((zone) =>
      records
        .filter(({ ZID }) => String(ZID) === String(zone.ZID))
        .map((record) => nameOf(record, zone)),
    );
  return [...new Set(names)];
}

function nameOf(record: JsonObject, zone: JsonObject): string {
  const [host, name] = [readText(record, 'Host'), readText(zone, 'ZoneName')];
  return host === '@' ? name : `${host}.${name}`;
}

function endpointIds(cloud: CloudState): string[] {
  return listResources(cloud, privatelinkVpcEndpoint).map((one) => readText(one, 'EndpointId'));
}

function zoneDomains(cloud: CloudState): ZoneDomain[] {
  return listResources(cloud, privatelinkVpcEndpoint).flatMap((endpoint) =>
    readObjects(endpoint, 'Zones').map((zone) => ({
      name: readText(zone, 'ZoneDomain'),
      zone: readText(zone, 'ZoneId'),
      endpoint: readText(endpoint, 'EndpointId'),
    })),
  );
}
