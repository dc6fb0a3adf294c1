import type { SynthesizedTree } from '../../../src/reach/read/read-tree.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';

/** Shapes of so many rules: each strains another part of a review. */
export const SHAPES = [
  'one address each, a tenth changed',
  'nested networks, all ports changed',
  'a group for each ten rules',
  'firewall policies, each with its own address',
] as const;

export type Shape = (typeof SHAPES)[number];

/** One stack with so many rules, in Terraform and in its access rules. */
export function manyRules(shape: Shape, count: number, side: 'base' | 'head'): SynthesizedTree {
  const rules = Array.from({ length: count }, (_, i) => ruleOf(shape, i, side === 'head'));
  const name = 'many';
  const terraform = readTerraform({ resource: resourcesOf(shape, rules) });
  const access = {
    schema: 'secure-connectivity/access@1',
    stack: name,
    digest: '',
    rules: rules.map((rule, i) => ({ ...stated(rule), carriers: [carrierOf(shape, rule, i)] })),
  };
  return new Map([[name, { name, terraform, access }]]) as SynthesizedTree;
}

interface Rule {
  readonly cidr: string;
  readonly first: number;
  readonly last: number;
  readonly subject: string;
}

function ruleOf(shape: Shape, i: number, isHead: boolean): Rule {
  const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
  const subject = shape === 'a group for each ten rules' ? `group-${Math.floor(i / 10)}` : 'many';
  if (shape === 'nested networks, all ports changed') {
    const bits = 10 + (i % 20);
    const first = 1_000 + (i % 500) * 100;
    return { cidr: network(i * 7_919, bits), first, last: first + (isHead ? 51 : 50), subject };
  }
  const port = isHead && i % 10 === 0 ? 8443 : 443;
  return { cidr: `${address}/32`, first: port, last: port, subject };
}

function network(seed: number, bits: number): string {
  const size = 2 ** (32 - bits);
  const at = Math.floor((10 * 2 ** 24 + (seed % 2 ** 24)) / size) * size;
  return `${[24, 16, 8, 0].map((n) => Math.floor(at / 2 ** n) % 256).join('.')}/${bits}`;
}

function stated({ cidr, first, last, subject }: Rule) {
  return {
    ...{ via: 'fixed-ip-egress', direction: 'ingress', subject, protocol: 'tcp' },
    peer: { kind: 'cidr', cidr },
    ports: { first, last },
    reason: 'calls',
  };
}

function carrierOf(shape: Shape, { subject }: Rule, i: number): string {
  return shape === 'firewall policies, each with its own address'
    ? `volcenginecc_fwcenter_control_policy.policy-${i}`
    : `volcenginecc_vpc_security_group.${subject}`;
}

function resourcesOf(shape: Shape, rules: readonly Rule[]) {
  if (shape === 'firewall policies, each with its own address') {
    const policies = rules.map(({ cidr, first }, i) => [`policy-${i}`, policyOf(cidr, first, i)]);
    return { volcenginecc_fwcenter_control_policy: Object.fromEntries(policies) };
  }
  const groups = new Map<string, Rule[]>();
  for (const rule of rules) {
    const group = groups.get(rule.subject);
    if (group === undefined) groups.set(rule.subject, [rule]);
    else group.push(rule);
  }
  return {
    volcenginecc_vpc_security_group: Object.fromEntries(
      [...groups].map(([subject, own]) => [
        subject,
        { vpc_id: 'vpc-1', ingress_permissions: own.map(permissionOf), egress_permissions: [] },
      ]),
    ),
  };
}

function permissionOf({ cidr, first, last }: Rule) {
  return {
    ...{ cidr_ip: cidr, protocol: 'tcp', port_start: first, port_end: last },
    ...{ policy: 'accept', priority: 1, description: '', direction: 'ingress' },
  };
}

function policyOf(cidr: string, port: number, i: number) {
  return {
    ...{ action: 'accept', direction: 'in', source: cidr, source_type: 'net', proto: 'TCP' },
    ...{ destination: `47.1.${i >> 8}.${i & 255}/32`, destination_type: 'net' },
    ...{ dest_port: String(port), prio: 0, status: true, repeat_type: 'Permanent' },
  };
}
