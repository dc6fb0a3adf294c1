import type { AccessModel } from '../../src/access/access-model.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import type { Address } from '../../src/net/address.js';
import { type Cidr, cidrContains, parseNetwork } from '../../src/net/cidr.js';

/** The first packet of a conversation between something of ours and a peer. */
export interface Packet {
  readonly subject: string;
  readonly direction: 'egress' | 'ingress';
  readonly peer: Address;
  /** `gre` stands for every protocol that no rule can name. */
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'gre';
  readonly port: number;
}

/** The verdict of the rules, by their definition. */
export function opens({ rules }: AccessModel, packet: Packet): boolean {
  return rules.some((rule) => matches(rule, packet));
}

/** Packets at and around every boundary of a model, in both directions and for every protocol. */
export function boundaryPackets(model: AccessModel): Packet[] {
  const subjects = [...new Set(model.rules.map(({ subject }) => subject))];
  const peers = unique(
    model.rules.flatMap(peersAround),
    ({ family, value }) => `${family}/${value}`,
  );
  const ports = unique(
    [80, ...model.rules.flatMap(portsAround)].filter((port) => port >= 1 && port <= 65535),
    String,
  );
  return subjects.flatMap((subject) =>
    (['egress', 'ingress'] as const).flatMap((direction) =>
      peers.flatMap((peer) => [
        ...ports.flatMap((port) =>
          (['tcp', 'udp'] as const).map((protocol) => ({
            subject,
            direction,
            peer,
            protocol,
            port,
          })),
        ),
        ...(['icmp', 'gre'] as const).map((protocol) => ({
          subject,
          direction,
          peer,
          protocol,
          port: 0,
        })),
      ]),
    ),
  );
}

function matches(rule: AccessRule, { subject, direction, peer, protocol, port }: Packet): boolean {
  return (
    rule.subject === subject &&
    rule.direction === direction &&
    rule.peer.kind === 'cidr' &&
    isWithin(rule.peer.cidr, peer) &&
    (rule.protocol === 'any' || rule.protocol === protocol) &&
    ((protocol !== 'tcp' && protocol !== 'udp') ||
      rule.protocol === 'any' ||
      (rule.ports.first <= port && port <= rule.ports.last))
  );
}

const networks = new Map<string, Cidr>();

/** Tells whether an address is in a network, which is read once: it is asked for each packet. */
export function isWithin(network: string, address: Address): boolean {
  const known = networks.get(network) ?? parseNetwork(network);
  networks.set(network, known);
  return cidrContains(known, address);
}

function peersAround({ peer }: AccessRule): Address[] {
  if (peer.kind !== 'cidr') return [];
  const { family, first, last } = parseNetwork(peer.cidr);
  const highest = (1n << (family === 4 ? 32n : 128n)) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((value) => value >= 0n && value <= highest)
    .map((value) => ({ family, value }));
}

function portsAround({ ports: { first, last } }: AccessRule): number[] {
  return [first - 1, first, last, last + 1];
}

function unique<T>(values: readonly T[], key: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [key(value), value])).values()];
}
