import { accessModel } from '../../../src/access/access-model.js';
import type { AccessRule } from '../../../src/access/access-rule.js';
import type { Json } from './evaluator.js';

/** A stack in which Terraform opens what the access rules state: a group for each subject. */
export function consistentStack(rules: readonly AccessRule[]) {
  const own = rules.filter(({ peer }) => peer.kind === 'cidr');
  const groups = ['service-endpoint', 'fixed-ip-egress'].flatMap((via) =>
    ['a', 'b'].map((subject) => {
      const mine = own.filter((rule) => rule.via === via && rule.subject === subject);
      return [`${via}-${subject}`, groupOf(mine)] as const;
    }),
  );
  const json: Json = { resource: { volcenginecc_vpc_security_group: Object.fromEntries(groups) } };
  return { json, access: JSON.parse(JSON.stringify(accessModel('pair', own))) };
}

function groupOf(rules: readonly AccessRule[]): Json {
  const permissions = (direction: string) => [
    ...rules.filter((rule) => rule.direction === direction).map(permissionOf),
    ...['0.0.0.0/0', '::/0'].map((cidr) => closed(cidr, direction)),
  ];
  return {
    vpc_id: 'vpc-1',
    ingress_permissions: permissions('ingress'),
    egress_permissions: permissions('egress'),
  };
}

function permissionOf({ peer, protocol, ports, direction, reason }: AccessRule): Json {
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  return {
    cidr_ip: peer.kind === 'cidr' ? peer.cidr : '',
    protocol: protocol === 'any' ? 'all' : protocol,
    port_start: hasPorts ? ports.first : -1,
    port_end: hasPorts ? ports.last : -1,
    policy: 'accept',
    priority: 1,
    direction,
    description: reason,
  };
}

function closed(cidr: string, direction: string): Json {
  const ports = { port_start: -1, port_end: -1 };
  const rule = { cidr_ip: cidr, protocol: 'all', policy: 'drop', priority: 100, description: '' };
  return { ...rule, ...ports, direction };
}
