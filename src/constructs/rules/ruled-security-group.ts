import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { type CloudResource, cloud } from '../../cloud/resource.js';
import { type CommonProps, cloudTags, projectOf } from '../common-props.js';
import { generationName, generationOf, REPLACED_FIRST } from '../generation.js';
import { warn } from '../mistakes/warnings.js';
import {
  type Direction,
  type GroupRules,
  type Permission,
  permissions,
} from './group-permissions.js';

export interface RuledSecurityGroupProps extends CommonProps, GroupRules {
  readonly vpcId: string;
  /** Of a VPC that the stack makes. @default - the VPC is known by its id */
  readonly vpcGeneration?: string;
  readonly name: string;
  readonly description: string;
}

/** Rules that a group can hold in one direction and family; see the cloud's VPC limits. */
const MOST_RULES = 200;

/** The one writer of security groups: access rules in, a group that says exactly the same out. */
export class RuledSecurityGroup extends Construct {
  readonly securityGroupId: string;
  readonly resource: ITerraformDependable;
  readonly #group: CloudResource<'VpcSecurityGroup'>;
  #rules: GroupRules;

  constructor(scope: Construct, id: string, props: RuledSecurityGroupProps) {
    super(scope, id);
    this.#rules = props;
    const projectName = projectOf(props);
    const generation = generationOf(props.vpcGeneration ?? props.vpcId, projectName);
    this.#group = new cloud.VpcSecurityGroup(this, 'Default', {
      vpcId: props.vpcId,
      securityGroupName: generationName(props.name, generation),
      description: props.description,
      ...this.#permissions(),
      projectName,
      tags: cloudTags(props.tags),
      lifecycle: REPLACED_FIRST,
      ...(props.provider && { provider: props.provider }),
    });
    this.node.addValidation({ validate: () => this.#problems() });
    this.#warnOfListSize();
    this.securityGroupId = this.#group.attributes.securityGroupId;
    this.resource = this.#group;
  }

  /** Lets the peers of more rules through. */
  add(rules: readonly AccessRule[]): void {
    this.#rules = { ...this.#rules, rules: [...this.#rules.rules, ...rules] };
    this.#group.set(this.#permissions());
  }

  #permissions() {
    return {
      ingressPermissions: permissions('ingress', this.#rules),
      egressPermissions: permissions('egress', this.#rules),
    };
  }

  #problems(): string[] {
    const { ingressPermissions: ingress, egressPermissions: egress } = this.#permissions();
    const { rules, listed } = this.#rules;
    return [
      ...quotaProblems({ ingress, egress }),
      ...[...rules, ...(listed?.rules ?? [])]
        .filter(({ peer }) => peer.kind !== 'cidr' && peer.kind !== 'group')
        .map(peerProblem),
    ];
  }

  /** Whether the cloud counts a prefix list as one rule or by its size is not documented. */
  #warnOfListSize(): void {
    const { listed } = this.#rules;
    if (listed === undefined) return;
    const { ingressPermissions: ingress, egressPermissions: egress } = this.#permissions();
    for (const [direction, rules] of Object.entries({ ingress, egress })) {
      const lists = rules.filter((rule) => 'prefixListId' in rule).length;
      const counted = countIpv4(rules) + lists * (listed.list.maxEntries - 1);
      if (counted <= MOST_RULES) continue;
      warn(
        this,
        `if the cloud counts a prefix list by its size, ${direction} has ${counted} of ${MOST_RULES} rules; lower \`headroom\` or split the list`,
      );
    }
  }
}

type Written = Record<Direction, readonly Permission[]>;

// A rule without a peer would be open to everyone.
function peerProblem({ peer }: AccessRule): string {
  return `\`rules\` must name a network or a group in a security group, got: ${peer.kind}`;
}

function quotaProblems(written: Written): string[] {
  return Object.entries(written)
    .map(([direction, rules]) => {
      const ipv4 = countIpv4(rules);
      return { direction, count: Math.max(ipv4, rules.length - ipv4) };
    })
    .filter(({ count }) => count > MOST_RULES)
    .map(
      ({ direction, count }) =>
        `\`rules\` must be at most ${MOST_RULES} for ${direction}, got: ${count}; use a prefix list`,
    );
}

/** Rules of IPv4; prefix lists and groups count as such. */
function countIpv4(rules: readonly Permission[]): number {
  return rules.filter(({ cidrIp = '' }) => !cidrIp.includes(':')).length;
}
