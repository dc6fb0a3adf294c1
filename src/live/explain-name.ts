import { parseAddress } from '../net/address.js';
import { anyContains, parseCidr } from '../net/cidr.js';
import { isInZone } from '../net/host-name.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import { ENDPOINT } from './interfaces.js';
import type { LiveStack } from './live-stack.js';

/** A name that was looked up from this machine. */
export interface LookUp {
  readonly host: string;
  /** An address that the name should lead to. */
  readonly expected: string;
  /** Addresses that it led to; none where it does not resolve. */
  readonly answered: readonly string[];
  /** Addresses by which the network knows this machine; none where that is not known. */
  readonly machine: readonly string[];
}

/** The configuration of the private zone that a stack has for a name, as clauses. */
export interface ZoneExplained {
  /** Differences from Terraform that the answer agrees with. */
  readonly changes: readonly string[];
  /** The zone answers other networks than the one that this machine is in. */
  readonly elsewhere: readonly string[];
  /** The zone answers this machine's network, and rightly. */
  readonly isRight: boolean;
}

const ZONE = 'Volcengine::PrivateZone::PrivateZone';
const RECORD = 'Volcengine::PrivateZone::Record';
const VPC = 'Volcengine::VPC::VPC';

/** Explains the answer for a name; undefined where the stack has no zone for it. */
export function explainName(live: LiveStack, asked: LookUp): ZoneExplained | undefined {
  const zone = ownZone(live, asked.host);
  if (zone === undefined) return undefined;
  const isRead = Object.hasOwn(live.objects[ZONE] ?? {}, zone.id);
  const label = `the zone ${zone.name} (${zone.id})`;
  if (!isRead) {
    const isGone = live.gone.some(({ address }) => address === zone.address);
    const changes = isGone ? [`${label} is in the state and no longer in the cloud`] : [];
    return { changes, elsewhere: [], isRight: false };
  }
  const vpc = vpcOf(live, asked.expected);
  const bound = boundTo(live.objects[ZONE]?.[zone.id]);
  const others = Object.entries(live.objects[ZONE] ?? {}).filter(
    ([id, other]) =>
      id !== zone.id &&
      boundTo(other).includes(vpc) &&
      isInZone(asked.host, text(other.ZoneName)) &&
      text(other.ZoneName).length > zone.name.length,
  );
  const changes = [
    ...(vpc === '' || bound.includes(vpc)
      ? []
      : [
          `${label} is not associated with ${vpc}${isStated(live, zone, vpc) ? ', which Terraform associates it with' : ''}`,
        ]),
    ...others.map(([id, other]) => `the zone ${text(other.ZoneName)} (${id}) answers before it`),
    ...recordChanges(live, zone, asked),
  ];
  const place = placeOf(live, bound, asked.machine);
  const isOutside = changes.length === 0 && place === 'outside';
  const where = `${label} is associated with ${bound.join(', ') || 'no VPC'} alone, and ${asked.machine.join(', ')} is in none of them`;
  return {
    changes,
    elsewhere: isOutside ? [where] : [],
    isRight: changes.length === 0 && place === 'inside' && live.missed.length === 0,
  };
}

type Zone = NonNullable<ReturnType<typeof ownZone>>;

/** The zone of the state that is closest to a name. */
function ownZone({ deployed }: LiveStack, host: string) {
  const [closest] = deployed.resources
    .filter(({ type }) => type === 'volcenginecc_privatezone_private_zone')
    .map(({ address, body }) => ({
      address,
      id: text(body.zid) || text(body.id),
      name: text(body.zone_name),
      vpcs: list(body.vpcs).map((one) => text(object(one).vpc_id)),
    }))
    .filter(({ name }) => isInZone(host, name))
    .sort((a, b) => b.name.length - a.name.length);
  return closest;
}

/** The state names a VPC of its own by a reference. */
function isStated({ addressOf }: LiveStack, { vpcs }: Zone, id: string): boolean {
  const address = addressOf({ cloudType: VPC, identifier: id });
  return vpcs.includes(id) || vpcs.includes(`\${${address}.id}`);
}

function boundTo(zone: Json | undefined): string[] {
  return list(zone?.Vpcs).map((one) => text(object(one).VpcId));
}

function vpcOf({ objects }: LiveStack, address: string): string {
  const endpoint = Object.values(objects[ENDPOINT] ?? {}).find(({ Zones }) =>
    list(Zones).some((zone) => object(zone).PrivateIpAddress === address),
  );
  return text(endpoint?.VpcId);
}

/** Lists records of a name that differ from the state in a way that the answer agrees with. */
function recordChanges(live: LiveStack, zone: Zone, { host, answered }: LookUp): string[] {
  const label = host === zone.name ? '@' : host.slice(0, -zone.name.length - 1);
  const found = Object.entries(live.objects[RECORD] ?? {}).filter(
    ([, one]) => String(one.ZID) === zone.id && one.Host === label,
  );
  const own = live.deployed.resources.filter(
    ({ type, body }) => type === 'volcenginecc_privatezone_record' && body.host === label,
  );
  const isStated = (one: Json) =>
    own.some(({ body }) => body.type === one.Type && body.value === one.Value);
  const inForce = found.filter(([, one]) => one.Enable !== false);
  const wrong = inForce
    .filter(([, one]) => !isStated(one))
    .filter(([, one]) => one.Type === 'CNAME' || answered.includes(text(one.Value)))
    .map(([id, one]) => `record ${id} leads ${host} to ${text(one.Value)} (not in Terraform)`);
  // A name that has a record left does not fail for want of another.
  const isBare = inForce.length === 0 && live.missed.length === 0;
  const lost = own.map(({ address }) => `the record of ${host} (${address})`);
  const how = found.length > 0 ? 'disabled' : 'no longer in the cloud';
  return [...wrong, ...(isBare ? lost.map((record) => `${record} is ${how}`) : [])];
}

/** Tells whether this machine is in one of the VPCs; undefined where that is not known. */
function placeOf(
  { objects }: LiveStack,
  vpcs: readonly string[],
  machine: readonly string[],
): 'inside' | 'outside' | undefined {
  const known = vpcs.map((id) => objects[VPC]?.[id]);
  const cidrs = known.flatMap((vpc) =>
    [vpc?.CidrBlock, ...list(vpc?.SecondaryCidrBlocks)].map(text).filter((cidr) => cidr !== ''),
  );
  if (machine.length === 0) return undefined;
  const isIn = (address: string) => anyContains(cidrs.map(parseCidr), parseAddress(address));
  if (machine.every(isIn)) return 'inside';
  return known.includes(undefined) || machine.some(isIn) ? undefined : 'outside';
}
