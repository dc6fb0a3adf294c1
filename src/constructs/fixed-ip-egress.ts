import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../access/access-rule.js';
import { effectiveCidrs } from '../net/address-list.js';
import { parseCidr } from '../net/cidr.js';
import { FIXED_ADDRESSES } from '../net/fixed-addresses.js';
import { type CommonProps, commonOf } from './common-props.js';
import { FixedIpEnforcement, type FixedIpTargets } from './fixed-ip-enforcement.js';
import { problemOf, refuse } from './invalid.js';
import type { Linked } from './linked.js';
import {
  type ListedAddresses,
  listedRules,
  listProblems,
  listTags,
  portProblems,
} from './listed-addresses.js';
import { outputs } from './outputs.js';
import { StackAccess } from './stack-access.js';
import { warnIfExpired } from './warnings.js';

export interface FixedIpEgressProps extends CommonProps, FixedIpTargets {
  /** First part of the names of what is made. */
  readonly name: string;
  /** The service's fixed-IP API base URL: https, host and port only. */
  readonly baseUrl: string;
  /** The service's public API host: the audience of every JWT. */
  readonly apiHost: string;
  /** @default - the dated list of this package */
  readonly addresses?: ListedAddresses;
  /** @default [443] */
  readonly ports?: readonly number[];
  /**
   * CIDRs of name servers that the new security groups let through on port 53: closed egress closes
   * DNS as well.
   * @default - none
   */
  readonly dnsServers?: readonly string[];
}

/** Fixed-IP access to the service's API: egress to its fixed addresses and nothing else. */
export class FixedIpEgress extends Construct implements Linked {
  readonly accessRules: readonly AccessRule[];
  /** The addresses that are let through, as CIDRs. */
  readonly addresses: readonly string[];
  /** The group with one rule an address, where `securityGroup` asks for it. */
  readonly securityGroupId: string | undefined;
  /** Where `prefixList` asks for it. */
  readonly prefixListId: string | undefined;
  /** The group with one rule over the prefix list, where `prefixList.vpcId` asks for it. */
  readonly listedSecurityGroupId: string | undefined;
  readonly link: Linked['link'];
  readonly resources: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: FixedIpEgressProps) {
    super(scope, id);
    refuse(scope, id, egressProblems(props));
    const list = props.addresses ?? FIXED_ADDRESSES;
    warnIfExpired(this, props.addresses?.shrinkException);
    const toService = listedRules(list, props.ports ?? [443], {
      via: 'fixed-ip',
      direction: 'egress',
      subject: props.name,
      reason: 'calls to the service at its fixed addresses',
    });
    const toDns = dnsRules(props);
    this.accessRules = StackAccess.of(this).add([...toService, ...toDns]);
    const enforcement = new FixedIpEnforcement(this, 'Default', {
      ...commonOf(props),
      name: props.name,
      description: 'fixed addresses of the service',
      rules: toService,
      groupRules: toDns,
      closed: true,
      targets: props,
      tags: listTags(list, props),
    });
    this.addresses = effectiveCidrs(list);
    this.securityGroupId = enforcement.securityGroupId;
    this.prefixListId = enforcement.prefixListId;
    this.listedSecurityGroupId = enforcement.listedSecurityGroupId;
    this.resources = enforcement.resources;
    outputs(this, {
      'security-group-id': {
        value: this.securityGroupId,
        about: 'security group to attach to workloads that call the service',
      },
      'listed-security-group-id': {
        value: this.listedSecurityGroupId,
        about: 'security group over the prefix list, to attach to workloads that call the service',
      },
      'prefix-list-id': { value: this.prefixListId, about: 'for rules and routes of your own' },
    });
    this.link = {
      name: id,
      via: 'fixed-ip',
      baseUrl: props.baseUrl,
      apiHost: props.apiHost,
      expectedAddresses: this.addresses,
      expectedNetworks: [],
    };
  }
}

function dnsRules({ name, dnsServers = [] }: FixedIpEgressProps): AccessRule[] {
  return dnsServers.flatMap((cidr) =>
    (['udp', 'tcp'] as const).map((protocol) => ({
      via: 'fixed-ip' as const,
      direction: 'egress' as const,
      subject: name,
      peer: { kind: 'cidr' as const, cidr },
      protocol,
      ports: { first: 53, last: 53 },
      reason: 'names of the service',
    })),
  );
}

function egressProblems(props: FixedIpEgressProps): string[] {
  const { addresses, ports = [443], dnsServers = [] } = props;
  const before = FIXED_ADDRESSES.entries.length;
  return [
    ...(addresses === undefined ? [] : listProblems('addresses', addresses, before)),
    ...portProblems('ports', ports),
    ...urlProblems(props.baseUrl, ports),
    ...dnsServers.flatMap((cidr) => problemOf('dnsServers', cidr, parseCidr)),
    ...dnsServers
      .filter((cidr) => cidr.endsWith('/0'))
      .map((cidr) => `\`dnsServers\` must not be every address, got: "${cidr}"`),
  ];
}

function urlProblems(baseUrl: string, ports: readonly number[]): string[] {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search !== '') {
    return [`\`baseUrl\` must be https, host and port only, got: "${baseUrl}"`];
  }
  const port = url.port === '' ? 443 : Number(url.port);
  return ports.includes(port)
    ? []
    : [`\`ports\` must include the port of \`baseUrl\`, ${port}, got: ${ports.join(', ')}`];
}
