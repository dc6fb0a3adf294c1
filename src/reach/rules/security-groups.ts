import type { RulePeer } from '../packet-rule.js';
import { isUnknown, type Json, list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { ALL_OPEN } from '../semantics.js';
import { EVERYTHING, readPorts, type Services, toServices } from '../sets/services.js';
import type { Verdict } from './decide.js';
import {
  addressPeers,
  EVERYONE,
  listedPeers,
  type Peers,
  type Place,
  unclearRules,
  unknownPeers,
} from './peers.js';
import {
  type EffectiveFlow,
  joinReadings,
  makeFacts,
  type Reading,
  type ResourceIndex,
  type RuleList,
  safeguardOf,
  toNumber,
  unreadValue,
} from './reading.js';
import { decideLists } from './rule-list.js';

type Direction = RuleList['direction'];

/** Carriers of groups: an endpoint, and a network interface of the cloud. */
const CARRIERS = ['volcenginecc_privatelink_vpc_endpoint', 'volcenginecc_vpc_eni'];
const GROUP = 'volcenginecc_vpc_security_group';

/**
 * The rules of groups as the cloud decides by them: those of all groups of an endpoint together, and
 * those of a group that no endpoint here carries on their own, for whoever is put into it.
 */
export function readSecurityGroups(index: ResourceIndex): Reading[] {
  const endpoints = carriersOf(index).flatMap((endpoint) => {
    const { own, foreign } = findGroups(endpoint, index);
    const elsewhere = namesElsewhere(own, foreign);
    return [
      readCarrier(endpoint.address, own, index, elsewhere),
      foreignGroups(endpoint, elsewhere, own, foreign),
    ];
  });
  const carried = new Set(carriedGroups(index));
  const alone = index.ofType(GROUP).filter((group) => !carried.has(group));
  return [...endpoints, ...alone.map((group) => readCarrier(group.address, [group], index))];
}

/** Reads what each group of an endpoint lets through alone: for whoever else is in it. */
export function readCarriedGroups(index: ResourceIndex): readonly EffectiveFlow[] {
  const groups = [...new Set(carriedGroups(index))];
  const lists = groups.flatMap((group) => readCarrier(group.address, [group], index).lists);
  return decideLists(lists, ALL_OPEN).flows ?? [];
}

function carriersOf(index: ResourceIndex): TerraformResource[] {
  return CARRIERS.flatMap((type) => index.ofType(type));
}

function carriedGroups(index: ResourceIndex): TerraformResource[] {
  return carriersOf(index).flatMap((endpoint) => findGroups(endpoint, index).own);
}

const NO_GROUP = 'the group is not in this tree';

const GROUPS = {
  groups: [
    'groups of the endpoint',
    'added',
    'no group of this tree decides who may use the endpoint',
  ],
} as const;

/** The groups of an endpoint: those of this tree, and whatever else is named. */
function findGroups({ body }: TerraformResource, index: ResourceIndex) {
  const own: TerraformResource[] = [];
  const foreign: unknown[] = [];
  for (const id of list(body.security_group_ids).filter((one) => one !== '')) {
    const group = index.named(id);
    if (group?.kind === 'resource' && group.type === GROUP) own.push(group);
    else foreign.push(id);
  }
  return { own, foreign };
}

const DEFAULT = 'the default of its network';

/**
 * A group made elsewhere adds rules that nobody here can see, and alone it decides everything; without
 * any, the cloud chooses one.
 */
function namesElsewhere(own: readonly unknown[], foreign: readonly unknown[]): string[] {
  return own.length === 0 && foreign.length === 0 ? [DEFAULT] : foreign.map(text);
}

function foreignGroups(
  { address }: TerraformResource,
  names: readonly string[],
  own: readonly TerraformResource[],
  foreign: readonly unknown[],
): Reading {
  const isForeign = own.length === 0 && !names.includes(DEFAULT);
  return {
    facts: makeFacts(safeguardOf(address), GROUPS, {
      groups: isForeign ? ['made elsewhere alone'] : [],
    }),
    unread: foreign
      .filter(isUnknown)
      .map((id) => unreadValue(address, 'security_group_ids', NO_GROUP, id)),
    flows: names.map((name) => ({
      kind: 'foreign',
      carrier: address,
      direction: 'ingress',
      peer: { kind: 'unknown', name: `whoever is allowed by the group ${name}` },
      services: EVERYTHING,
      resource: address,
    })),
  };
}

function readCarrier(
  carrier: string,
  groups: readonly TerraformResource[],
  index: ResourceIndex,
  elsewhere: readonly string[] = [],
): Required<Reading> {
  return joinReadings(
    (['ingress', 'egress'] as const).map((direction): Reading => {
      const read = groups.map((group) => readDirection(group, direction, index));
      const rules = read.flatMap((one) => one.rules);
      return {
        lists: [
          {
            kind: 'group',
            carrier,
            direction,
            rules,
            unclear: [
              ...read.flatMap((one) => one.unclear),
              ...elsewhere.flatMap((name) =>
                unclearRules(carrier, `What do the rules of the group ${name} say?`),
              ),
            ],
          },
        ],
        unread: read.flatMap(({ unread }) => unread),
      };
    }),
  );
}

/** One direction of one group, with the cloud's own rules. */
function readDirection(
  { address, body }: TerraformResource,
  direction: Direction,
  index: ResourceIndex,
) {
  const place = [address, `${direction}_permissions`] as const;
  const written = body[place[1]];
  const read = isUnknown(written)
    ? [unreadRule(written, place)]
    : list(written).map((entry) => readRule(object(entry), direction, place, index));
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
 * Adds the default rules: packets that no rule decides are closed inward. Outward it is in doubt where a rule accepts anything; drops
 * alone open nothing. Without any rule the cloud's own hold: everything outward, and the members among
 * each other.
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

function readRule(entry: Json, direction: Direction, place: Place, index: ResourceIndex) {
  const { peers, unread } = readPeer(entry, place, index);
  const services = readServices(entry);
  const priority = toNumber(entry.priority);
  const isKnown =
    priority !== undefined &&
    priority >= 1 &&
    priority <= 100 &&
    (entry.policy === 'accept' || entry.policy === 'drop') &&
    (entry.direction ?? direction) === direction;
  if (!isKnown || services === undefined) return unreadRule(entry, place);
  const isAccept = entry.policy === 'accept';
  const [resource] = place;
  const said = `${text(entry.policy)} at priority ${priority}: ${text(entry.description)}`;
  const rule: Verdict = { priority, isAccept, peers, services, resource, text: said };
  if (isAccept || unread.length === 0) return { rule, unread, unclear: [] };
  // Of a drop for unknown addresses every change can let more through, and not only one of its peer.
  const drop = unreadValue(...place, 'whom a drop is for is not known', entry);
  return { rule, unread: [drop, ...unread], unclear: [] };
}

/** Counts as open to someone unknown, and is named as unread: it may as well drop. */
function unreadRule(entry: unknown, place: Place) {
  const { peers, unread } = unknownPeers(entry, place, 'the rule is not understood');
  const [resource] = place;
  const common = { priority: 1, isAccept: true, services: EVERYTHING, resource };
  const rule: Verdict = { ...common, peers, text: 'a rule that is not understood' };
  const doubt = `What does the rule of ${resource} say that is not understood?`;
  return { rule, unread, unclear: unclearRules(resource, doubt) };
}

/** With several peers in one rule the block wins, then the group, then the list: not what it says. */
function readPeer(entry: Json, place: Place, index: ResourceIndex): Peers {
  const [first, ...more] = Object.entries(PEERS).filter(([name]) => (entry[name] ?? '') !== '');
  if (first === undefined) return unknownPeers(entry, place, 'a rule names nobody');
  const [name, readOne] = first;
  const read = readOne(entry[name], index, place);
  if (more.length === 0) return read;
  const several = unreadValue(...place, 'a rule names several peers', entry);
  return { ...read, unread: [...read.unread, several] };
}

const PEERS: Readonly<Record<string, typeof listedPeers>> = {
  cidr_ip: (value, _, place) => addressPeers([value], place),
  source_group_id: (value, index, place) => {
    const isGiven = !isUnknown(value) || index.named(value) !== undefined;
    const unread = isGiven ? [] : [unreadValue(...place, NO_GROUP, value)];
    return { peers: [{ kind: 'group', name: text(value) }], unread };
  },
  prefix_list_id: listedPeers,
};

function readServices({ protocol, port_start: from, port_end: to }: Json): Services | undefined {
  const [first, last] = [toNumber(from), toNumber(to)];
  if (protocol === 'tcp' || protocol === 'udp') {
    return first === -1 && last === -1 ? toServices(protocol) : readPorts(protocol, first, last);
  }
  // What ports mean without a protocol that has them is not documented.
  if ((from ?? -1) !== -1 || (to ?? -1) !== -1) return undefined;
  if (protocol === 'all') return EVERYTHING;
  return protocol === 'icmp' || protocol === 'icmpv6' ? toServices(protocol) : undefined;
}
