import { isUnknown, list, object, text } from '../../read/json.js';
import { references, type TerraformResource, type Unread } from '../../read/terraform-json.js';
import { networkPeer, type ReviewedPeer, unknownPeer } from '../../reviewed-rule.js';
import { EVERYTHING } from '../../sets/services.js';
import { type EffectiveFlow, type Reading, type ResourceIndex, unreadValue } from '../reading.js';

export interface Peers {
  readonly peers: readonly ReviewedPeer[];
  readonly unread: readonly Unread[];
}

export function joinPeers(all: readonly Peers[]): Peers {
  return {
    peers: all.flatMap(({ peers }) => peers),
    unread: all.flatMap(({ unread }) => unread),
  };
}

/** CIDRs, or addresses alone, as peers; what is none of them is unknown, and so unread. */
export function addressPeers(cidrs: readonly unknown[], where: string, attribute: string): Peers {
  const read = cidrs.map((cidr): Peers => {
    const peer = networkPeer(text(cidr));
    return peer.kind === 'unknown'
      ? unknownPeers(cidr, where, attribute, 'an address is not known before the deploy')
      : { peers: [peer], unread: [] };
  });
  return joinPeers(read);
}

/** The addresses of a list that a resource names. */
export function listedPeers(
  value: unknown,
  index: ResourceIndex,
  where: string,
  attribute: string,
): Peers {
  const found = index.named(value);
  return (
    (found && readList(found)) ??
    unknownPeers(value, where, attribute, 'the list is not in this tree')
  );
}

export function unknownPeers(value: unknown, where: string, attribute: string, why: string): Peers {
  return {
    peers: [unknownPeer(text(value))],
    unread: [unreadValue(where, attribute, why, value)],
  };
}

/** The entries of a prefix list, an ACL or an address book; undefined for other types. */
function readList({ type, address, body }: TerraformResource): Peers | undefined {
  switch (type) {
    case 'volcenginecc_vpc_prefix_list':
      return entries(body.prefix_list_entries, 'cidr', address, 'prefix_list_entries');
    case 'volcenginecc_clb_acl':
      return entries(body.acl_entries, 'entry', address, 'acl_entries');
    case 'volcenginecc_fwcenter_address_book':
      return readBook(body, address);
    default:
      return undefined;
  }
}

/** A book of addresses; one that fills itself, or is of ports or domains, holds nothing known. */
function readBook(body: TerraformResource['body'], address: string): Peers {
  const { group_type: type, auto_update_type: update = 'Manual' } = body;
  if ((type !== 'ip' && type !== 'ipv6' && type !== undefined) || update !== 'Manual') {
    const kind = `${text(type)} ${text(update)}`;
    return unknownPeers(kind, address, 'auto_update_type', 'the book is no list of addresses');
  }
  return joinPeers([
    entries(body.address_detail_list, 'address', address, 'address_detail_list'),
    addressPeers(list(body.address_list), address, 'address_list'),
  ]);
}

function entries(value: unknown, member: string, address: string, attribute: string): Peers {
  if (isUnknown(value)) {
    return unknownPeers(value, address, attribute, 'the entries are not known before the deploy');
  }
  return addressPeers(
    list(value).map((entry) => object(entry)[member]),
    address,
    attribute,
  );
}

/** Lists that nothing in the tree names decide for whoever names them elsewhere. */
export function readUnusedLists(index: ResourceIndex): Reading {
  const used = new Set(references(index.all.map(({ body }) => body)));
  const lists = index.all.flatMap((resource) => {
    const read = resource.kind === 'resource' ? readList(resource) : undefined;
    const isUsed = used.has(resource.address);
    return read === undefined ? [] : [{ address: resource.address, read, isUsed }];
  });
  return {
    flows: lists
      .filter(({ isUsed }) => !isUsed)
      .flatMap(({ address, read: { peers } }) => listFlows(address, peers)),
    unread: lists.flatMap(({ read }) => read.unread),
  };
}

const USERS = 'whoever uses ';

function listFlows(resource: string, peers: readonly ReviewedPeer[]): EffectiveFlow[] {
  const common = { kind: 'list', direction: 'ingress', services: EVERYTHING } as const;
  return peers.map((peer) => ({ ...common, carrier: `${USERS}${resource}`, peer, resource }));
}

/** What a list holds for whoever uses it elsewhere; nothing where there is no such list. */
export function readListAlone(carrier: string, index: ResourceIndex): EffectiveFlow[] {
  const list = index.at(carrier.startsWith(USERS) ? carrier.slice(USERS.length) : '');
  return list === undefined ? [] : listFlows(list.address, readList(list)?.peers ?? []);
}
