import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { canonicalRules } from '../../access/canonical.js';
import { VpcSecurityGroup } from '../../cloud/resource.js';
import { type CommonProps, cloudTags } from '../common-props.js';
import { refuse } from '../invalid.js';

export interface RuledSecurityGroupProps extends CommonProps {
  readonly vpcId: string;
  readonly name: string;
  readonly description: string;
  /** Everything that the group lets through; the rest is closed in both directions. */
  readonly rules: readonly AccessRule[];
}

/** Looked at before {@link CLOSE}: at equal priority the cloud lets `drop` win. */
const OPEN = 10;
const CLOSE = 100;

/** Rules that a group can hold in one direction; see the cloud's VPC limits. */
const MOST_RULES = 200;

/** The one writer of security groups: access rules in, a group that says exactly the same out. */
export class RuledSecurityGroup extends Construct {
  readonly securityGroupId: string;
  readonly resource: ITerraformDependable;

  constructor(scope: Construct, id: string, props: RuledSecurityGroupProps) {
    super(scope, id);
    const rules = canonicalRules(props.rules);
    const ingress = rules.filter(({ direction }) => direction === 'ingress').map(permission);
    const egress = rules.filter(({ direction }) => direction === 'egress').map(permission);
    refuse(scope, id, quotaProblems({ ingress, egress: [...egress, CLOSED_EGRESS] }));
    const group = new VpcSecurityGroup(this, 'Default', {
      vpcId: props.vpcId,
      securityGroupName: props.name,
      description: props.description,
      ...(ingress.length > 0 && { ingressPermissions: ingress }),
      egressPermissions: [...egress, CLOSED_EGRESS],
      projectName: props.projectName,
      tags: cloudTags(props.tags),
      ...(props.provider && { provider: props.provider }),
    });
    this.securityGroupId = group.attributes.securityGroupId;
    this.resource = group;
  }
}

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

function permission({ direction, protocol, ports, peer, reason }: AccessRule) {
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  return {
    direction,
    policy: 'accept',
    protocol: protocol === 'any' ? 'all' : protocol,
    portStart: hasPorts ? ports.first : -1,
    portEnd: hasPorts ? ports.last : -1,
    priority: OPEN,
    ...(peer.kind === 'cidr' && { cidrIp: peer.cidr }),
    ...(peer.kind === 'group' && { sourceGroupId: peer.group }),
    description: reason,
  } as const;
}

function quotaProblems(directions: Record<string, readonly unknown[]>): string[] {
  return Object.entries(directions)
    .filter(([, rules]) => rules.length > MOST_RULES)
    .map(
      ([direction, rules]) =>
        `\`rules\` must be at most ${MOST_RULES} for ${direction}, got: ${rules.length}; use a prefix list`,
    );
}
