import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { canonicalRules } from '../../access/canonical.js';
import { VpcSecurityGroup } from '../../cloud/resource.js';
import { type CommonProps, cloudTags } from '../common-props.js';
import { refuse } from '../invalid.js';
import { warn } from '../warnings.js';
import { ruleGroups } from './rule-groups.js';
import type { RuledPrefixList } from './ruled-prefix-list.js';

export interface RuledSecurityGroupProps extends CommonProps {
  readonly vpcId: string;
  readonly name: string;
  readonly description: string;
  /** Everything that the group lets through, one rule a peer; the rest is closed in both directions. */
  readonly rules: readonly AccessRule[];
  /** Rules whose peers stand in a prefix list: one rule for all of them. @default - none */
  readonly listed?: { readonly list: RuledPrefixList; readonly rules: readonly AccessRule[] };
}

/** Looked at before {@link CLOSE}: at equal priority the cloud lets `drop` win. */
const OPEN = 10;
const CLOSE = 100;

/** Rules that a group can hold in one direction; see the cloud's VPC limits. */
const MOST_RULES = 200;

type Direction = AccessRule['direction'];

/** The one writer of security groups: access rules in, a group that says exactly the same out. */
export class RuledSecurityGroup extends Construct {
  readonly securityGroupId: string;
  readonly resource: ITerraformDependable;

  constructor(scope: Construct, id: string, props: RuledSecurityGroupProps) {
    super(scope, id);
    const all = [...props.rules, ...(props.listed?.rules ?? [])];
    const ingress = permissions('ingress', props);
    const egress = [...permissions('egress', props), CLOSED_EGRESS];
    refuse(scope, id, [
      ...quotaProblems({ ingress, egress }),
      ...all.filter(({ peer }) => peer.kind !== 'cidr' && peer.kind !== 'group').map(peerProblem),
    ]);
    this.#warnOfListSize(props, { ingress, egress });
    const group = new VpcSecurityGroup(this, 'Default', {
      vpcId: props.vpcId,
      securityGroupName: props.name,
      description: props.description,
      ...(ingress.length > 0 && { ingressPermissions: ingress }),
      egressPermissions: egress,
      projectName: props.projectName,
      tags: cloudTags(props.tags),
      ...(props.provider && { provider: props.provider }),
    });
    this.securityGroupId = group.attributes.securityGroupId;
    this.resource = group;
  }

  /** Whether the cloud counts a prefix list as one rule or by its size is not documented. */
  #warnOfListSize({ listed }: RuledSecurityGroupProps, written: Written): void {
    if (listed === undefined) return;
    for (const [direction, rules] of Object.entries(written)) {
      const lists = rules.filter((rule) => 'prefixListId' in rule).length;
      const counted = rules.length + lists * (listed.list.maxEntries - 1);
      if (counted <= MOST_RULES) continue;
      warn(
        this,
        `if the cloud counts a prefix list by its size, ${direction} has ${counted} of ${MOST_RULES} rules; lower \`headroom\` or split the list`,
      );
    }
  }
}

type Written = Record<Direction, readonly object[]>;

/** A new group lets everything out until a rule says otherwise. */
const CLOSED_EGRESS = {
  direction: 'egress',
  policy: 'drop',
  protocol: 'all',
  portStart: -1,
  portEnd: -1,
  priority: CLOSE,
  cidrIp: '0.0.0.0/0',
  description: 'closed but for the rules above',
} as const;

function permissions(wanted: Direction, { rules, listed }: RuledSecurityGroupProps) {
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

function accept({ direction, protocol, ports, reason }: AccessRule) {
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  return {
    direction,
    policy: 'accept',
    protocol: protocol === 'any' ? 'all' : protocol,
    portStart: hasPorts ? ports.first : -1,
    portEnd: hasPorts ? ports.last : -1,
    priority: OPEN,
    description: reason,
  } as const;
}

function peerOf({ peer }: AccessRule) {
  return {
    ...(peer.kind === 'cidr' && { cidrIp: peer.cidr }),
    ...(peer.kind === 'group' && { sourceGroupId: peer.group }),
  };
}

// A rule without a peer would be open to everyone.
function peerProblem({ peer }: AccessRule): string {
  return `\`rules\` must name a network or a group in a security group, got: ${peer.kind}`;
}

function quotaProblems(directions: Record<string, readonly unknown[]>): string[] {
  return Object.entries(directions)
    .filter(([, rules]) => rules.length > MOST_RULES)
    .map(
      ([direction, rules]) =>
        `\`rules\` must be at most ${MOST_RULES} for ${direction}, got: ${rules.length}; use a prefix list`,
    );
}
