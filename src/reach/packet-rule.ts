import type { RawRule } from '../access/access-file.js';
import { formatAddress } from '../net/address.js';
import { type Cidr, parseCidr, parseNetwork } from '../net/cidr.js';
import { identifierReference } from './read/address.js';
import { isUnknown } from './read/json.js';
import type { AssumedId } from './semantics.js';
import { EVERYTHING, readPorts, type Services, toServices } from './sets/services.js';

/** The other side of a rule: a range of addresses, or something known by its name only. */
export type RulePeer =
  | {
      readonly kind: 'addresses';
      readonly family: 4 | 6;
      readonly first: bigint;
      readonly last: bigint;
    }
  | {
      readonly kind: 'account' | 'endpoint' | 'group' | 'unknown';
      readonly name: string;
    };

/** A range of addresses. */
export type AddressPeer = Extract<RulePeer, { readonly kind: 'addresses' }>;

/** An access rule as a set of packets, with what could not be read in it. */
export interface PacketRule {
  readonly stack: string;
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  readonly peer: RulePeer;
  readonly services: Services;
  readonly reason: string;
  /** The place that enforces it in place of Terraform; absent if Terraform must. */
  readonly enforcedElsewhere?: string;
  readonly exception?: RawRule['exception'];
  /** The object to which Terraform applies it; absent if it is only stated. */
  readonly carrier?: string;
  /** Terraform's addresses of what carries a stated rule; absent where it does not say so. */
  readonly carriers?: readonly string[];
  /** Terraform's address of the resource that lets it through. */
  readonly resource?: string;
  /** Decided packet by packet, so that it can be too wide. */
  readonly isPackets?: boolean;
  /** Fields that are unknown, and count as the widest possible. */
  readonly unknown: readonly Unknown[];
}

/** The name of what carries rules; without an option it is its own, which no access rule gives. */
export type Name = Pick<PacketRule, 'subject' | 'via'>;

/** A field that is not known, with the problem as a sentence. */
type Unknown = Readonly<{ field: keyof RawRule; problem: string }>;

/** Packets that are let through, with as much as is known of their rule. */
export type Packets = Pick<PacketRule, 'peer' | 'services'> & Partial<PacketRule>;

/** One rule of an ordered list. */
export interface Verdict {
  /** Lower numbers are looked at first. */
  readonly priority: number;
  readonly isAccept: boolean;
  readonly peers: readonly RulePeer[];
  readonly services: Services;
  /** Terraform's address of the resource that has the rule. */
  readonly resource: string;
  /** The rule in words; a rule of the cloud's own says so. */
  readonly text: string;
  /** Position in the group's own list, from 1; absent where the source gives no order. */
  readonly at?: number;
  /** The rule holds only if this question of the cloud's decision is answered `open`. */
  readonly assumes?: AssumedId;
  /** The question that leaves open whether the rule is in force: it is where the answer is yes. */
  readonly doubt?: string;
  /** The rule is in force where the answer is no. */
  readonly isUnless?: boolean;
}

/** @param ownResources addresses of the stack's resources: a group among them is known */
export function packetRule(
  stack: string,
  rule: RawRule,
  ownResources: ReadonlySet<string>,
): PacketRule {
  const { via, direction, subject, reason, enforcedElsewhere, exception, carriers } = rule;
  const peer = readPeer(rule.peer, ownResources);
  const unknown = (['via', 'direction', 'subject'] as const).flatMap((field): Unknown[] => {
    const problem = `\`${field}\` is not known before the deploy, got: "${rule[field]}"`;
    return isUnknown(rule[field]) ? [{ field, problem }] : [];
  });
  if (peer.kind === 'unknown') {
    const problem = `\`peer\` is not known before the deploy, got: ${JSON.stringify(peer.name)}`;
    unknown.push({ field: 'peer', problem });
  }
  return {
    stack,
    via,
    direction,
    subject,
    peer,
    reason,
    services: readServices(rule, unknown),
    ...(enforcedElsewhere && { enforcedElsewhere }),
    ...(exception !== undefined && { exception }),
    ...(carriers !== undefined && { carriers }),
    unknown,
  };
}

/** A peer of which nothing but the text is known. */
export function unknownPeer(name: string): RulePeer {
  return { kind: 'unknown', name };
}

/** Asks about a rule that is only stated: something that is not in the stack is to enforce it. */
export function askEnforced(elsewhere: string): string {
  return `Does ${elsewhere} enforce what the access rules state?`;
}

/** The addresses of a CIDR; unknown where it is none. */
export function cidrPeer(text: string): RulePeer {
  return addressPeer(text, parseCidr);
}

/** The same, and an address alone. */
export function networkPeer(text: string): RulePeer {
  return addressPeer(text, parseNetwork);
}

function addressPeer(text: string, parse: (text: string) => Cidr): RulePeer {
  try {
    const { family, first, last } = parse(text);
    return { kind: 'addresses', family, first, last };
  } catch {
    return unknownPeer(text);
  }
}

/** Ranges of so many addresses are listed address by address, as lists of vendors are written. */
const MAX_LISTED = 3n;

/** Writes a range for people: a few addresses one by one, else a CIDR if it is one, else both ends. */
export function rangeText(family: 4 | 6, first: bigint, last: bigint): string {
  const size = last - first + 1n;
  const address = (value: bigint) => formatAddress({ family, value });
  if (size <= MAX_LISTED) {
    return Array.from({ length: Number(size) }, (_, i) => address(first + BigInt(i))).join(', ');
  }
  const isCidr = (size & (size - 1n)) === 0n && first % size === 0n;
  if (!isCidr) return `${address(first)} – ${address(last)}`;
  return `${address(first)}/${(family === 4 ? 32 : 128) - (size.toString(2).length - 1)}`;
}

/** Tells whether a peer stands for all endpoints that are accepted without being named. */
export function isEveryEndpoint(peer: { readonly kind: string; readonly name?: string }): boolean {
  return peer.kind === 'endpoint' && peer.name === '*';
}

export function peerName(peer: RulePeer): string {
  if (peer.kind === 'addresses') return rangeText(peer.family, peer.first, peer.last);
  return peer.kind === 'unknown' ? `somebody unknown (${peer.name})` : `${peer.kind} ${peer.name}`;
}

function readPeer(peer: RawRule['peer'], ownResources: ReadonlySet<string>): RulePeer {
  const name = peer[peer.kind];
  const kind = PEER_KINDS.find((one) => one === peer.kind);
  if (kind === undefined || typeof name !== 'string') return unknownPeer(JSON.stringify(peer));
  if (kind === 'cidr') return cidrPeer(name);
  if (!isUnknown(name)) return { kind, name };
  const { address = '' } = identifierReference(name) ?? {};
  const isOwn = kind === 'group' && ownResources.has(address);
  return isOwn ? { kind, name: address } : unknownPeer(name);
}

const PEER_KINDS = ['cidr', 'account', 'endpoint', 'group'] as const;

/** @param unknown takes what cannot be read */
function readServices({ protocol, ports }: RawRule, unknown: Unknown[]): Services {
  if (protocol === 'any' || protocol === 'icmp') return toServices(protocol);
  if (protocol !== 'tcp' && protocol !== 'udp') {
    const problem = `\`protocol\` is not one that a review knows, got: "${protocol}"`;
    unknown.push({ field: 'protocol', problem });
    return EVERYTHING;
  }
  const services = readPorts(protocol, ports.first, ports.last);
  if (services !== undefined) return services;
  const problem = `\`ports\` are not known before the deploy or not ports, got: ${ports.first} to ${ports.last}`;
  unknown.push({ field: 'ports', problem });
  return toServices(protocol);
}
