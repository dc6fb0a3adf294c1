import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { formatAddress } from '../../net/address.js';
import { toName } from '../../reach/read/cloud-state.js';
import type { EffectiveFlow } from '../../reach/rules/reading.js';
import type { StatedAnswers } from '../../reach/semantics.js';
import { combine, type OpenRange, type OpenRanges, overlay } from '../../reach/sets/ranges.js';
import { type Cell, type Region, toRegion } from '../../reach/sets/region.js';
import {
  intersect,
  type Span,
  servicesText,
  subtract,
  toServices,
  union,
} from '../../reach/sets/services.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { readTexts } from '../../sandbox/json.js';
import { groupsAccept } from '../../sandbox/network/groups.js';

/** The packets that the rules of one state let through, by both answers to what is assumed of the cloud. */
export interface BothAnswers {
  readonly open: readonly EffectiveFlow[];
  readonly certain: readonly EffectiveFlow[];
}

/** The limit of packets of one group or endpoint that are judged again. */
const MAX_PACKETS = 64;
const TCP = toServices('tcp');
const NO_PORT: Span = { first: 0, last: 0 };

/**
 * Asks the sandbox about a packet of each set that two states of a cloud let through differently.
 *
 * @param cloud the later one, as the sandbox sees it
 * @param decisions what the owner states of how the cloud decides
 * @returns the packets that it judges otherwise, in words
 */
export function findDisagreements(
  cloud: CloudState,
  [before, now]: readonly [BothAnswers, BothAnswers],
  decisions: StatedAnswers,
): string[] {
  const [was, open, certain] = [toCells(before.open), toCells(now.open), toCells(now.certain)];
  const rangesIn = (region: Region, key: string) => region.get(key)?.ranges ?? [];
  return [...new Map([...was, ...open])].flatMap(([key, cell]) => {
    const groupIds = groupsOf(cloud, cell);
    if (groupIds === undefined) return [];
    return changedPackets(rangesIn(was, key), rangesIn(open, key)).flatMap((packet) => {
      const isOpen = accepts(cloud, groupIds, cell, { ...packet, decisions });
      const sets = rangesIn(isOpen ? open : certain, key);
      const isInSets = combine([packet], sets, intersect).length > 0;
      return isOpen === isInSets ? [] : [packetText(cell, packet, isOpen)];
    });
  });
}

function toCells(flows: readonly EffectiveFlow[]): Region {
  const isAddress = ({ kind, peer }: EffectiveFlow) =>
    kind === 'packets' && peer.kind === 'addresses';
  return toRegion(flows.filter(isAddress));
}

/**
 * The identifiers of the groups that decide; undefined for what is no endpoint and no group, or is gone,
 * and for a group that an endpoint carries: the sets tell of the endpoint then.
 */
function groupsOf(cloud: CloudState, { carrier = '' }: Cell): readonly string[] | undefined {
  const row = [privatelinkVpcEndpoint, vpcSecurityGroup].find(({ type }) =>
    carrier.startsWith(`${type}.`),
  );
  if (row === undefined) return undefined;
  const all = Object.entries(cloud.resources[row.cloudType] ?? {});
  const own = all.filter(([id]) => carrier === `${row.type}.${toName(id)}`);
  if (own.length === 0) return undefined;
  const carried = groupsCarried(cloud);
  if (row !== vpcSecurityGroup) return own.flatMap(([, one]) => readTexts(one, 'SecurityGroupIds'));
  return own.some(([id]) => carried.has(id)) ? undefined : own.map(([id]) => id);
}

function groupsCarried({ resources }: CloudState): ReadonlySet<string> {
  const endpoints = Object.values(resources[privatelinkVpcEndpoint.cloudType] ?? {});
  return new Set(endpoints.flatMap((endpoint) => readTexts(endpoint, 'SecurityGroupIds')));
}

/** The first address and tcp port of each part that is open in one set alone. */
function changedPackets(a: OpenRanges, b: OpenRanges): OpenRange[] {
  const packets = overlay(a, b).flatMap(({ first, a: was, b: now }) => {
    const either = union(subtract(was, now), subtract(now, was));
    const [span] = intersect(either, TCP);
    return span
      ? [{ first, last: first, services: [{ first: span.first, last: span.first }] }]
      : [];
  });
  return packets.slice(0, MAX_PACKETS);
}

interface JudgedPacket extends OpenRange {
  readonly decisions: StatedAnswers;
}

function accepts(
  cloud: CloudState,
  groupIds: readonly string[],
  cell: Cell,
  { first, services: [{ first: port } = NO_PORT], decisions }: JudgedPacket,
): boolean {
  const direction = cell.direction === 'egress' ? 'egress' : 'ingress';
  // Tcp has the first block of numbers, so its ports are its numbers.
  return groupsAccept(cloud, groupIds, direction, {
    peer: addressOf(cell, first),
    port,
    decisions,
  });
}

function packetText(cell: Cell, { first, services }: OpenRange, isOpen: boolean): string {
  const [own, peer] = [cell.carrier ?? '', addressOf(cell, first)];
  const [from, to] = cell.direction === 'egress' ? [own, peer] : [peer, own];
  const [seen, computed] = isOpen ? ['passes', 'does not'] : ['is dropped', 'passes'];
  return `a packet from ${from} to ${to}, ${servicesText(services)}, ${seen} in the sandbox and ${computed} by the sets of packets`;
}

function addressOf({ peer }: Cell, value: bigint): string {
  return formatAddress({ family: peer.kind === 'addresses' ? peer.family : 4, value });
}
