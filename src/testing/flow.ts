import type { AccessRule, Peer } from '../access/access-rule.js';
import { type Cidr, cidrCovers, cidrsOverlap, parseCidr, parseNetwork } from '../net/cidr.js';

/** Traffic that a test asks about. Exactly one of `from` and `to` is given. */
export interface Flow {
  /** Who calls: a CIDR or address, an account that may connect, or an endpoint whose connection is accepted. */
  readonly from?: string | { readonly account: string } | { readonly endpoint: string };
  /** Who is called: a CIDR or address. */
  readonly to?: string;
  /** @default - every port */
  readonly port?: number;
  /** @default 'tcp' */
  readonly protocol?: 'tcp' | 'udp' | 'icmp' | 'any';
  /** What is called or calls, in the words of the construct: its `name` or `backend`. @default - anything */
  readonly subject?: string;
}

/** Whether a rule lets all of the traffic through. */
export function covers(rule: AccessRule, flow: Flow): boolean {
  const { first, last } = rule.ports;
  const [low, high] = flowPorts(flow);
  const isPort = first <= low && high <= last;
  const { protocol = 'tcp' } = flow;
  const isProtocol = rule.protocol === 'any' || rule.protocol === protocol;
  return isAbout(rule, flow) && isPort && isProtocol && comparePeer(rule.peer, flow, cidrCovers);
}

/** Whether a rule lets any part of the traffic through. */
export function touches(rule: AccessRule, flow: Flow): boolean {
  const { first, last } = rule.ports;
  const [low, high] = flowPorts(flow);
  const isPort = first <= high && low <= last;
  const { protocol = 'tcp' } = flow;
  const isProtocol = [rule.protocol, protocol].includes('any') || rule.protocol === protocol;
  return isAbout(rule, flow) && isPort && isProtocol && comparePeer(rule.peer, flow, cidrsOverlap);
}

/** Traffic in one line, as a message says it. */
export function flowText({ from, to, port, protocol = 'tcp', subject }: Flow): string {
  const peer = typeof from === 'object' ? Object.entries(from).flat().join(' ') : (from ?? to);
  const way = to === undefined ? `from ${peer}` : `to ${peer}`;
  return `${way}, ${protocol} ${port ?? 'any port'}${subject === undefined ? '' : `, ${subject}`}`;
}

function flowPorts({ port }: Flow): [low: number, high: number] {
  return port === undefined ? [1, 65535] : [port, port];
}

function isAbout(rule: AccessRule, { from, to, subject = rule.subject }: Flow): boolean {
  if ((from === undefined) === (to === undefined)) {
    throw new TypeError('exactly one of `from` and `to` must be given');
  }
  return rule.subject === subject && rule.direction === (to === undefined ? 'ingress' : 'egress');
}

type Compare = (rule: Cidr, flow: Cidr) => boolean;

function comparePeer(peer: Peer, { from, to }: Flow, compare: Compare): boolean {
  const other = from ?? to ?? '';
  if (typeof other === 'string') {
    const network = parseNetwork(other);
    return peer.kind === 'cidr' && compare(parseCidr(peer.cidr), network);
  }
  return 'account' in other
    ? peer.kind === 'account' && [other.account, '*'].includes(peer.account)
    : peer.kind === 'endpoint' && peer.endpoint === other.endpoint;
}
