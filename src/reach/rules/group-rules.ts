import type { RulePeer, Verdict } from '../packet-rule.js';
import { isUnknown, type Json, list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { EVERYTHING, readPorts, type Services, toServices } from '../sets/services.js';
import {
  addressPeers,
  EVERYONE,
  listedPeers,
  type Peers,
  type Place,
  unclearRules,
  unknownPeers,
} from './peers.js';
import { type ResourceIndex, type RuleList, toNumber, unreadValue } from './reading.js';

type Direction = RuleList['direction'];

export const NO_GROUP = 'the group is not in this tree';

/** Reads one direction of one group, with the cloud's own rules. */
export function readDirection(
  { address, body }: TerraformResource,
  direction: Direction,
  index: ResourceIndex,
) {
  const place = [address, `${direction}_permissions`] as const;
  const written = body[place[1]];
  const read = isUnknown(written)
    ? [unreadRule(written, place, 1)]
    : list(written).map((entry, i) => readRule(object(entry), direction, place, index, i + 1));
  const rules = read.map(({ rule }) => rule);
  return {
    rules: [...rules, ...defaultRules(address, rules, direction, isNone(written))],
    unclear: read.flatMap((one) => one.unclear),
    unread: read.flatMap(({ unread }) => unread),
  };
}

/** An empty list takes even the rules of a new group away. */
function isNone(written: unknown): boolean {
  return Array.isArray(written) && written.length === 0;
}

/**
 * Adds the default rules: packets that no rule decides are closed inward. Outward it is in doubt where a
 * rule accepts anything; drops alone open nothing. Without any rule the cloud's own hold: everything
 * outward, and the members among each other.
 */
function defaultRules(
  name: string,
  rules: readonly Verdict[],
  direction: Direction,
  hasNone: boolean,
): Verdict[] {
  const isEmpty = rules.length === 0;
  if (direction === 'ingress') return isEmpty ? [ownRule(name, [{ kind: 'group', name }])] : [];
  if (isEmpty && !hasNone) return [ownRule(name, EVERYONE)];
  if (!isEmpty && !rules.some(({ isAccept }) => isAccept)) return [];
  return [{ ...ownRule(name, EVERYONE), assumes: 'group-outward' }];
}

function ownRule(resource: string, peers: readonly RulePeer[]): Verdict {
  const priority = Number.POSITIVE_INFINITY;
  const text = "the cloud's own rule of the group";
  return { priority, isAccept: true, peers, services: EVERYTHING, resource, text };
}

function readRule(
  entry: Json,
  direction: Direction,
  place: Place,
  index: ResourceIndex,
  at: number,
) {
  const { peers, unread } = readPeer(entry, place, index);
  const services = readServices(entry);
  const priority = toNumber(entry.priority);
  const isKnown =
    priority !== undefined &&
    priority >= 1 &&
    priority <= 100 &&
    (entry.policy === 'accept' || entry.policy === 'drop') &&
    (entry.direction ?? direction) === direction;
  if (!isKnown || services === undefined) return unreadRule(entry, place, at);
  const isAccept = entry.policy === 'accept';
  const [resource] = place;
  const said = `${text(entry.policy)} at priority ${priority}: ${text(entry.description)}`;
  const rule: Verdict = { priority, isAccept, peers, services, resource, text: said, at };
  if (isAccept || unread.length === 0) return { rule, unread, unclear: NONE };
  // Of a drop for unknown addresses every change can let more through, and not only one of its peer.
  const drop = unreadValue(...place, 'whom a drop is for is not known', entry);
  return { rule, unread: [drop, ...unread], unclear: NONE };
}

const NONE: readonly Verdict[] = [];

/** Counts as open to someone unknown, and is named as unread: it may as well drop. */
function unreadRule(entry: unknown, place: Place, at: number) {
  const { peers, unread } = unknownPeers(entry, place, 'the rule is not understood');
  const [resource] = place;
  const common = { priority: 1, isAccept: true, services: EVERYTHING, resource, at };
  const rule: Verdict = { ...common, peers, text: 'a rule that is not understood' };
  const doubt = `What does the rule of ${resource} say that is not understood?`;
  return { rule, unread, unclear: unclearRules(resource, doubt) };
}

/** Reads the peer of a rule: of several, the CIDR wins, then the group, then the prefix list. */
function readPeer(entry: Json, place: Place, index: ResourceIndex): Peers {
  const [first, ...more] = PEERS.filter(([name]) => (entry[name] ?? '') !== '');
  if (first === undefined) return unknownPeers(entry, place, 'a rule names nobody');
  const [name, readOne] = first;
  const read = readOne(entry[name], index, place);
  if (more.length === 0) return read;
  const several = unreadValue(...place, 'a rule names several peers', entry);
  return { ...read, unread: [...read.unread, several] };
}

const PEERS: readonly (readonly [name: string, read: typeof listedPeers])[] = Object.entries({
  cidr_ip: (value, _, place) => addressPeers([value], place),
  source_group_id: (value, index, place) => {
    // By whichever of its identifiers it is named.
    const name = index.named(value)?.address;
    const unread =
      name === undefined && isUnknown(value) ? [unreadValue(...place, NO_GROUP, value)] : [];
    return { peers: [{ kind: 'group', name: name ?? text(value) }], unread };
  },
  prefix_list_id: listedPeers,
});

/** Reads the ports of a rule; undefined where they are not understood. */
export function readServices({
  protocol,
  port_start: from,
  port_end: to,
}: Json): Services | undefined {
  const [first, last] = [toNumber(from), toNumber(to)];
  if (protocol === 'tcp' || protocol === 'udp') {
    return first === -1 && last === -1 ? toServices(protocol) : readPorts(protocol, first, last);
  }
  // What ports mean without a protocol that has them is not documented.
  if (toNumber(from ?? -1) !== -1 || toNumber(to ?? -1) !== -1) return undefined;
  if (protocol === 'all') return EVERYTHING;
  return protocol === 'icmp' || protocol === 'icmpv6' ? toServices(protocol) : undefined;
}
