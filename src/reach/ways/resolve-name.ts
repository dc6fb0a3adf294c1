import { isInZone } from '../../net/host-name.js';
import { identifierReference } from '../read/address.js';
import { type Json, list, object, text } from '../read/json.js';
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
export const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';
export const ZONE = 'volcenginecc_privatezone_private_zone';
export const RECORD = 'volcenginecc_privatezone_record';

/** The answer for a name, with the zones that were asked and the records that led there, aliases first. */
export interface Answer {
  readonly addresses: readonly string[];
  /** True if a private zone gave it. */
  readonly isPrivate: boolean;
  readonly zones: readonly TerraformResource[];
  readonly records: readonly TerraformResource[];
}

/**
 * Finds what clients get for a name: from the closest private zone of their VPCs, else from DNS of others, else from
 * the domains of endpoints. No addresses where there is no such name.
 */
export function answerName(
  index: ResourceIndex,
  name: string,
  asking: Asking,
  aliases = 0,
): Answer {
  const [first] = askZones(index, name, asking);
  const zones = first === undefined ? [] : [first.zone];
  if (first?.records === undefined) {
    const addresses = asking.elsewhere(name) ?? endpointAddresses(index, name);
    return { addresses, zones, records: [], isPrivate: false };
  }
  const alias = first.records.find(({ body }) => body.type === 'CNAME');
  if (alias === undefined || aliases === MAX_ALIASES) {
    const records = first.records.filter(({ body }) => body.type === 'A' || body.type === 'AAAA');
    return { addresses: valuesOf(records), zones, records, isPrivate: true };
  }
  const next = answerName(index, hostText(alias.body.value), asking, aliases + 1);
  return { ...next, zones: [...zones, ...next.zones], records: [alias, ...next.records] };
}

/** A host name as DNS compares it. */
export function hostText(value: unknown): string {
  return text(value).replace(/\.$/, '').toLowerCase();
}

/** Finds the IPv4 addresses that clients get for a name. */
export function resolveName(index: ResourceIndex, name: string, asking: Asking): string[] {
  return answerName(index, name, asking).addresses.filter((one) => !one.includes(':'));
}

/** Returns the name that a record is for. */
export function recordName({ body }: TerraformResource, index: ResourceIndex): string {
  const zone = index.ofType(ZONE).find((one) => isOf(body, one));
  const [host, name] = [text(body.host).toLowerCase(), zone ? nameOf(zone) : text(body.zid)];
  return host === '@' ? name : `${host}.${name}`;
}

/** The records of a private zone, disabled ones too. */
export function allRecordsOf(zone: TerraformResource, index: ResourceIndex): TerraformResource[] {
  return index.ofType(RECORD).filter(({ body }) => isOf(body, zone));
}

function isOf({ zid }: Json, zone: TerraformResource): boolean {
  // No expression refers to a number, by which a cloud names a zone of others.
  const names = [text(zone.body.zid), `\${${zone.address}.id}`];
  return refersTo(zid, zone) || names.includes(String(zid));
}

/** Tells whether a record is answered with. */
export function isInForce({ body }: TerraformResource): boolean {
  return body.enable !== false;
}

/** The VPCs that a zone is bound to. */
export function vpcsOf({ body }: TerraformResource): string[] {
  return list(body.vpcs).map((vpc) => addressOrId(object(vpc).vpc_id));
}

/** Returns the address that an identifier of a resource stands for, else what is written. */
export function addressOrId(id: unknown): string {
  return identifierReference(id)?.address ?? text(id);
}

/**
 * Lists the closest private zones of one name that answer differently for a name, by their identifiers: which of them
 * counts is not known. None where all answer alike.
 */
export function differingZones(index: ResourceIndex, name: string, asking: Asking): string[] {
  const answers = askZones(index, name, asking);
  const told = answers.map(({ records }) => records && valuesOf(records).sort().join());
  if (new Set(told).size < 2) return [];
  return answers.map(({ zone }) => text(zone.body.zid) || zone.address).sort();
}

/**
 * Asks the closest zones, first those that have the name: of several of one name it is not known which counts. A zone
 * hides what is public below its name, unless it is recursive: then the names that it has.
 */
function askZones(index: ResourceIndex, name: string, { vpcs, boundZones = [] }: Asking) {
  const isBound = (zone: TerraformResource) =>
    boundZones.includes(text(zone.body.zid)) || vpcsOf(zone).some((vpc) => vpcs.includes(vpc));
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
    })
    .sort((a, b) => Number(!a.records?.length) - Number(!b.records?.length));
}

/** The records in force of a zone for a name: its own, else those for any other name. */
export function recordsAt(zone: TerraformResource, name: string, index: ResourceIndex) {
  const own = allRecordsOf(zone, index).filter(isInForce);
  const host = name === nameOf(zone) ? '@' : name.slice(0, -nameOf(zone).length - 1);
  const at = (wanted: string) => own.filter(({ body }) => text(body.host).toLowerCase() === wanted);
  const exact = at(host);
  return exact.length > 0 || host === '@' ? exact : at('*');
}

/** Returns the domain of a zone. */
export function nameOf({ body }: TerraformResource): string {
  return text(body.zone_name).toLowerCase();
}

function valuesOf(records: readonly TerraformResource[]): string[] {
  return records.map(({ body }) => text(body.value));
}

/** Finds the endpoint that has an address. */
export function endpointAt(index: ResourceIndex, address: string): TerraformResource | undefined {
  const isAt = (zone: unknown) => text(object(zone).private_ip_address) === address;
  return index.ofType(ENDPOINT).find(({ body }) => list(body.zones).some(isAt));
}

/** The domain of an endpoint leads to all of its zones, and that of a zone to it alone. */
function endpointAddresses(index: ResourceIndex, name: string): string[] {
  return index.ofType(ENDPOINT).flatMap(({ body }) =>
    list(body.zones)
      .map(object)
      .filter((zone) => [text(body.endpoint_domain), text(zone.zone_domain)].includes(name))
      .map((zone) => text(zone.private_ip_address)),
  );
}
