import { createHash } from 'node:crypto';
import { type ITerraformDependable, Token } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { flag, number, text } from '../../cloud/props/kinds.js';
import { object, optional, required } from '../../cloud/props/shape.js';
import { cloud } from '../../cloud/resource.js';
import { parseCidr } from '../../net/cidr.js';
import { PRIORITY } from '../../settings/defaults.js';
import { collectProblems, formatProblems, literalProblems, warn } from '../mistakes.js';
import { type CommonProps, cidrs } from '../props-and-outputs.js';
import { reportProblems, StackAccess } from '../stack-access.js';
import { listCidrs, type RuleGroup, ruleGroupKey, ruleGroups } from './ruled-lists.js';

/** The internet border of an existing Cloud Firewall. */
export interface FirewallTarget {
  /** The id of the firewall; an account with one firewall needs none. @default - the account's firewall */
  readonly firewallId?: string;
  /** The enterprise's own IPv4 CIDRs on the path: sources of egress, destinations of ingress. */
  readonly own: readonly string[];
  /**
   * True if a deny policy follows at the lowest priority: for egress, it denies everything else
   * from `own`; for ingress, it denies everyone else access to `own` on the same ports. Without it,
   * the accept policies restrict nothing.
   */
  readonly close: boolean;
  /** Position of the accept policies when they are created: 1 is evaluated first. @default 1 */
  readonly priority?: number;
}

/** A Cloud Firewall as a prop. */
export const firewallTarget = object<FirewallTarget>('an object with own and close', {
  firewallId: optional(text),
  own: required(cidrs('; name your networks')),
  close: required(flag),
  priority: optional(number),
});

interface RuledFirewallProps extends Pick<CommonProps, 'provider'> {
  readonly name: string;
  /** All of one direction. */
  readonly rules: readonly AccessRule[];
  readonly target: FirewallTarget;
}

const LOWEST = 0;
/** Bytes of an address book's name, as the provider counts. */
const MAX_NAME = 64;
const PROTOCOLS = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP', any: 'ANY' } as const;

const DESCRIPTIONS = { service: 'address of the service', own: 'own address' } as const;

/** A side of a policy: one network, or an address book. */
type Side = { readonly at: string; readonly kind: 'net' | 'group' };

const EVERYONE: Side = { at: '0.0.0.0/0', kind: 'net' };

/** The one writer of Cloud Firewall policies: access rules in, address books and policies out. */
export class RuledFirewall extends Construct {
  readonly resources: ITerraformDependable[] = [];
  readonly #props: RuledFirewallProps;

  constructor(scope: Construct, id: string, props: RuledFirewallProps) {
    super(scope, id);
    this.#props = props;
    const { rules, target, name } = props;
    if (reportProblems(this, targetProblems(target))) return;
    const remote = this.#book('service', listCidrs(rules));
    const own = this.#book('own', target.own.toSorted());
    const groups = ruleGroups(rules);
    const accepts = groups.map((group) =>
      this.#policy(`accept-${portsText(group)}`, 'accept', group, remote, own),
    );
    if (target.close) {
      this.#close(groups, own, accepts);
    } else {
      warn(
        this,
        `${name}: the accept policy alone restricts nothing, because no deny follows it; set \`close\` or keep your own deny policy below it`,
      );
    }
  }

  /**
   * An address book also for a single address: a policy that went over from a book to a network would
   * still use the book when it is deleted.
   */
  #book(which: 'service' | 'own', cidrs: readonly string[]): Side {
    const { name, target, provider } = this.#props;
    const book = new cloud.FwcenterAddressBook(this, `${which}-addresses`, {
      groupName: addressBookName(name, which),
      groupType: 'ip',
      autoUpdateType: 'Manual',
      addressDetailList: cidrs.map((address) => ({ address, description: DESCRIPTIONS[which] })),
      description: DESCRIPTIONS[which],
      cloudFirewallId: target.firewallId,
      provider,
    });
    this.resources.push(book);
    return { at: book.attributes.groupUuid, kind: 'group' };
  }

  #close(groups: readonly RuleGroup[], own: Side, after: ITerraformDependable[]): void {
    const [first] = groups;
    if (first?.rule.direction === 'egress') {
      const everything: RuleGroup = { ...first, rule: { ...first.rule, protocol: 'any' } };
      this.#policy('close', 'deny', everything, EVERYONE, own, after);
      return;
    }
    for (const group of groups) {
      this.#policy(`close-${portsText(group)}`, 'deny', group, EVERYONE, own, after);
    }
  }

  #policy(
    id: string,
    action: 'accept' | 'deny',
    { rule }: RuleGroup,
    remote: Side,
    ownSide: Side,
    dependsOn?: ITerraformDependable[],
  ): ITerraformDependable {
    const { rules, target, provider } = this.#props;
    const isEgress = rule.direction === 'egress';
    const [source, destination] = isEgress ? [ownSide, remote] : [remote, ownSide];
    const hasPorts = rule.protocol === 'tcp' || rule.protocol === 'udp';
    const policy = new cloud.FwcenterControlPolicy(this, id, {
      direction: isEgress ? 'out' : 'in',
      action,
      source: source.at,
      sourceType: source.kind,
      destination: destination.at,
      destinationType: destination.kind,
      proto: PROTOCOLS[rule.protocol],
      ...(hasPorts && {
        destPort: spanText(rule.ports, '/'),
        destPortType: 'port' as const,
      }),
      ipType: 'v4',
      prio: action === 'deny' ? LOWEST : (target.priority ?? PRIORITY),
      repeatType: 'Permanent',
      status: true,
      description: action === 'deny' ? 'closed but for the policies above' : rule.reason,
      internetFirewallId: target.firewallId,
      // Other policies of the firewall move this one; its position is not ours to defend.
      lifecycle: { ignoreChanges: ['prio'] },
      dependsOn,
      provider,
    });
    const own = rules.filter((one) => !hasPorts || ruleGroupKey(one) === ruleGroupKey(rule));
    StackAccess.of(this).carry(own, policy);
    this.resources.push(policy);
    return policy;
  }
}

function portsText({ rule: { protocol, ports } }: RuleGroup): string {
  return `${protocol}-${spanText(ports, '-')}`;
}

/** One port as `443`, several as `100/200` or with another separator. */
function spanText({ first, last }: AccessRule['ports'], separator: string): string {
  return first === last ? String(first) : `${first}${separator}${last}`;
}

function targetProblems({ own, priority }: FirewallTarget): string[] {
  const unknown = [
    ...literalProblems('cloudFirewall.own', own, ...own),
    ...literalProblems('cloudFirewall.priority', priority),
  ];
  if (unknown.length > 0) return unknown;
  return collectProblems(
    own.length === 0 && '`cloudFirewall.own` must contain at least one of your networks',
    own.flatMap((cidr) => formatProblems('cloudFirewall.own', cidr, checkIpv4)),
    priority !== undefined &&
      !(Number.isInteger(priority) && priority >= 1) &&
      `\`cloudFirewall.priority\` must be 1 or more, got: ${priority}`,
  );
}

/** Books and policies are of one IP family each, and the service's addresses are IPv4. */
function checkIpv4(cidr: string): void {
  if (parseCidr(cidr).family === 6) throw new RangeError('must be IPv4, as the policies are');
}

/**
 * A name in the alphabet of the firewall's address books: other signs become `-`. A long stem is cut
 * and a digest of the whole of it takes its end, so that different names stay different. A name that
 * is not known yet stays as it is.
 */
export function addressBookName(stem: string, suffix: string): string {
  if (Token.isUnresolved(stem)) return `${stem}-${suffix}`;
  const whole = `${stem}-${suffix}`.replaceAll(/[^A-Za-z0-9\p{Script=Han}_-]/gu, '-');
  if (Buffer.byteLength(whole) <= MAX_NAME) return whole;
  const digest = createHash('sha256').update(stem).digest('hex').slice(0, 8);
  const end = `-${digest}-${suffix}`;
  return `${cutToBytes(whole, MAX_NAME - end.length)}${end}`;
}

/** The longest beginning of whole characters that fits. */
function cutToBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}
