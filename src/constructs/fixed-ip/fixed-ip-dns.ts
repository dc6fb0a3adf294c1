import type { AccessRule } from '../../access/access-rule.js';
import { parseCidr } from '../../net/cidr.js';
import { literalProblems, problemOf } from '../mistakes/literal.js';
import { enforcement, type FixedIpTargets, hasGroups } from './fixed-ip-enforcement.js';

interface DnsProps extends FixedIpTargets {
  readonly name: string;
}

/** Closed egress closes DNS as well: the rules that let name servers through. */
export function dnsRules(props: DnsProps, dnsServers: readonly string[]): AccessRule[] {
  const { name, enforcedElsewhere } = props;
  return dnsServers.flatMap((cidr) =>
    (['udp', 'tcp'] as const).map((protocol) => ({
      via: 'fixed-ip' as const,
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

/** @param property that names the servers */
export function dnsProblems(
  property: string,
  servers: readonly string[],
  targets: FixedIpTargets,
): string[] {
  const unknown = literalProblems(property, servers);
  if (unknown.length > 0) return unknown;
  const isEnforced = hasGroups(targets) || Boolean(targets.enforcedElsewhere?.trim());
  return [
    ...(servers.length > 0 && !isEnforced
      ? [
          `\`${property}\` must have a new security group that lets name servers through, or what does in \`enforcedElsewhere\`, got: neither`,
        ]
      : []),
    ...servers.flatMap((cidr) => problemOf(property, cidr, parseCidr)),
    ...servers
      .filter((cidr) => cidr.endsWith('/0'))
      .map((cidr) => `\`${property}\` must not be every address, got: "${cidr}"`),
  ];
}
