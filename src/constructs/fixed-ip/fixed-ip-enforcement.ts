import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { type CommonProps, commonOf } from '../common-props.js';
import { literalProblems } from '../mistakes/literal.js';
import { type FirewallTarget, RuledFirewall } from '../rules/ruled-firewall.js';
import { RuledPrefixList } from '../rules/ruled-prefix-list.js';
import { RuledSecurityGroup } from '../rules/ruled-security-group.js';

/** What enforces rules for a list of addresses, in any combination. */
export interface FixedIpTargets {
  /**
   * A new security group with one rule per address; attach it to the workloads that it is for.
   * @default - none
   */
  readonly securityGroup?: { readonly vpcId: string };
  /**
   * A new prefix list and, with `vpcId`, a new security group with one rule for it.
   * @default - none
   */
  readonly prefixList?: {
    readonly vpcId?: string;
    /** Entries to spare. @default 6 */
    readonly headroom?: number;
  };
  /** Policies on an existing Cloud Firewall. @default - none */
  readonly cloudFirewall?: FirewallTarget;
  /**
   * What enforces the rules if no target does, in your own words: `the firewall of the office,
   * rendered by CI`. Each rule in `access.json` records it, because a review forbids rules that
   * nothing enforces.
   *
   * @default - a target is required
   */
  readonly enforcedElsewhere?: string;
}

/** Rules without a target are refused: nothing in the cloud would enforce them. */
export function targetProblems(targets: FixedIpTargets): string[] {
  const { securityGroup, prefixList, cloudFirewall, enforcedElsewhere = '' } = targets;
  const isEnforced = Boolean(securityGroup ?? prefixList ?? cloudFirewall);
  return [
    ...(isEnforced || enforcedElsewhere.trim() !== ''
      ? []
      : [
          '`securityGroup`, `prefixList` or `cloudFirewall` must be given, for nothing in the cloud enforces the rules without a target; where something else does, say so in `enforcedElsewhere`',
        ]),
    ...literalProblems('enforcedElsewhere', enforcedElsewhere),
    ...(/[\p{Cc}\u2028\u2029]/u.test(enforcedElsewhere)
      ? [`\`enforcedElsewhere\` must be one line, got: ${JSON.stringify(enforcedElsewhere)}`]
      : []),
  ];
}

/** Whether new security groups hold the rules. */
export function hasGroups({ securityGroup, prefixList }: FixedIpTargets): boolean {
  return securityGroup !== undefined || prefixList?.vpcId !== undefined;
}

/** What rules say of what enforces them: nothing where a target does. */
export function enforcement(
  name: string,
  targets: FixedIpTargets,
): Pick<AccessRule, 'enforcedElsewhere'> {
  if (hasGroups(targets) || targets.cloudFirewall !== undefined) return {};
  const elsewhere = targets.enforcedElsewhere?.trim() ?? '';
  return { enforcedElsewhere: elsewhere || `what uses the prefix list ${name}` };
}

interface FixedIpEnforcementProps extends CommonProps {
  readonly name: string;
  readonly description: string;
  /** One rule for each address and port. */
  readonly rules: readonly AccessRule[];
  /** Rules of the security groups only. @default - none */
  readonly groupRules?: readonly AccessRule[];
  /** Whether the security groups drop everything else of the rules' direction. @default false */
  readonly closed?: boolean;
  readonly targets: FixedIpTargets;
}

const HEADROOM = 6;

/** Builds the targets that are named, from the same rules. */
export class FixedIpEnforcement extends Construct {
  /** The group with one rule an address. */
  readonly securityGroupId: string | undefined;
  readonly prefixListId: string | undefined;
  /** The group with one rule over the prefix list. */
  readonly listedSecurityGroupId: string | undefined;
  readonly resources: readonly ITerraformDependable[];
  readonly #groups: readonly RuledSecurityGroup[];

  constructor(scope: Construct, id: string, props: FixedIpEnforcementProps) {
    super(scope, id);
    const { name, description, rules, groupRules = [], targets } = props;
    const closed = props.closed ? [...new Set(rules.map(({ direction }) => direction))] : [];
    const common = { description, ...commonOf(props) };
    const { securityGroup, prefixList, cloudFirewall } = targets;
    const group =
      securityGroup &&
      new RuledSecurityGroup(this, 'security-group', {
        name,
        vpcId: securityGroup.vpcId,
        rules: [...rules, ...groupRules],
        closed,
        ...common,
      });
    const headroom = prefixList?.headroom ?? HEADROOM;
    const list =
      prefixList && new RuledPrefixList(this, 'prefix-list', { name, rules, headroom, ...common });
    const listed =
      list &&
      prefixList?.vpcId !== undefined &&
      new RuledSecurityGroup(this, 'listed-security-group', {
        name: `${name}-listed`,
        vpcId: prefixList.vpcId,
        rules: groupRules,
        listed: { list, rules },
        closed,
        ...common,
      });
    const firewall =
      cloudFirewall &&
      new RuledFirewall(this, 'firewall', {
        name,
        rules,
        target: cloudFirewall,
        ...commonOf(props),
      });
    this.securityGroupId = group?.securityGroupId;
    this.prefixListId = list?.prefixListId;
    this.listedSecurityGroupId = listed ? listed.securityGroupId : undefined;
    this.#groups = [group, listed].filter((one) => one instanceof RuledSecurityGroup);
    this.resources = [
      ...(group ? [group.resource] : []),
      ...(list ? [list.resource] : []),
      ...(listed ? [listed.resource] : []),
      ...(firewall?.resources ?? []),
    ];
  }

  /** Adds rules to the security groups only. */
  addToGroups(rules: readonly AccessRule[]): void {
    for (const group of this.#groups) group.add(rules);
  }
}
