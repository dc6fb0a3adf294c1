import { isUnknown, list, object, text } from '../../read/json.js';
import type { TerraformResource, Unread } from '../../read/terraform-json.js';
import { cidrPeer, type ReviewedPeer } from '../../reviewed-rule.js';
import { EVERYTHING, type Services, servicesOf } from '../../sets/services.js';
import {
  type Body,
  type EffectiveFlow,
  type ResourceIndex,
  toNumber,
  unreadValue,
} from '../reading.js';
import { decide, type Verdict } from './decide.js';
import { addressPeers, listedPeers, type Peers, unknownPeers } from './peers.js';

type Direction = EffectiveFlow['direction'];

/** One direction of one group. */
interface GroupRules {
  readonly group: string;
  readonly rules: readonly Verdict[];
  /** Whether the cloud's own rule lets everything else out. */
  readonly isOpenOutward: boolean;
  readonly unread: readonly Unread[];
}

export function readDirection(
  { address, body }: TerraformResource,
  direction: Direction,
  index: ResourceIndex,
): GroupRules {
  const attribute = `${direction}_permissions`;
  const written = body[attribute];
  const read = isUnknown(written)
    ? [unreadRule(written, address, attribute)]
    : list(written).map((entry) => readRule(object(entry), direction, address, index));
  const rules = read.flatMap(({ rule }) => rule);
  return {
    group: address,
    rules,
    isOpenOutward: rules.length === 0 || rules.some(({ isAccept }) => isAccept),
    unread: read.flatMap(({ unread }) => unread),
  };
}

interface ReadRule {
  readonly rule: Verdict;
  readonly unread: readonly Unread[];
}

const PRIORITIES = { first: 1, last: 100 };

function readRule(
  entry: Body,
  direction: Direction,
  where: string,
  index: ResourceIndex,
): ReadRule {
  const attribute = `${direction}_permissions`;
  const { peers, unread } = readPeer(entry, where, attribute, index);
  const services = readServices(entry);
  const priority = toNumber(entry.priority);
  const isKnown =
    priority !== undefined &&
    priority >= PRIORITIES.first &&
    priority <= PRIORITIES.last &&
    (entry.policy === 'accept' || entry.policy === 'drop') &&
    (entry.direction ?? direction) === direction;
  if (!isKnown || services === undefined) return unreadRule(entry, where, attribute);
  const isAccept = entry.policy === 'accept';
  // Of a drop for unknown addresses every change can let more through, and not only one of its peer.
  const drop = unreadValue(where, attribute, 'whom a drop is for is not known', entry);
  return {
    rule: { priority, isAccept, peers, services },
    unread: isAccept || unread.length === 0 ? unread : [drop, ...unread],
  };
}

/** Counts as open to someone unknown, and is named as unread. */
function unreadRule(entry: unknown, where: string, attribute: string): ReadRule {
  const { peers, unread } = unknownPeers(entry, where, attribute, 'the rule is not understood');
  return { rule: { priority: 1, isAccept: true, peers, services: EVERYTHING }, unread };
}

/** With several peers in one rule the block wins, then the group, then the list: not what it says. */
function readPeer(entry: Body, where: string, attribute: string, index: ResourceIndex): Peers {
  const given = PEERS.filter((name) => ![undefined, null, ''].includes(entry[name] as null));
  const [name] = given;
  if (name === undefined) return unknownPeers(entry, where, attribute, 'a rule names nobody');
  const { peers, unread } = readOnePeer(name, entry[name], where, attribute, index);
  const several = unreadValue(where, attribute, 'a rule names several peers', entry);
  return { peers, unread: given.length > 1 ? [...unread, several] : unread };
}

const PEERS = ['cidr_ip', 'source_group_id', 'prefix_list_id'] as const;

function readOnePeer(
  name: (typeof PEERS)[number],
  value: unknown,
  where: string,
  attribute: string,
  index: ResourceIndex,
): Peers {
  if (name === 'cidr_ip') return addressPeers([value], where, attribute);
  if (name === 'prefix_list_id') return listedPeers(value, index, where, attribute);
  const peer: ReviewedPeer = { kind: 'group', name: text(value) };
  const isKnown = !isUnknown(value) || index.named(value) !== undefined;
  const unread = unreadValue(where, attribute, 'the group is not in this tree', value);
  return { peers: [peer], unread: isKnown ? [] : [unread] };
}

function readServices({ protocol, port_start: from, port_end: to }: Body): Services | undefined {
  if (protocol === 'all') return EVERYTHING;
  if (protocol === 'icmp' || protocol === 'icmpv6') {
    return servicesOf(protocol, { first: 0, last: 0 });
  }
  const [first, last] = [toNumber(from), toNumber(to)];
  if ((protocol !== 'tcp' && protocol !== 'udp') || first === undefined || last === undefined) {
    return undefined;
  }
  if (first === -1 && last === -1) return servicesOf(protocol, { first: 0, last: 65_535 });
  return first < 0 || last < first ? undefined : servicesOf(protocol, { first, last });
}

const EVERYONE = [cidrPeer('0.0.0.0/0'), cidrPeer('::/0')];

/**
 * What no rule decides is closed inward. Outward it counts as open in both families where a rule
 * accepts anything; drops alone open nothing. Without any rule the cloud's own hold: everything
 * outward, and the members among each other.
 */
export function decideGroups(groups: readonly GroupRules[], direction: Direction) {
  const rules = groups.flatMap((group) => [
    ...group.rules,
    ...(direction === 'egress' && group.isOpenOutward ? [openTo(EVERYONE)] : []),
    ...(direction === 'ingress' && group.rules.length === 0
      ? [openTo([{ kind: 'group', name: group.group }])]
      : []),
  ]);
  return decide(rules).accepted;
}

function openTo(peers: readonly ReviewedPeer[]): Verdict {
  return { priority: Number.POSITIVE_INFINITY, isAccept: true, peers, services: EVERYTHING };
}
