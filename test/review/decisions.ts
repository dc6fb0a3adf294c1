import type { AccessRule, Peer } from '../../src/access/access-rule.js';
import { type Address, formatAddress, parseAddress } from '../../src/net/address.js';
import { cidrContains, parseCidr } from '../../src/net/cidr.js';

/** One packet, asked about on its own: the plain reading of the rules that a review must agree with. */
export interface Packet {
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  readonly peer: Address | string;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'gre';
  readonly port: number;
}

export function isLetThrough(rules: readonly AccessRule[], packet: Packet): boolean {
  return rules.some(
    (rule) =>
      rule.via === packet.via &&
      rule.direction === packet.direction &&
      rule.subject === packet.subject &&
      holds(rule.peer, packet.peer) &&
      speaks(rule, packet),
  );
}

/** Every packet at and next to every boundary of the rules. */
export function* boundaryPackets(rules: readonly AccessRule[]): Generator<Packet> {
  const unique = <T>(values: readonly T[]) => [...new Set(values)];
  const peers = unique(rules.flatMap(({ peer }) => peersAround(peer)));
  const ports = unique(
    rules.flatMap(({ ports: { first, last } }) => [first - 1, first, last, last + 1]),
  ).filter((port) => port >= 0 && port <= 65535);
  for (const via of unique(rules.map((rule) => rule.via)))
    for (const subject of unique(rules.map((rule) => rule.subject)))
      for (const direction of ['ingress', 'egress'])
        for (const text of peers)
          for (const protocol of ['tcp', 'udp', 'icmp', 'gre'] as const)
            for (const port of protocol === 'tcp' || protocol === 'udp' ? ports : [0]) {
              const peer = text.startsWith('=') ? text : parseAddress(text);
              yield { via, subject, direction, peer, protocol, port };
            }
}

function holds(peer: Peer, other: Address | string): boolean {
  if (peer.kind !== 'cidr') return other === name(peer);
  return typeof other !== 'string' && cidrContains(parseCidr(peer.cidr), other);
}

function speaks({ protocol, ports }: AccessRule, packet: Packet): boolean {
  if (protocol === 'any') return true;
  if (protocol !== packet.protocol) return false;
  return protocol === 'icmp' || (ports.first <= packet.port && packet.port <= ports.last);
}

function peersAround(peer: Peer): string[] {
  if (peer.kind !== 'cidr') return [name(peer)];
  const { family, first, last } = parseCidr(peer.cidr);
  const largest = (1n << (family === 4 ? 32n : 128n)) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((value) => value >= 0n && value <= largest)
    .map((value) => formatAddress({ family, value }));
}

function name(peer: Exclude<Peer, { kind: 'cidr' }>): string {
  return `=${JSON.stringify(peer)}`;
}
