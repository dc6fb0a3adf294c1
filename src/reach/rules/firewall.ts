import { groupBy } from '../../lists/group-by.js';
import type { RulePeer, Verdict } from '../packet-rule.js';
import { isUnknown, text } from '../read/json.js';
import type { TerraformResource, Unread } from '../read/terraform-json.js';
import { EVERYTHING, readPorts, toServices } from '../sets/services.js';
import { addressPeers, listedPeers, type Peers, unclearRules, unknownPeers } from './peers.js';
import {
  firewallCarrier,
  joinReadings,
  type Reading,
  type ResourceIndex,
  type RuleList,
  toBoolean,
  toNumber,
  unreadValue,
} from './reading.js';

interface Policy {
  readonly direction: RuleList['direction'];
  /** The enterprise's own side, entry by entry. */
  readonly own: readonly RulePeer[];
  /** Absent where it is not certain that the policy denies. */
  readonly verdict?: Verdict;
  readonly unclear: readonly Verdict[];
}

/** Tells whether an attribute of a resource can change who reaches whom. */
export type Decides = (resource: TerraformResource, attribute: string) => boolean;

/**
 * Reads what the policies of Cloud Firewall accept and deny, for each of the enterprise's own networks.
 * Packets that no policy decides pass: an accept opens nothing that a deny does not close.
 */
export function readFirewall(index: ResourceIndex, decides: Decides): Reading {
  const read = index
    .ofType('volcenginecc_fwcenter_control_policy')
    .map((policy) => readPolicy(policy, index, decides));
  const sides = read.flatMap(({ policy }) =>
    policy === undefined ? [] : policy.own.map((own) => ({ own, policy })),
  );
  const carriers = groupBy(sides, ({ own, policy }) => firewallCarrier(policy.direction, own));
  const lists = [...carriers].map(
    ([carrier, all]): RuleList => ({
      kind: 'firewall',
      carrier,
      direction: all[0].policy.direction,
      own: all[0].own,
      rules: all.flatMap(({ policy: { verdict } }) => verdict ?? []),
      unclear: all.flatMap(({ policy: { unclear } }) => unclear),
    }),
  );
  return joinReadings([{ lists }, ...read]);
}

function readPolicy(
  resource: TerraformResource,
  index: ResourceIndex,
  decides: Decides,
): { readonly policy?: Policy; readonly unread: readonly Unread[] } {
  const { address, body } = resource;
  const isOut = body.direction === 'out';
  const [ownSide, otherSide] = isOut
    ? (['source', 'destination'] as const)
    : (['destination', 'source'] as const);
  const own = readSide(resource, ownSide, index);
  const other = readSide(resource, otherSide, index);
  const services = readServices(resource, index);
  const ofFamily = readFamily(resource, [...own.peers, ...other.peers]);
  const settings = [...services.unread, ...ofFamily, ...readRest(resource)];
  const unread = [...own.unread, ...other.unread, ...settings];
  const status = toBoolean(body.status);
  if (status === false || body.action === 'monitor') return { unread };
  const isDeny = body.action === 'deny';
  const isCertain = status !== undefined && isPermanent(body) && services.unread.length === 0;
  const isOfAddresses = own.unread.length === 0 && other.unread.length === 0;
  if (isDeny && !(isCertain && isOfAddresses)) unread.push(unreadDeny(resource, decides));
  const verdict: Verdict = {
    priority: position(body.prio),
    isAccept: !isDeny,
    peers: other.peers,
    services: services.value,
    resource: address,
    text: `${isDeny ? 'denies' : 'accepts'} at position ${text(body.prio) || '0'}: ${text(body.description)}`,
  };
  const isKnown = isCertain && settings.length === 0;
  const common = {
    direction: isOut ? ('egress' as const) : ('ingress' as const),
    own: own.peers,
    unclear: isKnown
      ? isDeny
        ? [{ ...verdict, peers: other.peers.filter(isName) }]
        : []
      : unclearRules(address, `When and on what does ${address} decide?`),
  };
  // A deny counts only where and when it is known to hold, an accept wherever it may.
  if (isDeny && !isCertain) return { policy: common, unread };
  const peers = isDeny ? other.peers.filter((peer) => !isName(peer)) : other.peers;
  return { policy: { ...common, verdict: { ...verdict, peers } }, unread };
}

function isName({ kind }: RulePeer): boolean {
  return kind !== 'addresses';
}

/** Any change of a deny that is not read as packets can let more pass. */
function unreadDeny(resource: TerraformResource, decides: Decides): Unread {
  const { address, body } = resource;
  const deciding = Object.entries(body)
    .filter(([name]) => decides(resource, name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return unreadValue(
    address,
    'action',
    'when, to whom or on which ports it denies is not known',
    deciding,
  );
}

/** Position 1 is looked at first, 0 last. */
function position(prio: unknown): number {
  const number = toNumber(prio) ?? 0;
  return number <= 0 ? Number.MAX_SAFE_INTEGER : number;
}

function isPermanent({ repeat_type: type }: TerraformResource['body']): boolean {
  return type === undefined || type === 'Permanent';
}

function readRest({ address, body }: TerraformResource): Unread[] {
  const known: Readonly<Record<string, boolean>> = {
    action: ['accept', 'deny', 'monitor'].includes(text(body.action)),
    direction: ['in', 'out'].includes(text(body.direction)),
    status: body.status === undefined || toBoolean(body.status) !== undefined,
    prio: body.prio === undefined || toNumber(body.prio) !== undefined,
    repeat_type: typeof (body.repeat_type ?? '') === 'string' && !isUnknown(body.repeat_type),
    ip_type: body.ip_type === undefined || ['v4', 'v6'].includes(text(body.ip_type)),
  };
  return Object.entries(known)
    .filter(([, isKnown]) => !isKnown)
    .map(([name]) => unreadValue(address, name, 'the value is not understood', body[name]));
}

/** A policy decides on packets of one family; what it decides on addresses of the other is not known. */
function readFamily({ address, body }: TerraformResource, peers: readonly RulePeer[]): Unread[] {
  const family = { v4: 4, v6: 6 }[text(body.ip_type)];
  const isOther = (peer: RulePeer) => peer.kind === 'addresses' && peer.family !== family;
  if (family === undefined || !peers.some(isOther)) return [];
  return [unreadValue(address, 'ip_type', 'it is not the family of the addresses', body.ip_type)];
}

function readSide(
  { address, body }: TerraformResource,
  side: 'source' | 'destination',
  index: ResourceIndex,
): Peers {
  const { [side]: value, [`${side}_type`]: type } = body;
  const place = [address, side] as const;
  if (type === 'net') return addressPeers(text(value).split(','), place);
  if (type === 'group') return listedPeers(value, index, place);
  return unknownPeers(`${text(type)} ${text(value)}`, place, 'it is not made of addresses');
}

function readServices({ address, body }: TerraformResource, index: ResourceIndex) {
  const protocol = PROTOCOLS[text(body.proto)];
  if (protocol === 'any' || protocol === 'icmp') {
    return { value: toServices(protocol), unread: [] };
  }
  const [, from, to = from] = /^(\d+)(?:\/(\d+))?$/.exec(text(body.dest_port)) ?? [];
  const isGroup = body.dest_port_type !== undefined && body.dest_port_type !== 'port';
  const value =
    protocol && !isGroup ? readPorts(protocol, toNumber(from), toNumber(to)) : undefined;
  if (value !== undefined) return { value, unread: [] };
  const book = index.named(body.dest_port)?.body ?? body.dest_port;
  return {
    value: EVERYTHING,
    unread: [unreadValue(address, 'dest_port', 'the ports are not understood', book)],
  };
}

const PROTOCOLS: Readonly<Record<string, 'tcp' | 'udp' | 'icmp' | 'any'>> = {
  TCP: 'tcp',
  UDP: 'udp',
  ICMP: 'icmp',
  ANY: 'any',
};
