import { createHash } from 'node:crypto';
import { type ITerraformDependable, Token } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { cloud } from '../../cloud/resource.js';
import { parseCidr } from '../../net/cidr.js';
import { PRIORITY } from '../../settings/defaults.js';
import { formatProblems, hasMistakes, literalProblems, problemIf } from '../mistakes.js';
import type { CommonProps } from '../props-and-outputs.js';
import { warn } from '../stack-problems.js';
import { listCidrs, type RuleGroup, ruleGroups } from './ruled-lists.js';

/** The internet border of an existing Cloud Firewall. */
export interface FirewallTarget {
  /** The id of the firewall; an account with one firewall needs none. @default - the account's firewall */
  readonly firewallId?: string;
  /** The enterprise's own IPv4 CIDRs on the path: sources of egress, destinations of ingress. */
  readonly own: readonly string[];
  /**
   * Whether a deny policy follows at the lowest priority: for egress, it denies everything else
   * from `own`; for ingress, it denies everyone else access to `own` on the same ports. Without it,
   * the accept policies restrict nothing.
   */
  readonly close: boolean;
  /** Position of the accept policies when they are created: 1 is evaluated first. @default 1 */
  readonly priority?: number;
}

interface RuledFirewallProps extends CommonProps {
  readonly name: string;
  /** All of one direction. */
  readonly rules: readonly AccessRule[];
  readonly target: FirewallTarget;
}

const EVERYONE = '0.0.0.0/0';
const LOWEST = 0;
/** Bytes of an address book's name, as the provider counts. */
const MAX_NAME = 64;
const PROTOCOLS = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP', any: 'ANY' } as const;

const DESCRIPTIONS = { service: 'address of the service', own: 'own address' } as const;

/** A side of a policy: one network, or an address book. */
type Side = { readonly at: string; readonly kind: 'net' | 'group' };

/** The one writer of Cloud Firewall policies: access rules in, address books and policies out. */
export class RuledFirewall extends Construct {
  readonly resources: readonly ITerraformDependable[];
  readonly #props: RuledFirewallProps;

  constructor(scope: Construct, id: string, props: RuledFirewallProps) {
    super(scope, id);
    this.#props = props;
    const { rules, target, name } = props;
    if (hasMistakes(this, targetProblems(target))) {
      this.resources = [];
      return;
    }
    const books: ITerraformDependable[] = [];
    const remote = this.#side('service', listCidrs(rules), books);
    const own = this.#side('own', target.own.toSorted(), books);
    const groups = ruleGroups(rules);
    const accepts = groups.map((group) =>
      this.#policy(`accept-${portsText(group)}`, 'accept', group, remote, own),
    );
    const denies = target.close ? this.#closing(groups, own, accepts) : [];
    if (!target.close) {
      warn(
        this,
        `${name}: the accept policy alone restricts nothing, because no deny follows it; set \`close\` or keep your own deny policy below it`,
      );
    }
    this.resources = [...books, ...accepts, ...denies];
  }

  /**
   * An address book also for a single address: a policy that went over from a book to a network would
   * still use the book when it is deleted.
   */
  #side(which: 'service' | 'own', cidrs: readonly string[], books: ITerraformDependable[]): Side {
    const { name, target, provider } = this.#props;
    const book = new cloud.FwcenterAddressBook(this, `${which}-addresses`, {
      groupName: addressBookName(name, which),
      groupType: 'ip',
      autoUpdateType: 'Manual',
      addressDetailList: cidrs.map((address) => ({ address, description: DESCRIPTIONS[which] })),
      description: DESCRIPTIONS[which],
      ...(target.firewallId !== undefined && { cloudFirewallId: target.firewallId }),
      ...(provider && { provider }),
    });
    books.push(book);
    return { at: book.attributes.groupUuid, kind: 'group' };
  }

  #closing(groups: readonly RuleGroup[], own: Side, after: ITerraformDependable[]) {
    const everyone: Side = { at: EVERYONE, kind: 'net' };
    const [first] = groups;
    if (first?.rule.direction === 'egress') {
      const everything: RuleGroup = { ...first, rule: { ...first.rule, protocol: 'any' } };
      return [this.#policy('close', 'deny', everything, everyone, own, after)];
    }
    return groups.map((group) =>
      this.#policy(`close-${portsText(group)}`, 'deny', group, everyone, own, after),
    );
  }

  #policy(
    id: string,
    action: 'accept' | 'deny',
    { rule }: RuleGroup,
    remote: Side,
    own: Side,
    dependsOn: ITerraformDependable[] = [],
  ) {
    const { target, provider } = this.#props;
    const isEgress = rule.direction === 'egress';
    const [source, destination] = isEgress ? [own, remote] : [remote, own];
    const hasPorts = rule.protocol === 'tcp' || rule.protocol === 'udp';
    return new cloud.FwcenterControlPolicy(this, id, {
      direction: isEgress ? 'out' : 'in',
      action,
      source: source.at,
      sourceType: source.kind,
      destination: destination.at,
      destinationType: destination.kind,
      proto: PROTOCOLS[rule.protocol],
      ...(hasPorts && {
        destPort: destPort(rule),
        destPortType: 'port' as const,
      }),
      ipType: 'v4',
      prio: action === 'deny' ? LOWEST : (target.priority ?? PRIORITY),
      repeatType: 'Permanent',
      status: true,
      description: action === 'deny' ? 'closed but for the policies above' : rule.reason,
      ...(target.firewallId !== undefined && { internetFirewallId: target.firewallId }),
      // Other policies of the firewall move this one; its position is not ours to defend.
      lifecycle: { ignoreChanges: ['prio'] },
      ...(dependsOn.length > 0 && { dependsOn }),
      ...(provider && { provider }),
    });
  }
}

/** One port as `443`, several as `100/200`. */
function destPort({ ports: { first, last } }: AccessRule): string {
  return first === last ? String(first) : `${first}/${last}`;
}

function portsText({ rule: { protocol, ports } }: RuleGroup): string {
  const span = ports.first === ports.last ? ports.first : `${ports.first}-${ports.last}`;
  return `${protocol}-${span}`;
}

function targetProblems({ own, priority }: FirewallTarget): string[] {
  const unknown = [
    ...literalProblems('own', own, ...own),
    ...literalProblems('priority', priority),
  ];
  if (unknown.length > 0) return unknown;
  return [
    ...problemIf(own.length === 0, '`own` must contain at least one of your networks'),
    ...own.flatMap((cidr) => formatProblems('own', cidr, checkIpv4)),
    ...problemIf(
      own.includes(EVERYONE),
      `\`own\` must not be every address, got: "${EVERYONE}"; name your networks`,
    ),
    ...problemIf(
      priority !== undefined && !(Number.isInteger(priority) && priority >= 1),
      `\`priority\` must be 1 or more, got: ${priority}`,
    ),
  ];
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
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > most) return cut;
    cut += character;
  }
  return cut;
}
