import { isInZone } from '../../net/host-name.js';
import { list, object, text } from '../read/json.js';
import { refersTo, type TerraformResource } from '../read/terraform-json.js';
import type { ResourceIndex } from '../rules/reading.js';

/** The clients that ask for a name, and what no stack has of names. */
export interface Asking {
  /** The VPCs of the clients: Terraform's addresses, or identifiers. */
  readonly vpcs: readonly string[];
  /** Identifiers of zones that are bound to every VPC. */
  readonly boundZones?: readonly string[] | undefined;
  /** The addresses that DNS of others gives; undefined for names that it does not have. */
  readonly elsewhere: (name: string) => readonly string[] | undefined;
}

const MAX_ALIASES = 8;
const ZONE = 'volcenginecc_privatezone_private_zone';

/**
 * Finds the addresses that clients get for a name: from the closest private zone of their VPCs, else from DNS
 * of others, else from the domains of endpoints. None where there is no such name.
 */
export function resolveName(
  index: ResourceIndex,
  name: string,
  asking: Asking,
  aliases = 0,
): readonly string[] {
  const records = askZones(index, name, asking);
  if (records === undefined) return asking.elsewhere(name) ?? endpointAddresses(index, name);
  const alias = records.find(({ body }) => body.type === 'CNAME');
  if (alias === undefined) return valuesOf(records.filter(({ body }) => body.type === 'A'));
  const [target = ''] = valuesOf([alias]);
  if (aliases === MAX_ALIASES) return [];
  return resolveName(index, target.replace(/\.$/, '').toLowerCase(), asking, aliases + 1);
}

/** The records of a private zone that are in force. */
export function recordsOf(zone: TerraformResource, index: ResourceIndex): TerraformResource[] {
  return allRecordsOf(zone, index).filter(isInForce);
}

/** The records of a private zone, disabled ones too. */
export function allRecordsOf(zone: TerraformResource, index: ResourceIndex): TerraformResource[] {
  return index.ofType('volcenginecc_privatezone_record').filter(({ body: { zid } }) => {
    return refersTo(zid, zone) || String(zid) === text(zone.body.zid);
  });
}

/** Tells whether a record is answered with. */
export function isInForce({ body }: TerraformResource): boolean {
  return body.enable !== false;
}

/** The VPCs that a zone is bound to. */
export function vpcsOf({ body }: TerraformResource, index: ResourceIndex): string[] {
  return list(body.vpcs).map((vpc) => {
    const id = object(vpc).vpc_id;
    return index.named(id)?.address ?? text(id);
  });
}

/** The answer of one private zone: records, or what others answer. */
interface ZoneAnswer {
  readonly zone: TerraformResource;
  readonly records: readonly TerraformResource[] | undefined;
}

/** Asks the closest zone; of several with one name it is not known which counts, so one that has the name does. */
function askZones(index: ResourceIndex, name: string, asking: Asking) {
  const answers = closestZones(index, name, asking).map(({ records }) => records);
  return answers.find((records = []) => records.length > 0) ?? answers[0];
}

/**
 * Lists the closest private zones of one name that answer differently for a name, and those of them that have
 * it, by their identifiers: which of them counts is not known. Undefined where all answer alike.
 */
export function differingZones(index: ResourceIndex, name: string, asking: Asking) {
  const answers = closestZones(index, name, asking);
  const told = answers.map(({ records }) => records && valuesOf(records).sort().join());
  if (new Set(told).size < 2) return undefined;
  const having = answers.filter(({ records = [] }) => records.length > 0);
  const zids = (all: readonly ZoneAnswer[]) =>
    all.map(({ zone }) => text(zone.body.zid) || zone.address).sort();
  return { all: zids(answers), having: zids(having) };
}

/** A zone hides what is public below its name, unless it is recursive: then the names that it has. */
function closestZones(
  index: ResourceIndex,
  name: string,
  { vpcs, boundZones = [] }: Asking,
): ZoneAnswer[] {
  const isBound = (zone: TerraformResource) =>
    boundZones.includes(text(zone.body.zid)) ||
    vpcsOf(zone, index).some((vpc) => vpcs.includes(vpc));
  const zones = index
    .ofType(ZONE)
    .filter((one) => isInZone(name, nameOf(one)))
    .filter(isBound);
  const longest = Math.max(...zones.map((zone) => nameOf(zone).length));
  return zones
    .filter((zone) => nameOf(zone).length === longest)
    .map((zone) => {
      const records = recordsAt(zone, name, index);
      const isLeft = records.length === 0 && zone.body.recursion_mode === true;
      return { zone, records: isLeft ? undefined : records };
    });
}

function recordsAt(zone: TerraformResource, name: string, index: ResourceIndex) {
  const own = recordsOf(zone, index);
  const host = name === nameOf(zone) ? '@' : name.slice(0, -nameOf(zone).length - 1);
  const at = (wanted: string) => own.filter(({ body }) => text(body.host).toLowerCase() === wanted);
  const exact = at(host);
  return exact.length > 0 || host === '@' ? exact : at('*');
}

function nameOf({ body }: TerraformResource): string {
  return text(body.zone_name).toLowerCase();
}

function valuesOf(records: readonly TerraformResource[]): string[] {
  return records.map(({ body }) => text(body.value));
}

/** The domain of an endpoint leads to all of its zones, and that of a zone to it alone. */
function endpointAddresses(index: ResourceIndex, name: string): string[] {
  return index.ofType('volcenginecc_privatelink_vpc_endpoint').flatMap(({ body }) =>
    list(body.zones)
      .map(object)
      .filter((zone) => [text(body.endpoint_domain), text(zone.zone_domain)].includes(name))
      .map((zone) => text(zone.private_ip_address)),
  );
}
