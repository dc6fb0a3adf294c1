import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { text } from '../../cloud/props/kinds.js';
import { optional, propsProblems, required, type Shape } from '../../cloud/props/shape.js';
import { withoutUser } from '../../codes/redact.js';
import { effectiveCidrs } from '../../net/address-list.js';
import { FIXED_ADDRESSES } from '../../net/fixed-addresses.js';
import { isOrigin } from '../../net/host-name.js';
import { API_PORTS } from '../../settings/defaults.js';
import type { Linked, MadeLink } from '../linked.js';
import { cidrProblems, collectProblems, literalProblems } from '../mistakes.js';
import { cidrs, host, nameInStack, outputs, ports } from '../props-and-outputs.js';
import { reportProblems, StackAccess } from '../stack-access.js';
import {
  enforcement,
  enforcementOutputs,
  enforceRules,
  type FixedIpEnforcement,
  type FixedIpProps,
  type FixedIpTargets,
  hasGroups,
  type ListedAddresses,
  listedRules,
  listProblems,
  targetProblems,
} from './fixed-ip-enforcement.js';
import { FIXED_IP_PROPS, listedAddresses } from './fixed-ip-shape.js';

export interface FixedIpEgressProps extends FixedIpProps {
  /** The service's fixed-IP API base URL: https, host and port only. */
  readonly baseUrl: string;
  /** The service's public API host: the audience of every JWT. */
  readonly apiHost: string;
  /** @default - the dated list of this package */
  readonly addresses?: ListedAddresses;
  /** @default [443] */
  readonly ports?: readonly number[];
  /**
   * CIDRs of DNS servers that the new security groups, or the enforcement elsewhere, must allow on
   * port 53: closing egress also closes DNS.
   * @default - none
   */
  readonly dnsServers?: readonly string[];
}

/**
 * Fixed-IP access to the service's API: egress to its fixed addresses and nothing else.
 *
 * @example
 * ```ts
 * const egress = new FixedIpEgress(stack, 'fixed-ip-egress', {
 *   name: 'agent-service-api',
 *   baseUrl: 'https://static-api.example.com',
 *   apiHost: 'api.example.com',
 *   securityGroup: { vpcId: 'vpc-1a2b' },
 * });
 * egress.allowDns('10.40.0.2/32');
 * ```
 */
export class FixedIpEgress extends Construct implements Linked {
  /** The allowed addresses, as CIDRs. */
  readonly addresses: readonly string[] = [];
  /** The group with one rule per address, if `securityGroup` is set. */
  readonly securityGroupId: string | undefined;
  /** Set if `prefixList` is. */
  readonly prefixListId: string | undefined;
  /** The group with one rule for the prefix list, if `prefixList.vpcId` is set. */
  readonly listedSecurityGroupId: string | undefined;
  readonly links: readonly MadeLink[] = [];
  readonly resources: readonly ITerraformDependable[] = [];
  readonly #props: FixedIpEgressProps;
  readonly #rules: AccessRule[] = [];
  /** The destinations that workloads may call. */
  readonly accessRules: readonly AccessRule[] = this.#rules;
  readonly #enforcement: FixedIpEnforcement | undefined;

  constructor(scope: Construct, id: string, props: FixedIpEgressProps) {
    super(scope, id);
    this.#props = props;
    if (reportProblems(this, propsProblems(PROPS, props, problemsTogether))) return;
    const made = this.#make(props);
    this.#enforcement = made;
    this.addresses = effectiveCidrs(props.addresses ?? FIXED_ADDRESSES);
    this.securityGroupId = made.securityGroupId;
    this.prefixListId = made.prefixListId;
    this.listedSecurityGroupId = made.listedSecurityGroupId;
    this.resources = made.resources;
    const { baseUrl, apiHost } = props;
    const expected = { expectedAddresses: this.addresses, expectedNetworks: [] };
    this.links = [
      { name: nameInStack(this), via: 'fixed-ip-egress', baseUrl, apiHost, ...expected },
    ];
    outputs(this, {
      'base-url': {
        value: baseUrl,
        about: 'base URL for clients, instead of the public one',
      },
      ...enforcementOutputs(made, 'workloads that call the service'),
    });
  }

  /**
   * Lets workloads query one more DNS server on port 53.
   *
   * @param cidr of the name server, a literal
   */
  allowDns(cidr: string): void {
    const problems = this.#enforcement && [
      ...targetOfDnsProblems('allowDns', [cidr], this.#props),
      ...cidrProblems('allowDns', [cidr]),
    ];
    if (problems === undefined || reportProblems(this, problems)) return;
    const rules = StackAccess.of(this).add(dnsRules(this.#props, [cidr]));
    this.#rules.push(...rules);
    for (const group of this.#enforcement?.groups ?? []) group.add(rules);
  }

  #make(props: FixedIpEgressProps): FixedIpEnforcement {
    const list: ListedAddresses = props.addresses ?? FIXED_ADDRESSES;
    const toService = listedRules(list, props.ports ?? API_PORTS, {
      via: 'fixed-ip-egress',
      direction: 'egress',
      subject: props.name,
      reason: 'calls to the service at its fixed addresses',
      ...enforcement(props.name, props),
    });
    const toDns = dnsRules(props, props.dnsServers ?? []);
    this.#rules.push(...StackAccess.of(this).add([...toService, ...toDns]));
    return enforceRules(this, {
      props,
      list,
      description: 'fixed addresses of the service',
      rules: toService,
      groupRules: toDns,
      closed: true,
    });
  }
}

const PROPS: Shape<FixedIpEgressProps> = {
  ...FIXED_IP_PROPS,
  baseUrl: required(text),
  apiHost: required(host),
  addresses: optional(listedAddresses),
  ports: optional(ports),
  dnsServers: optional(cidrs()),
};

/** Problems of props that are each right by themselves. */
function problemsTogether(props: FixedIpEgressProps): string[] {
  const { addresses, ports: all = API_PORTS, dnsServers = [] } = props;
  const before = FIXED_ADDRESSES.entries.length;
  return [
    ...targetProblems(props),
    ...(addresses === undefined ? [] : listProblems('addresses', addresses, before)),
    ...urlProblems(props, all),
    ...targetOfDnsProblems('dnsServers', dnsServers, props),
  ];
}

function urlProblems({ baseUrl, apiHost }: FixedIpEgressProps, ports: readonly number[]): string[] {
  const unknown = literalProblems('baseUrl', baseUrl);
  if (unknown.length > 0) return unknown;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:' || !isOrigin(url)) {
    return [`\`baseUrl\` must be https, host and port only, got: "${withoutUser(baseUrl)}"`];
  }
  const port = url.port === '' ? 443 : Number(url.port);
  return collectProblems(
    url.hostname === apiHost &&
      `\`apiHost\` must not be the host of \`baseUrl\`: the fixed-IP base URL is called in place of the public one, whose host is the audience, got: "${apiHost}"`,
    !ports.includes(port) &&
      `\`ports\` must include the port of \`baseUrl\`, ${port}, got: ${ports.join(', ')}`,
  );
}

/** Closed egress closes DNS as well: the rules that let name servers through. */
function dnsRules(props: FixedIpEgressProps, dnsServers: readonly string[]): AccessRule[] {
  const { name, enforcedElsewhere } = props;
  return dnsServers.flatMap((cidr) =>
    (['udp', 'tcp'] as const).map((protocol) => ({
      via: 'fixed-ip-egress' as const,
      direction: 'egress' as const,
      subject: name,
      peer: { kind: 'cidr' as const, cidr },
      protocol,
      ports: { first: 53, last: 53 },
      reason: 'names of the service',
      ...(!hasGroups(props) && enforcement(name, { enforcedElsewhere })),
    })),
  );
}

/** The problem of name servers that nothing lets through. @param property that names the servers */
function targetOfDnsProblems(
  property: string,
  servers: readonly string[],
  targets: FixedIpTargets,
): string[] {
  const isEnforced = hasGroups(targets) || Boolean(targets.enforcedElsewhere?.trim());
  return collectProblems(
    servers.length > 0 &&
      !isEnforced &&
      `\`${property}\` needs a new security group that allows name servers, or \`enforcedElsewhere\` with what allows them, got: neither`,
  );
}
