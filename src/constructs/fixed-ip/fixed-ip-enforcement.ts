import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import {
  type AccessException,
  type AccessRule,
  exceptionProblems,
} from '../../access/access-rule.js';
import {
  type AddressList,
  addressListProblems,
  effectiveCidrs,
  shrinkProblems,
} from '../../net/address-list.js';
import { HEADROOM } from '../../settings/defaults.js';
import { collectProblems, literalProblems, warnIfExpired } from '../mistakes.js';
import { type CommonProps, pickCommon } from '../props-and-outputs.js';
import { type FirewallTarget, RuledFirewall } from '../rules/ruled-firewall.js';
import { ruledPrefixList } from '../rules/ruled-lists.js';
import { RuledSecurityGroup } from '../rules/ruled-security-group.js';

/** Targets that enforce the rules for a list of addresses, in any combination. */
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
   * The enforcement of the rules if no target does it, in your own words: `the firewall of the office,
   * rendered by CI`. Each rule in `access.json` records it, because a review forbids rules that
   * nothing enforces.
   *
   * @default - a target is required
   */
  readonly enforcedElsewhere?: string;
}

/** Rules that nothing in the cloud enforces are refused, unless it is said what else does. */
export function targetProblems(targets: FixedIpTargets): string[] {
  const { securityGroup, prefixList, cloudFirewall, enforcedElsewhere = '' } = targets;
  const isEnforced = Boolean(securityGroup ?? prefixList ?? cloudFirewall);
  return collectProblems(
    !isEnforced &&
      enforcedElsewhere.trim() === '' &&
      '`securityGroup`, `prefixList` or `cloudFirewall` must be given: without a target, nothing in the cloud enforces the rules; if something else does, name it in `enforcedElsewhere`',
    literalProblems('enforcedElsewhere', enforcedElsewhere),
    /[\p{Cc}\u2028\u2029]/u.test(enforcedElsewhere) &&
      `\`enforcedElsewhere\` must be one line, got: ${JSON.stringify(enforcedElsewhere)}`,
  );
}

/** Tells whether new security groups hold the rules. */
export function hasGroups({ securityGroup, prefixList }: FixedIpTargets): boolean {
  return securityGroup !== undefined || prefixList?.vpcId !== undefined;
}

/** Returns `enforcedElsewhere` for rules that no group or firewall of the stack enforces; a prefix list alone enforces nothing. */
export function enforcement(
  name: string,
  targets: FixedIpTargets,
): Pick<AccessRule, 'enforcedElsewhere'> {
  if (hasGroups(targets) || targets.cloudFirewall !== undefined) return {};
  const elsewhere = targets.enforcedElsewhere?.trim() ?? '';
  return { enforcedElsewhere: elsewhere || `what uses the prefix list ${name}` };
}

/** A list of addresses that a construct turns into rules. */
export interface ListedAddresses extends AddressList {
  /** Allows the list to shrink by more than a quarter at once. @default - refused */
  readonly shrinkException?: AccessException;
}

/**
 * Every reason not to build rules from the list of a construct's property.
 *
 * @param before how many addresses were let through before, where that is known
 */
export function listProblems(property: string, list: ListedAddresses, before = 0): string[] {
  const addresses = list.entries.map(({ address }) => address);
  const unknown = literalProblems(`${property}.entries`, list.entries, ...addresses);
  if (unknown.length > 0) return unknown;
  const problems = addressListProblems(`${property}.entries`, list);
  if (problems.length > 0) return problems;
  const { shrinkException } = list;
  return shrinkException === undefined
    ? shrinkProblems(`${property}.entries`, list, before)
    : exceptionProblems(`${property}.shrinkException`, shrinkException);
}

/** One rule for each address of the list and each port. */
export function listedRules(
  list: AddressList,
  ports: readonly number[],
  rule: Omit<AccessRule, 'peer' | 'ports' | 'protocol'>,
): AccessRule[] {
  return effectiveCidrs(list).flatMap((cidr) =>
    ports.map((port) => ({
      ...rule,
      peer: { kind: 'cidr' as const, cidr },
      protocol: 'tcp' as const,
      ports: { first: port, last: port },
    })),
  );
}

/** Props of all constructs for fixed addresses. */
export interface FixedIpProps extends CommonProps, FixedIpTargets {
  /** Prefix for the names of the resources. */
  readonly name: string;
}

interface FixedIpEnforcementProps {
  /** Those of the construct whose rules are enforced. */
  readonly props: FixedIpProps;
  /** The addresses that the rules are made from. */
  readonly list: ListedAddresses;
  readonly description: string;
  /** One rule for each address and port. */
  readonly rules: readonly AccessRule[];
  /** Rules of the security groups only. @default - none */
  readonly groupRules?: readonly AccessRule[];
  /** True if the security groups drop everything else of the rules' direction. @default false */
  readonly closed?: boolean;
}

/**
 * The resulting resources. Written out: inferred, it would ship the types of every resource with
 * the package.
 */
export interface FixedIpEnforcement {
  /** The group with one rule an address. */
  readonly securityGroupId: string | undefined;
  readonly prefixListId: string | undefined;
  /** The group with one rule over the prefix list. */
  readonly listedSecurityGroupId: string | undefined;
  readonly groups: readonly { add(rules: readonly AccessRule[]): void }[];
  readonly resources: readonly ITerraformDependable[];
}

/** Builds the targets that are named, from the same rules. */
export function enforceRules(
  scope: Construct,
  enforced: FixedIpEnforcementProps,
): FixedIpEnforcement {
  const { props, list: addresses, description, rules, groupRules = [] } = enforced;
  const { name, securityGroup, prefixList, cloudFirewall, provider } = props;
  const place = new Construct(scope, 'Default');
  warnIfExpired(scope, addresses.shrinkException);
  const closed = enforced.closed ? [...new Set(rules.map(({ direction }) => direction))] : [];
  const tags = { ...props.tags, 'list-version': addresses.version };
  const common = { ...pickCommon(props), description, tags };
  const group =
    securityGroup &&
    new RuledSecurityGroup(place, 'security-group', {
      name,
      vpcId: securityGroup.vpcId,
      rules: [...rules, ...groupRules],
      closed,
      ...common,
    });
  const headroom = prefixList?.headroom ?? HEADROOM;
  const list =
    prefixList && ruledPrefixList(place, 'prefix-list', { name, rules, headroom, ...common });
  const listed =
    list && prefixList?.vpcId !== undefined
      ? new RuledSecurityGroup(place, 'listed-security-group', {
          name: `${name}-listed`,
          vpcId: prefixList.vpcId,
          rules: groupRules,
          listed: { list, rules },
          closed,
          ...common,
        })
      : undefined;
  const firewall =
    cloudFirewall &&
    new RuledFirewall(place, 'firewall', { name, rules, target: cloudFirewall, provider });
  const made = [group, list, listed].filter((one) => one !== undefined);
  return {
    securityGroupId: group?.securityGroupId,
    prefixListId: list?.prefixListId,
    listedSecurityGroupId: listed?.securityGroupId,
    groups: [group, listed].filter((one) => one !== undefined),
    resources: [...made.map(({ resource }) => resource), ...(firewall?.resources ?? [])],
  };
}

/** Returns the ids of groups and list, to attach to workloads or to use in rules. */
export function enforcementOutputs(made: FixedIpEnforcement, users: string) {
  return {
    'security-group-id': {
      value: made.securityGroupId,
      about: `security group to attach to ${users}`,
    },
    'listed-security-group-id': {
      value: made.listedSecurityGroupId,
      about: `security group over the prefix list, to attach to ${users}`,
    },
    'prefix-list-id': { value: made.prefixListId, about: 'for your own rules and routes' },
  };
}
