import { expect, test } from 'vitest';
import { review } from '../../src/review/review.js';
import { from, stackOf, TODAY, treeOf } from './trees.js';

const GROUP = 'volcenginecc_vpc_security_group';
const CLIENTS = '10.0.0.0/24';

const group = (network: string) => ({
  ingress_permissions: [
    {
      ...{ policy: 'accept', protocol: 'tcp', port_start: 443, port_end: 443, priority: 10 },
      ...{ cidr_ip: network, description: '' },
    },
  ],
  egress_permissions: [],
});

/** The access rule of some clients, which groups carry. */
const stated = (carriers: readonly string[]) =>
  from(CLIENTS, {
    ...{ via: 'plugin-endpoint-service', subject: 'orders' },
    carriers: carriers.map((name) => `${GROUP}.${name}`),
  });

/** Groups that have the name of one access rule. */
function tree(...networks: readonly string[]) {
  const groups = Object.fromEntries(networks.map((one, i) => [`own${i}`, group(one)]));
  const rule = stated(Object.keys(groups));
  return treeOf(stackOf([rule], { resource: { [GROUP]: groups } }));
}

const packets = (base: ReturnType<typeof tree>, head: ReturnType<typeof tree>) =>
  review(base, head, TODAY)
    .findings.flatMap(({ packet = [] }) => packet)
    .filter((packet) => packet.includes('10.0.0.1 → '));

test('one more place of a name opens nothing that was closed everywhere', () => {
  expect(packets(tree(CLIENTS), tree(CLIENTS, CLIENTS))).toEqual([
    `10.0.0.1 → orders:443 passed already, now also at ${GROUP}.own1`,
  ]);
  expect(packets(tree(CLIENTS, CLIENTS), tree(CLIENTS))).toEqual([
    `10.0.0.1 → orders:443 still passes, but not at ${GROUP}.own1`,
  ]);
});

test('a place that lets in others is none of the same packets', () => {
  const others = '10.0.0.128/25';
  expect(packets(tree(others), tree(others, CLIENTS))).toEqual([
    `10.0.0.1 → orders:443 was dropped, now passes at ${GROUP}.own1`,
  ]);
  expect(packets(tree(others, CLIENTS), tree(others))).toEqual([
    `10.0.0.1 → orders:443 passed, now is dropped at ${GROUP}.own1`,
  ]);
});

test.each([
  ['group sg-others', { cidr_ip: '', source_group_id: 'sg-others' }],
  ['somebody unknown (pl-others)', { cidr_ip: '', prefix_list_id: 'pl-others' }],
])('an address may be one of %s, whose members nobody knows', (name, peer) => {
  const [rule = {}] = group(CLIENTS).ingress_permissions;
  const named = { ...group(CLIENTS), ingress_permissions: [{ ...rule, ...peer }] };
  const other = treeOf(stackOf([stated(['own0'])], { resource: { [GROUP]: { own0: named } } }));
  expect(packets(tree(CLIENTS), other)).toEqual([
    expect.stringMatching(/^10\.0\.0\.1 → .*:443 passed, now may pass /),
  ]);
  expect(packets(tree(CLIENTS), other)[0]).toContain(`(Does the address belong to ${name}?)`);
  expect(packets(other, tree(CLIENTS))).toEqual([
    `10.0.0.1 → orders:443 may have passed, now passes (Does the address belong to ${name}?)`,
  ]);
  const port = { ...rule, ...peer, port_start: 80, port_end: 80 };
  const elsewhere = { ...named, ingress_permissions: [port] };
  const apart = treeOf(stackOf([stated(['own0'])], { resource: { [GROUP]: { own0: elsewhere } } }));
  expect(packets(tree(CLIENTS), apart)).toEqual([
    expect.stringMatching(/:443 passed, now is dropped$/),
  ]);
});

const FIREWALL = 'volcenginecc_fwcenter_control_policy';
const CALLER = '203.0.113.7/32';

const policy = (action: string, source: string) => ({
  ...{ action, direction: 'in', proto: 'TCP', dest_port: '443', status: true, prio: 1 },
  ...{ source, source_type: 'net', destination: '47.1.1.1/32', destination_type: 'net' },
  ...{ repeat_type: 'Permanent', description: '' },
});

/** A firewall and a group that are passed one after the other, and have one name. */
function series(group0: object, ...policies: readonly object[]) {
  const rules = [CALLER, '10.9.0.0/16'].map((one) =>
    from(one, {
      ...{ via: 'fixed-ip-ingress', subject: 'orders' },
      carriers: [`${GROUP}.own0`, ...policies.map((_, i) => `${FIREWALL}.own${i}`)],
    }),
  );
  const firewall = Object.fromEntries(policies.map((one, i) => [`own${i}`, one]));
  return treeOf(stackOf(rules, { resource: { [GROUP]: { own0: group0 }, [FIREWALL]: firewall } }));
}

test('a firewall in front of a place is no other place', () => {
  const accepts = policy('accept', CALLER);
  const told = (...trees: Parameters<typeof packets>) =>
    review(...trees, TODAY)
      .findings.flatMap(({ packet = [] }) => packet)
      .filter((packet) => packet.includes('203.0.113.7 → '));
  expect(told(series(group('10.9.0.0/16'), accepts), series(group(CALLER), accepts))).toEqual([
    '203.0.113.7 → orders:443 was dropped, now passes',
  ]);
  expect(told(series(group(CALLER), accepts), series(group('10.9.0.0/16'), accepts))).toEqual([
    '203.0.113.7 → orders:443 passed, now is dropped',
  ]);
});

test('a place that a network ACL closes lets nobody through already', () => {
  const SUBNET = 'subnet-1';
  const eni = (own: string, subnet: string) => ({
    ...{ subnet_id: subnet, security_group_ids: [`\${${GROUP}.${own}.id}`] },
  });
  const drop = { policy: 'drop', protocol: 'all', port: '-1/-1', cidr_ip: CLIENTS };
  const guarded = (...networks: readonly string[]) => {
    const groups = Object.fromEntries(networks.map((one, i) => [`own${i}`, group(one)]));
    const rule = stated(Object.keys(groups));
    const resource = {
      [GROUP]: groups,
      volcenginecc_vpc_eni: { own0: eni('own0', SUBNET), own1: eni('own1', 'subnet-2') },
      volcenginecc_vpc_network_acl: {
        own: { resources: [{ resource_id: SUBNET }], ingress_acl_entries: [drop] },
      },
    };
    return treeOf(stackOf([rule], { resource }));
  };
  expect(packets(guarded(CLIENTS, '10.9.0.0/16'), guarded(CLIENTS, CLIENTS))).toEqual([
    '10.0.0.1 → orders:443 was dropped, now passes at volcenginecc_vpc_eni.own1',
  ]);
});
