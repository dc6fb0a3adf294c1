import { Construct } from 'constructs';
import { canonicalRules } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';
import { type CloudResource, cloud } from '../../cloud/resource.js';
import { NOBODY } from '../../net/special-ranges.js';
import { warn } from '../mistakes.js';
import { madeNetwork } from '../network-props.js';
import { type CommonProps, chooseProject, resourceProps } from '../props-and-outputs.js';
import { generationName, hashGeneration, REPLACED_FIRST } from '../replacement.js';
import { StackAccess } from '../stack-access.js';
import { type RuledPrefixList, ruleGroups } from './ruled-lists.js';

type Direction = AccessRule['direction'];

type Group = CloudResource<'VpcSecurityGroup'>;

/** One rule of a security group, in the cloud's words. */
type Permission = NonNullable<Parameters<Group['set']>[0]['ingressPermissions']>[number];

/** Looked at before {@link CLOSE}: at equal priority the cloud lets `drop` win. */
const OPEN = 10;
const CLOSE = 100;

const EVERYONE = ['0.0.0.0/0', '::/0'];

/** The rules of a group. */
interface GroupRules {
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

export interface RuledSecurityGroupProps extends CommonProps, GroupRules {
  readonly vpcId: string;
  /** The generation of a VPC that the stack makes. @default - the VPC is known by its id */
  readonly vpcGeneration?: string;
  readonly name: string;
  readonly description: string;
}

/** Rules that a group can hold in one direction and family; see the cloud's VPC limits. */
const MAX_RULES = 200;

/** The one writer of security groups: access rules in, a group that says exactly the same out. */
export class RuledSecurityGroup extends Construct {
  readonly securityGroupId: string;
  readonly resource: Group;
  #rules: GroupRules;

  constructor(scope: Construct, id: string, props: RuledSecurityGroupProps) {
    super(scope, id);
    this.#rules = props;
    const generation = hashGeneration(props.vpcGeneration ?? props.vpcId, chooseProject(props));
    this.resource = new cloud.VpcSecurityGroup(this, 'Default', {
      vpcId: props.vpcId,
      securityGroupName: generationName(props.name, generation),
      description: props.description,
      ...this.#permissions(),
      // The cloud was seen to refuse a group while the subnets of its new VPC are made.
      dependsOn: madeNetwork(this, props.vpcId),
      lifecycle: REPLACED_FIRST,
      ...resourceProps(props),
    });
    StackAccess.of(this).carry([...props.rules, ...(props.listed?.rules ?? [])], this.resource);
    this.node.addValidation({ validate: () => this.#problems() });
    this.#warnOfListSize();
    this.securityGroupId = this.resource.attributes.securityGroupId;
  }

  /** Lets the peers of more rules through. */
  add(rules: readonly AccessRule[]): void {
    this.#rules = { ...this.#rules, rules: [...this.#rules.rules, ...rules] };
    this.resource.set(this.#permissions());
    StackAccess.of(this).carry(rules, this.resource);
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

  /** Warns because the documentation does not say whether a prefix list counts as one rule or by its size. */
  #warnOfListSize(): void {
    const { listed } = this.#rules;
    if (listed === undefined) return;
    const { ingressPermissions: ingress, egressPermissions: egress } = this.#permissions();
    for (const [direction, rules] of Object.entries({ ingress, egress })) {
      const lists = rules.filter((rule) => 'prefixListId' in rule).length;
      const counted = countIpv4(rules) + lists * (listed.list.maxEntries - 1);
      if (counted <= MAX_RULES) continue;
      warn(
        this,
        `if the cloud counts a prefix list by its size, ${direction} has ${counted} of ${MAX_RULES} rules; lower \`headroom\` or split the list`,
      );
    }
  }
}

// A rule without a peer would be open to everyone.
function peerProblem({ peer }: AccessRule): string {
  return `\`rules\` must name a network or a group in a security group, got: ${peer.kind}`;
}

function quotaProblems(written: Record<Direction, readonly Permission[]>): string[] {
  return Object.entries(written)
    .map(([direction, rules]) => {
      const ipv4 = countIpv4(rules);
      return { direction, count: Math.max(ipv4, rules.length - ipv4) };
    })
    .filter(({ count }) => count > MAX_RULES)
    .map(
      ({ direction, count }) =>
        `\`rules\` must be at most ${MAX_RULES} for ${direction}, got: ${count}; use a prefix list`,
    );
}

/** Rules of IPv4; prefix lists and groups count as such. */
function countIpv4(rules: readonly Permission[]): number {
  return rules.filter(({ cidrIp = '' }) => !cidrIp.includes(':')).length;
}

/**
 * The whole set of a direction. It is never left out: a new group would let everything of both
 * families out and its members reach each other. No rule names the members, for the group's id is
 * not known before the group is made.
 */
function permissions(direction: Direction, rules: GroupRules): Permission[] {
  const accepted = acceptedBy(direction, rules);
  if (rules.closed?.includes(direction)) {
    return [...accepted, ...drops(direction, EVERYONE, 'closed but for the rules above')];
  }
  return accepted.length > 0
    ? accepted
    : drops(direction, NOBODY, 'nobody, so that the cloud adds no rule of its own');
}

function acceptedBy(wanted: Direction, { rules, listed }: GroupRules): Permission[] {
  const single = canonicalRules(rules).map((rule) => ({ ...accept(rule), ...toPeer(rule) }));
  const grouped = ruleGroups(listed?.rules ?? []).map(({ rule }) => ({
    ...accept(rule),
    prefixListId: listed?.list.prefixListId,
  }));
  return [...single, ...grouped].filter(({ direction }) => direction === wanted);
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

function toPeer({ peer }: AccessRule): Pick<Permission, 'cidrIp' | 'sourceGroupId'> {
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
