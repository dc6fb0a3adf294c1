import { groupBy } from '../lists/group-by.js';
import { formatAddress } from '../net/address.js';
import { parseNetwork } from '../net/cidr.js';
import { peerName, type RulePeer } from '../reach/packet-rule.js';
import type { OpenPart } from '../reach/questions/table.js';
import { combine, type OpenRange, type OpenRanges, uniteAll } from '../reach/sets/ranges.js';
import { toRange } from '../reach/sets/region.js';
import {
  EVERYTHING,
  intersect,
  type Services,
  servicesText,
  subtract,
  toServices,
} from '../reach/sets/services.js';

/** Traffic that a test asks about. Exactly one of `from` and `to` is given. */
export interface Flow {
  /**
   * The caller: a CIDR or address, an account that may connect, or an endpoint whose connection is
   * accepted.
   */
  readonly from?: string | { readonly account: string } | { readonly endpoint: string };
  /** The called side: a CIDR or address. */
  readonly to?: string;
  /** @default - every port */
  readonly port?: number;
  /** @default 'tcp' */
  readonly protocol?: 'tcp' | 'udp' | 'icmp' | 'any';
  /**
   * The thing that is called or calls, in the words of the construct: its `name` or `backend`.
   * @default - anything
   */
  readonly subject?: string;
}

/** A packet that is open, or may be, and the part of the stack that lets it through. */
export interface Found {
  readonly packet: string;
  readonly part: OpenPart;
}

/** Traffic in one line, as a message says it. */
export function flowText({ from, to, port, protocol = 'tcp', subject }: Flow): string {
  const peer = typeof from === 'object' ? Object.entries(from).flat().join(' ') : (from ?? to);
  const way = to === undefined ? `from ${peer}` : `to ${peer}`;
  return `${way}, ${protocol} ${port ?? 'any port'}${subject === undefined ? '' : `, ${subject}`}`;
}

/** Finds a packet of the traffic that no place lets through for certain, where none passes all of it. */
export function findHole(parts: readonly OpenPart[], flow: Flow): string | undefined {
  const direction = directionOf(flow);
  const peer = peerOf(flow);
  // Nobody calls port 0, so rules for all ports of a protocol may leave it out.
  const wanted = toRange({ peer, services: servicesOf(flow, 1) });
  const open = parts.filter(
    (part) => part.depends.length === 0 && isAbout(part, flow) && isSameClass(part.peer, peer),
  );
  const places = [...groupBy(open, ({ way }) => way).values()];
  const holes = places.map((own) => {
    const ranges = uniteAll(own.map(({ range }) => range));
    return combine([wanted], ranges, subtract)[0];
  });
  if (places.length > 0 && holes.includes(undefined)) return undefined;
  return packetText(flow.subject ?? 'the stack', direction, peer, holes[0] ?? wanted);
}

/** Finds a packet of the traffic that a part lets through, or may let through. */
export function findOverlap(part: OpenPart, flow: Flow): Found | undefined {
  if (!isAbout(part, flow)) return undefined;
  const peer = peerOf(flow);
  const wanted = toRange({ peer, services: servicesOf(flow, 0) });
  // Members of a group, and whoever is not known, may have any address.
  const isAnyone =
    peer.kind === 'addresses' && (part.peer.kind === 'group' || part.peer.kind === 'unknown');
  if (!isAnyone && !isSameClass(part.peer, peer) && !isSameClass(peer, part.peer)) return undefined;
  const own = isAnyone ? { ...wanted, services: part.range.services } : part.range;
  return toFound(part, combine([own], [wanted], intersect));
}

/** Finds a packet that a part lets through and none of the listed traffic has. */
export function findRest(part: OpenPart, flows: readonly Flow[]): Found | undefined {
  const listed = flows
    .filter((flow) => isAbout(part, flow) && isSameClass(peerOf(flow), part.peer))
    .map((flow) => toRange({ peer: peerOf(flow), services: servicesOf(flow, 0) }));
  return toFound(part, combine([part.range], uniteAll(listed), subtract));
}

function toFound(part: OpenPart, [first]: OpenRanges): Found | undefined {
  if (first === undefined) return undefined;
  const { subject, direction } = part.way;
  return { part, packet: packetText(subject, direction, part.peer, first) };
}

function isAbout({ way }: OpenPart, flow: Flow): boolean {
  const { subject = way.subject } = flow;
  return way.subject === subject && way.direction === directionOf(flow);
}

function directionOf({ from, to }: Flow): string {
  if ((from === undefined) === (to === undefined)) {
    throw new TypeError('exactly one of `from` and `to` must be given');
  }
  return to === undefined ? 'ingress' : 'egress';
}

/** Addresses of one family, or a name in another; a wildcard stands for every account or endpoint. */
function isSameClass(wider: RulePeer, peer: RulePeer): boolean {
  if (wider.kind === 'addresses') return peer.kind === 'addresses' && wider.family === peer.family;
  if (peer.kind !== wider.kind) return false;
  return wider.name === peer.name || (wider.kind !== 'group' && wider.name === '*');
}

function peerOf({ from, to }: Flow): RulePeer {
  const other = from ?? to ?? '';
  if (typeof other === 'string') {
    const { family, first, last } = parseNetwork(other);
    return { kind: 'addresses', family, first, last };
  }
  return 'account' in other
    ? { kind: 'account', name: other.account }
    : { kind: 'endpoint', name: other.endpoint };
}

/** @param lowest the first port where the traffic names none */
function servicesOf({ port, protocol = 'tcp' }: Flow, lowest: 0 | 1): Services {
  if (protocol === 'any') return port === undefined ? EVERYTHING : ports(port, port);
  if (protocol === 'icmp') return toServices('icmp');
  return toServices(protocol, { first: port ?? lowest, last: port ?? 65_535 });
}

/** A port of every protocol that has ports. */
function ports(first: number, last: number): Services {
  return [...toServices('tcp', { first, last }), ...toServices('udp', { first, last })];
}

function packetText(
  subject: string,
  direction: string,
  peer: RulePeer,
  { first, services }: OpenRange,
): string {
  const [one] = services;
  const what =
    one === undefined ? 'nothing' : servicesText([{ first: one.first, last: one.first }]);
  const who =
    peer.kind === 'addresses'
      ? formatAddress({ family: peer.family, value: first })
      : peerName(peer);
  return direction === 'ingress'
    ? `${what} from ${who} to ${subject}`
    : `${what} from ${subject} to ${who}`;
}
