import { cidrPeer, networkPeer, type RulePeer, unknownPeer, type Verdict } from '../packet-rule.js';
import { isUnknown, list, object, text } from '../read/json.js';
import type { TerraformResource, Unread } from '../read/terraform-json.js';
import { EVERYTHING } from '../sets/services.js';
import {
  type EffectiveFlow,
  type Reading,
  type ResourceIndex,
  type RuleList,
  unreadValue,
} from './reading.js';

export interface Peers {
  readonly peers: readonly RulePeer[];
  readonly unread: readonly Unread[];
}

/** Every address of both families. */
export const EVERYONE: readonly RulePeer[] = [cidrPeer('0.0.0.0/0'), cidrPeer('::/0')];

/** A rule on everything, before all others, in force where the answer to a question is yes, or no. */
export function unclearRule(
  resource: string,
  doubt: string,
  effect: 'accept' | 'drop',
  inForce: 'yes' | 'no',
): Verdict {
  const common = {
    priority: 0,
    peers: EVERYONE,
    services: EVERYTHING,
    resource,
    text: doubt,
    doubt,
  };
  return { ...common, isAccept: effect === 'accept', isUnless: inForce === 'no' };
}

/** The rules of something that may accept or drop any packet, before all others. */
export function unclearRules(resource: string, doubt: string): Verdict[] {
  return [
    unclearRule(resource, doubt, 'accept', 'yes'),
    unclearRule(resource, doubt, 'drop', 'no'),
  ];
}

/** A list of one rule, for all packets. @param resource has the rule. @default - the carrier */
export function makeGate(
  carrier: string,
  isAccept: boolean,
  said: string,
  resource = carrier,
): RuleList {
  const rule: Verdict = {
    ...{ priority: 1, isAccept, peers: EVERYONE, services: EVERYTHING },
    ...{ resource, text: said },
  };
  return { kind: 'gate', carrier, direction: 'ingress', rules: [rule] };
}

const NOBODY: Peers = { peers: [], unread: [] };

/** The place in which a peer is named. */
export type Place = readonly [address: string, attribute: string];

export function joinPeers(all: readonly Peers[]): Peers {
  const [only = NOBODY, ...more] = all;
  if (more.length === 0) return only;
  return { peers: all.flatMap(({ peers }) => peers), unread: all.flatMap(({ unread }) => unread) };
}

/** CIDRs, or addresses alone, as peers; what is none of them is unknown, and so unread. */
export function addressPeers(cidrs: readonly unknown[], place: Place): Peers {
  const read = cidrs.map((cidr): Peers => {
    const peer = networkPeer(text(cidr));
    return peer.kind === 'unknown'
      ? unknownPeers(cidr, place, 'an address is not known before the deploy')
      : { peers: [peer], unread: NOBODY.unread };
  });
  return joinPeers(read);
}

/** The addresses of a list that a resource names. */
export function listedPeers(value: unknown, index: ResourceIndex, place: Place): Peers {
  const found = index.named(value);
  return (found && readList(found)) ?? unknownPeers(value, place, 'the list is not in this tree');
}

export function unknownPeers(value: unknown, place: Place, why: string): Peers {
  return { peers: [unknownPeer(text(value))], unread: [unreadValue(...place, why, value)] };
}

/** The attribute that holds addresses; without a member its entries are the addresses. */
type Addresses = readonly [attribute: string, member?: string];

/** The attributes in which prefix lists, ACLs and address books keep their addresses. */
const LISTS: Readonly<Record<string, readonly Addresses[]>> = {
  volcenginecc_vpc_prefix_list: [['prefix_list_entries', 'cidr']],
  volcenginecc_clb_acl: [['acl_entries', 'entry']],
  volcenginecc_fwcenter_address_book: [['address_detail_list', 'address'], ['address_list']],
};

/** The addresses of a list as they are written, by attribute; undefined for other types. */
export function writtenAddresses({ type, body }: TerraformResource) {
  return LISTS[type]?.map(([attribute, member]) => {
    const value = body[attribute];
    const isHidden = member !== undefined && isUnknown(value);
    const addresses = list(value).map((one) => (member ? object(one)[member] : one));
    return { attribute, value, isHidden, addresses };
  });
}

/** A book that fills itself, or is of ports or domains, holds nothing known. */
function readList(resource: TerraformResource): Peers | undefined {
  const written = writtenAddresses(resource);
  if (written === undefined) return undefined;
  const { address, body } = resource;
  const { group_type: type, auto_update_type: update = 'Manual' } = body;
  if ((type !== 'ip' && type !== 'ipv6' && type !== undefined) || update !== 'Manual') {
    const place = [address, 'auto_update_type'] as const;
    return unknownPeers(`${text(type)} ${text(update)}`, place, 'the book is no list of addresses');
  }
  const read = written.map(({ attribute, value, isHidden, addresses }) =>
    isHidden
      ? unknownPeers(value, [address, attribute], 'the entries are not known before the deploy')
      : addressPeers(addresses, [address, attribute]),
  );
  return joinPeers(read);
}

/**
 * Reads every list on its own: whoever names it elsewhere reaches, or is reached by, what it holds,
 * whatever the rules of this tree make of it.
 */
export function readLists(index: ResourceIndex): Required<Pick<Reading, 'flows' | 'unread'>> {
  const lists = index.all.flatMap((resource) => {
    const read = resource.kind === 'resource' ? readList(resource) : undefined;
    return read === undefined ? [] : [{ resource, read }];
  });
  return {
    flows: lists.flatMap(({ resource, read: { peers } }) => listFlows(resource, peers)),
    unread: lists.flatMap(({ read: { unread } }) => unread),
  };
}

const NOUNS: Readonly<Record<string, string>> = {
  volcenginecc_vpc_prefix_list: 'prefix list',
  volcenginecc_clb_acl: 'access list',
  volcenginecc_fwcenter_address_book: 'address book',
};

/** Begins the carrier of a list's flows. */
export const LIST_USERS = 'rules that refer to the ';

function listFlows(
  { type, address: resource }: TerraformResource,
  peers: readonly RulePeer[],
): EffectiveFlow[] {
  const carrier = `${LIST_USERS}${NOUNS[type] ?? 'list'} ${resource}`;
  const common = { kind: 'list', direction: 'either', services: EVERYTHING } as const;
  return peers.map((peer) => ({ ...common, carrier, peer, resource }));
}
