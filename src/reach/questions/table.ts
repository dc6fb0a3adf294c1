import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { askEnforced, type PacketRule, peerName, type RulePeer } from '../packet-rule.js';
import { isUnknown } from '../read/json.js';
import type { ReachRow } from '../report-schema.js';
import type { ResourceIndex } from '../rules/reading.js';
import { RuleLookup } from '../sets/lookup.js';
import { combine, type OpenRange, type OpenRanges } from '../sets/ranges.js';
import { cellKey, directionKey, toRange } from '../sets/region.js';
import { servicesText, subtract } from '../sets/services.js';
import { type Bounds, passUnderDoubt } from '../ways/bounds.js';
import type { Way } from '../ways/door.js';
import type { Reached } from '../ways/doors.js';
import { askWhetherAny } from '../ways/instances.js';
import { type Asked, everyPacket } from '../ways/pass.js';

/** Packets that a place lets through, for certain or in doubt. */
export interface OpenPart {
  /** The place: parts of one place have the same; without doors where peers are known by name alone. */
  readonly way: OpenWay;
  readonly peer: RulePeer;
  readonly range: OpenRange;
  /** Terraform's addresses of the resources whose rules let it through. */
  readonly resources: readonly string[];
  /** Sentences on which the answer depends; none where it is certain. */
  readonly depends: readonly string[];
}

export type OpenWay = Pick<Way, 'stack' | 'direction' | 'subject' | 'via'> &
  Partial<Pick<Way, 'series' | 'families' | 'hosts'>>;

/** Lists everything of some packets that the places of a stack let through, set by set. */
export function openParts(
  stack: Reached,
  packetsOf: (family: 4 | 6) => Asked = everyPacket,
): OpenPart[] {
  const parts = stack.ways.flatMap((way) =>
    way.families.flatMap((family) => {
      const bounds = passUnderDoubt(way.series, packetsOf(family));
      return partsOf(way, family, bounds);
    }),
  );
  const named = groupBy(stack.named, ({ via, subject, direction }) =>
    JSON.stringify([via, subject, direction]),
  );
  return [...parts, ...[...named.values()].flatMap((rules) => namedParts(rules, stack.index))];
}

function partsOf(way: Way, family: 4 | 6, { most, least, why: doubts }: Bounds): OpenPart[] {
  const resources = acceptingResources(way);
  const part = (range: OpenRange, why: readonly string[]): OpenPart => {
    const { first, last } = range;
    const peer = { kind: 'addresses', family, first, last } as const;
    return { way, peer, range, resources: resources(peer, range), depends: why };
  };
  const inDoubt: OpenRanges = combine(most, least, subtract);
  return [...least.map((range) => part(range, [])), ...inDoubt.map((range) => part(range, doubts))];
}

/** Finds the resources that accept a part: of the place's own list, or of a firewall that is alone. */
function acceptingResources({ series, direction }: Way) {
  const ruled = series.filter(({ list }) => list.kind !== 'gate');
  const own = direction === 'ingress' ? ruled.at(-1) : ruled[0];
  const rules = (own?.list.rules ?? []).filter(({ isAccept }) => isAccept);
  const packets = rules.flatMap(({ peers, services, resource }) =>
    peers.map((peer) => ({ peer, services, resource })),
  );
  const lookup = new RuleLookup(packets, cellKey);
  return (peer: RulePeer, range: OpenRange): string[] =>
    lookup.find(cellKey({ peer }), range, range.services).map(({ resource }) => resource);
}

/** The parts of one subject. */
function namedParts(rules: NonEmpty<PacketRule>, index: ResourceIndex): OpenPart[] {
  const [{ stack, subject, via, direction }] = rules;
  const way = {
    stack,
    direction: direction === 'egress' ? direction : 'ingress',
    subject,
    via,
  } as const;
  return rules.map((rule) => ({
    way,
    peer: rule.peer,
    range: toRange(rule),
    resources: rule.resource === undefined ? [] : [rule.resource],
    depends: doubtsOf(rule, index),
  }));
}

/** Asks what it depends on: whether both ends exist, and which they are; what is only stated, on who enforces it. */
function doubtsOf(
  { peer, carrier, resource, enforcedElsewhere }: PacketRule,
  index: ResourceIndex,
): string[] {
  const isLink = peer.kind === 'account' || peer.kind === 'endpoint';
  const ends = [carrier, resource].filter((one) => one !== undefined);
  return [
    ...(enforcedElsewhere === undefined ? [] : [askEnforced(enforcedElsewhere)]),
    ...ends.flatMap((address) => askWhetherAny(address, index) ?? []),
    ...(isLink && isUnknown(peer.name) ? [`Which ${peer.kind} is ${peer.name}?`] : []),
    ...(isLink && isUnknown(carrier) ? [`Which endpoint service is ${carrier}?`] : []),
  ];
}

/** Builds the rows of the table of who may reach what. */
export function reachTable(
  stacks: readonly Reached[],
  packetsOf?: (family: 4 | 6) => Asked,
): ReachRow[] {
  return stacks.flatMap((stack) => openParts(stack, packetsOf).map((part) => toRow(part, stack)));
}

/** Builds the row of a part. */
export function toRow(
  { way, peer, range, resources, depends }: OpenPart,
  { stated }: Reached,
): ReachRow {
  const { stack, direction, subject, via } = way;
  const { services } = range;
  const reasons = stated
    .find(directionKey({ stack, direction, peer, services }), range, services)
    .filter((rule) => rule.subject === subject)
    .map(({ reason }) => reason);
  return {
    ...{ stack, direction, subject, via },
    peer: peerName(peer),
    services: servicesText(services),
    resource: joined(resources),
    reason: joined(reasons),
    depends: joined(depends),
  };
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== '').join('; ');
}
