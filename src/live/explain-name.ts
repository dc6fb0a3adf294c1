import { parseAddress } from '../net/address.js';
import { anyContains, parseCidr } from '../net/cidr.js';
import { isInZone } from '../net/host-name.js';
import { type Json, list, text } from '../reach/read/json.js';
import type { TerraformResource } from '../reach/read/terraform-json.js';
import { ResourceIndex } from '../reach/rules/reading.js';
import {
  addressOrId,
  answerName,
  endpointAt,
  nameOf,
  recordsAt,
  vpcsOf,
  ZONE,
} from '../reach/ways/resolve-name.js';
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

/** Explains the answer for a name by what a state and the cloud answer; undefined where the stack has no zone for it. */
export function explainName(live: LiveStack, asked: LookUp): ZoneExplained | undefined {
  const was = new ResourceIndex(live.deployed.resources);
  const now = new ResourceIndex(live.terraform.resources);
  const [zone] = was
    .ofType(ZONE)
    .filter((one) => isInZone(asked.host, nameOf(one)))
    .sort((a, b) => nameOf(b).length - nameOf(a).length);
  if (zone === undefined) return undefined;
  const there = now.at(zone.address);
  if (there === undefined) {
    const isGone = live.gone.some(({ address }) => address === zone.address);
    const changes = isGone ? [`${zoneLabel(zone)} is in the state and no longer in the cloud`] : [];
    return { changes, elsewhere: [], isRight: false };
  }
  const changes = changesOf(live, [was, now], [zone, there], asked);
  const bound = vpcsOf(there);
  const place = changes.length === 0 ? placeOf(now, bound, asked.machine) : undefined;
  const where = `${zoneLabel(zone)} is associated with ${bound.map(live.idOf).join(', ') || 'no VPC'} alone, and ${asked.machine.join(', ')} is in none of them`;
  return {
    changes,
    elsewhere: place === 'outside' ? [where] : [],
    isRight: place === 'inside' && live.missed.length === 0,
  };
}

/** The stack's state, and its cloud. */
type Both<T> = readonly [was: T, now: T];

function changesOf(
  live: LiveStack,
  [was, now]: Both<ResourceIndex>,
  [zone, there]: Both<TerraformResource>,
  asked: LookUp,
): string[] {
  const { host, expected } = asked;
  const [stated, bound] = [vpcsOf(zone), vpcsOf(there)];
  const vpc = addressOrId(endpointAt(now, expected)?.body.vpc_id);
  const asking = { vpcs: vpc === '' ? bound : [vpc], elsewhere: () => undefined };
  const [own, answer] = [was, now].map((index) => answerName(index, host, asking));
  const isStated = stated.includes(vpc) ? ', which Terraform associates it with' : '';
  const found = [
    ...(vpc === '' || bound.includes(vpc)
      ? []
      : [`${zoneLabel(zone)} is not associated with ${live.idOf(vpc)}${isStated}`]),
    ...(answer?.zones.slice(0, 1) ?? [])
      .filter((one) => one !== there && nameOf(one).length >= nameOf(there).length)
      .map((one) => `${zoneLabel(one)} answers before it`),
    ...recordChanges(live, [was, now], zone, asked),
  ];
  const [by, is] = [own, answer].map((one) => one?.addresses.toSorted().join(', '));
  const isOther = own?.isPrivate === true && by !== is && live.missed.length === 0;
  if (found.length > 0 || !isOther) return found;
  return [`${host} leads to ${is || 'nothing'}, and by Terraform to ${by || 'nothing'}`];
}

function zoneLabel(zone: TerraformResource): string {
  return `the zone ${nameOf(zone)} (${text(zone.body.zid)})`;
}

/** Lists records of a name that differ from the state in a way that the answer agrees with. */
function recordChanges(
  { idOf, missed }: LiveStack,
  [was, now]: Both<ResourceIndex>,
  zone: TerraformResource,
  { host, answered }: LookUp,
): string[] {
  const stated = recordsAt(zone, host, was);
  const found = recordsAt(now.at(zone.address) ?? zone, host, now);
  const isStated = ({ type, value }: Json) =>
    stated.some(({ body }) => body.type === type && body.value === value);
  const wrong = found
    .filter(({ body }) => !isStated(body))
    .filter(({ body }) => body.type === 'CNAME' || answered.includes(text(body.value)))
    .map(({ address, body }) => {
      const own = was.at(address)?.body;
      const whose = own === undefined ? 'not in Terraform' : `by Terraform to ${text(own.value)}`;
      return `record ${idOf(address)} leads ${host} to ${text(body.value)} (${whose})`;
    });
  // A name that has a record left does not fail for want of another.
  const isBare = found.length === 0 && missed.length === 0;
  const lost = stated.map(({ address }) => {
    const how = now.at(address) === undefined ? 'no longer in the cloud' : 'disabled';
    return `the record of ${host} (${address}) is ${how}`;
  });
  return [...wrong, ...(isBare ? lost : [])];
}

/** Tells whether this machine is in one of the VPCs; undefined where that is not known. */
function placeOf(
  index: ResourceIndex,
  vpcs: readonly string[],
  machine: readonly string[],
): 'inside' | 'outside' | undefined {
  const known = vpcs.map((address) => index.at(address)?.body);
  const cidrs = known.flatMap((vpc) =>
    [vpc?.cidr_block, ...list(vpc?.secondary_cidr_blocks)].map(text).filter((cidr) => cidr !== ''),
  );
  if (machine.length === 0) return undefined;
  const isIn = (address: string) => anyContains(cidrs.map(parseCidr), parseAddress(address));
  if (machine.every(isIn)) return 'inside';
  return known.includes(undefined) || machine.some(isIn) ? undefined : 'outside';
}
