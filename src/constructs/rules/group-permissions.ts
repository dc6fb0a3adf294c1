import { canonicalRules } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';
import { ruleGroups } from './rule-groups.js';
import type { RuledPrefixList } from './ruled-prefix-list.js';

export type Direction = AccessRule['direction'];

/** One rule of a security group, in the cloud's words. */
export interface Permission {
  readonly direction: Direction;
  readonly policy: 'accept' | 'drop';
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'all';
  readonly portStart: number;
  readonly portEnd: number;
  readonly priority: number;
  readonly description: string;
  readonly cidrIp?: string;
  readonly sourceGroupId?: string;
  readonly prefixListId?: string;
}

/** Looked at before {@link CLOSE}: at equal priority the cloud lets `drop` win. */
const OPEN = 10;
const CLOSE = 100;

const EVERYONE = ['0.0.0.0/0', '::/0'];

/** Addresses of the networks for documentation, RFC 5737 and RFC 3849: nothing has them. */
const NOBODY = ['192.0.2.0/32', '2001:db8::/128'];

/** What a group says. */
export interface GroupRules {
  /** Everything that the group lets through, one rule a peer. */
  readonly rules: readonly AccessRule[];
  /** Rules whose peers are in a prefix list: one rule for all of them. @default - none */
  readonly listed?: { readonly list: RuledPrefixList; readonly rules: readonly AccessRule[] };
  /**
   * Directions in which everything else is dropped, also what another group of the same interface
   * accepts at priority 100. In other directions the group adds its rules and cuts nothing.
   *
   * @default - neither
   */
  readonly closed?: readonly Direction[];
}

/**
 * The whole set of a direction. It is never left out: a new group would let everything of both
 * families out and its members reach each other. No rule names the members, for the group's id is
 * not known before the group is made.
 */
export function permissions(direction: Direction, rules: GroupRules): Permission[] {
  const accepted = acceptedBy(direction, rules);
  if (rules.closed?.includes(direction)) {
    return [...accepted, ...drops(direction, EVERYONE, 'closed but for the rules above')];
  }
  return accepted.length > 0
    ? accepted
    : drops(direction, NOBODY, 'nobody, so that the cloud adds no rule of its own');
}

function acceptedBy(wanted: Direction, { rules, listed }: GroupRules): Permission[] {
  const single = canonicalRules(rules).filter(({ direction }) => direction === wanted);
  const grouped = ruleGroups(listed?.rules ?? []).filter(
    ({ rule }) => rule.direction === wanted && listed !== undefined,
  );
  return [
    ...single.map((rule) => ({ ...accept(rule), ...peerOf(rule) })),
    ...grouped.map(({ rule }) => ({
      ...accept(rule),
      ...(listed && { prefixListId: listed.list.prefixListId }),
    })),
  ];
}

function accept({ direction, protocol, ports, reason }: AccessRule): Permission {
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  return {
    direction,
    policy: 'accept',
    protocol: protocol === 'any' ? 'all' : protocol,
    portStart: hasPorts ? ports.first : -1,
    portEnd: hasPorts ? ports.last : -1,
    priority: OPEN,
    description: reason,
  };
}

function peerOf({ peer }: AccessRule): Pick<Permission, 'cidrIp' | 'sourceGroupId'> {
  return {
    ...(peer.kind === 'cidr' && { cidrIp: peer.cidr }),
    ...(peer.kind === 'group' && { sourceGroupId: peer.group }),
  };
}

function drops(direction: Direction, cidrs: readonly string[], description: string): Permission[] {
  return cidrs.map((cidrIp) => ({
    direction,
    policy: 'drop',
    protocol: 'all',
    portStart: -1,
    portEnd: -1,
    priority: CLOSE,
    description,
    cidrIp,
  }));
}
