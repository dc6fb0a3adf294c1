import { describe, expect, test } from 'vitest';
import type { AccessRule, Peer } from '../../src/access/access-rule.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { addressBookName } from '../../src/constructs/rules/ruled-firewall.js';
import {
  RuledSecurityGroup,
  type RuledSecurityGroupProps,
} from '../../src/constructs/rules/ruled-security-group.js';
import { decide } from '../../src/sandbox/network/firewalls.js';
import { onlyResource, resources, synth } from '../support/synth.js';

function rule(peer: Peer, change: Partial<AccessRule> = {}): AccessRule {
  return {
    via: 'plugin-endpoint-service',
    direction: 'ingress',
    subject: 'orders',
    peer,
    protocol: 'tcp',
    ports: { first: 443, last: 443 },
    reason: 'test',
    ...change,
  };
}

function group(...rules: AccessRule[]) {
  return synth((stack) => {
    new RuledSecurityGroup(stack, 'group', {
      vpcId: 'vpc-1',
      name: 'g',
      description: 'test',
      rules,
    });
  });
}

test('a group says exactly what the rules say, whatever their order', () => {
  const rules = [
    rule({ kind: 'group', group: 'sg-1' }),
    rule({ kind: 'cidr', cidr: '10.0.0.0/16' }, { ports: { first: 80, last: 81 } }),
    rule({ kind: 'cidr', cidr: '9.0.0.0/16' }, { protocol: 'icmp', direction: 'egress' }),
  ];
  const made = group(...rules);
  expect(group(...rules.toReversed(), ...rules).text).toBe(made.text);
  expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
    ingress_permissions: [
      { cidr_ip: '10.0.0.0/16', protocol: 'tcp', port_start: 80, port_end: 81 },
      { source_group_id: 'sg-1', port_start: 443 },
    ],
    egress_permissions: [{ cidr_ip: '9.0.0.0/16', protocol: 'icmp', port_start: -1, port_end: -1 }],
  });
});

test('a group waits for the subnets of its VPC where the stack makes them', () => {
  const props = { name: 'g', description: 'test', rules: [] };
  const made = synth((stack) => {
    const network = new PrivateNetwork(stack, 'own', {
      network: { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
    });
    const existing = PrivateNetwork.fromAttributes(stack, 'other', {
      vpcId: 'vpc-1',
      cidrs: ['10.1.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.1.1.0/24' } },
    });
    new RuledSecurityGroup(stack, 'in-own', { ...props, vpcId: network.vpcId });
    new RuledSecurityGroup(stack, 'in-other', { ...props, vpcId: existing.vpcId });
  });
  const groups = Object.entries(resources(made, 'volcenginecc_vpc_security_group'));
  expect(groups.map(([name, { depends_on }]) => [name.split('_')[0], depends_on])).toEqual([
    ['in-other', undefined],
    [
      'in-own',
      [
        'volcenginecc_vpc_vpc.own',
        expect.stringMatching(/^volcenginecc_vpc_subnet\.own_cn-beijing-a_/),
      ],
    ],
  ]);
});

describe('beside a group of its own, a workload', () => {
  const accept = { Policy: 'accept', Protocol: 'all', PortStart: -1, PortEnd: -1, Priority: 100 };
  const own = ['0.0.0.0/0', '::/0'].map((CidrIp) => ({ ...accept, CidrIp }));
  const sides = ['203.0.113.9', '2001:db8:1::9'];

  /** The outcome of connections to and from others, once a group with these rules is attached. */
  function decisions(direction: 'ingress' | 'egress', props: Partial<RuledSecurityGroupProps>) {
    const made = synth((stack) => {
      new RuledSecurityGroup(stack, 'group', {
        vpcId: 'vpc-1',
        name: 'g',
        description: 'test',
        rules: [rule({ kind: 'cidr', cidr: '10.0.0.0/16' })],
        ...props,
      });
    });
    const written = onlyResource(made, 'volcenginecc_vpc_security_group')[
      `${direction}_permissions`
    ] as Record<string, string | number>[];
    const attached = written.map((each) => ({
      CidrIp: each.cidr_ip ?? '',
      Policy: each.policy ?? '',
      Protocol: each.protocol ?? '',
      PortStart: each.port_start ?? 0,
      PortEnd: each.port_end ?? 0,
      Priority: each.priority ?? 0,
    }));
    return sides.map((peer) =>
      decide([...own, ...attached], { peer, peerGroups: [], port: 443, networksOf: () => [] }),
    );
  }

  test.each(['ingress', 'egress'] as const)('keeps its %s', (direction) => {
    expect(decisions(direction, {})).toEqual(['accept', 'accept']);
    const outward = {
      rules: [rule({ kind: 'cidr', cidr: '9.0.0.0/16' }, { direction: 'egress' })],
    };
    expect(decisions(direction, outward)).toEqual(['accept', 'accept']);
  });

  test.each(['ingress', 'egress'] as const)('loses its %s to a group that closes it', (closed) => {
    expect(decisions(closed, { closed: [closed] })).toEqual(['drop', 'drop']);
  });
});

test.each<Peer>([
  { kind: 'account', account: '2100000000' },
  { kind: 'endpoint', endpoint: 'ep-1' },
])('a group refuses a peer that it could only let everyone in for: $kind', (peer) => {
  expect(() => group(rule(peer))).toThrow(
    `\`rules\` must name a network or a group in a security group, got: ${peer.kind}`,
  );
});

// Six digits of what the group is made of for good follow the name.
test('a name of more bytes than the provider takes is refused, though its characters are few', () => {
  const named = (name: string) =>
    synth((stack) => {
      const props = { vpcId: 'vpc-1', description: 'test', rules: [] };
      new RuledSecurityGroup(stack, 'group', { name, ...props });
    });
  expect(() => named('智'.repeat(40))).not.toThrow();
  expect(() => named('智'.repeat(41))).toThrow('`securityGroupName` must be 1 to 128 bytes long');
});

test.each([
  ['agent.api', 'agent-api-service'],
  ['智能体', '智能体-service'],
])('the address book of %s has a name that the firewall takes', (name, book) => {
  expect(addressBookName(name, 'service')).toBe(book);
});

test.each([
  'a'.repeat(100),
  '智'.repeat(33),
])('long names of address books fit and differ: %s', (stem) => {
  const names = [stem, `${stem.slice(0, -1)}b`].flatMap((one) => [
    addressBookName(one, 'service'),
    addressBookName(one, 'own'),
  ]);
  expect(new Set(names).size).toBe(4);
  for (const name of names) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(64);
    expect(name).toMatch(/^[a智]+-[0-9a-f]{8}-(service|own)$/u);
  }
});
