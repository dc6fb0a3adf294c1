import { expect, test } from 'vitest';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { review } from '../../src/review/review.js';
import { from, reviewOfTerraform, stackOf, TODAY, treeOf } from './trees.js';

const GROUP = 'volcenginecc_vpc_security_group';
const FIREWALL = 'Cloud Firewall, ingress of 0.0.0.0/0';

const accept = (cidr_ip: string) => ({
  ...{ policy: 'accept', protocol: 'tcp', port_start: 443, port_end: 443, priority: 10 },
  ...{ cidr_ip, description: '' },
});
const deny = {
  ...{ action: 'deny', direction: 'in', proto: 'ANY', status: true, prio: 1, description: 'x' },
  ...{ source: '203.0.113.0/24', source_type: 'net', repeat_type: 'Permanent' },
  ...{ destination: '0.0.0.0/0', destination_type: 'net' },
};

/** A group for calls out of networks, behind a firewall that denies one of them. */
const guarded = (networks: readonly string[], policy: object | undefined = deny) => ({
  resource: {
    [GROUP]: { own: { ingress_permissions: networks.map(accept), egress_permissions: [] } },
    ...(policy && { volcenginecc_fwcenter_control_policy: { own: policy } }),
  },
});

const packets = (...trees: Parameters<typeof reviewOfTerraform>) =>
  reviewOfTerraform(...trees).findings.flatMap(({ packet = [] }) => packet);

const DENIED = ['10.0.0.0/24', '203.0.113.0/24'];
const OTHER = ['10.0.0.0/24', '198.51.100.0/24'];
const [CALL, FROM_OTHER, FROM_INSIDE] = ['203.0.113.1', '198.51.100.1', '10.0.0.1'].map(
  (from) => `${from} → ${GROUP}.own:443`,
);

test.each<[what: string, trees: Parameters<typeof reviewOfTerraform>, told: string]>([
  [
    'a group opens what a firewall in front of it denies',
    [guarded(['10.0.0.0/24']), guarded(DENIED)],
    `${CALL} does not pass yet: ${FIREWALL} drops it`,
  ],
  [
    'a group closes it',
    [guarded(DENIED), guarded(['10.0.0.0/24'])],
    `${CALL} did not pass before: ${FIREWALL} dropped it`,
  ],
  [
    'a group opens what no policy denies',
    [guarded(['10.0.0.0/24']), guarded(OTHER)],
    `${FROM_OTHER} was dropped, now passes`,
  ],
  [
    'a group opens what a firewall does not see',
    [guarded(['198.51.100.0/24']), guarded(OTHER)],
    `${FROM_INSIDE} was dropped, now passes`,
  ],
  [
    'it is not certain that the firewall denies',
    [
      guarded(['10.0.0.0/24'], { ...deny, repeat_type: 'Weekly' }),
      guarded(DENIED, { ...deny, repeat_type: 'Weekly' }),
    ],
    `${CALL} was dropped, now may pass (When and on what does volcenginecc_fwcenter_control_policy.own decide?)`,
  ],
  [
    'both are opened at once',
    [guarded(['10.0.0.0/24']), guarded(DENIED, { ...deny, source: '192.0.2.0/24' })],
    `${CALL} was dropped, now passes`,
  ],
])('a review says what becomes of a packet on its whole way: %s', (_, trees, told) => {
  expect(packets(...trees)).toContain(told);
});

/** The row of what the firewall denies in one of two trees. */
const denial = ({ findings }: ReturnType<typeof review>) =>
  findings.find(({ kind, packet }) => kind === 'safeguard' && packet !== undefined)?.packet;
const off = { ...deny, status: false };

test.each([
  ['lifted', deny, off, 'was dropped, now may pass (no policy of the tree is for it)'],
  ['new', off, deny, 'may have passed, now is dropped (no policy of the tree is for it)'],
])('of a firewall alone nobody knows what is there without a policy: one that is %s', (_, was, now, says) => {
  const found = denial(reviewOfTerraform(guarded(DENIED, was), guarded(DENIED, now)));
  expect(found).toBe(`203.0.113.1 → ${FIREWALL}:443 ${says}`);
});

/** A firewall before a group, both of which carry the rules of one subject. */
const named = (network: string, policy: object) => {
  const carriers = [`${GROUP}.own`, 'volcenginecc_fwcenter_control_policy.own'];
  const rules = ['203.0.113.0/24', '198.51.100.0/24'].map((one) =>
    from(one, { via: 'fixed-ip-ingress', subject: 'orders', carriers }),
  );
  return treeOf(stackOf(rules, guarded([network], policy)));
};

test.each([
  ['lifted', '203.0.113.0/24', deny, off, 'was dropped, now passes'],
  ['new', '203.0.113.0/24', off, deny, 'passed, now is dropped'],
  [
    'lifted before a closed group',
    '10.9.0.0/16',
    deny,
    off,
    `does not pass yet: ${GROUP}.own drops it`,
  ],
  [
    'new before a closed group',
    '10.9.0.0/16',
    off,
    deny,
    `did not pass before: ${GROUP}.own dropped it`,
  ],
])('the last policy before a group, and the first: a denial that is %s', (_, network, was, now, says) => {
  const report = review(named(network, was), named(network, now), TODAY);
  const packets = report.findings.flatMap(({ kind, packet = '' }) =>
    kind === 'safeguard' ? packet : [],
  );
  expect(packets.filter((one) => one.includes(' → orders:')).join()).toContain(says);
});

test('a rule of one instance of a module says nothing of that of another', () => {
  const tree = (...open: readonly string[]) => {
    const resources = ['', 'module.a.'].map((path) => ({
      ...{ address: `${path}${GROUP}.own`, kind: 'resource' as const, type: GROUP },
      body: {
        ingress_permissions: [
          '10.0.0.0/24',
          ...(open.includes(path) ? ['198.51.100.0/24'] : []),
        ].map(accept),
        egress_permissions: [],
      },
    }));
    return treeOf({ name: 'modules', terraform: { ...readTerraform({}), resources } });
  };
  const { findings } = review(tree(), tree(''), TODAY);
  expect(findings.filter(({ kind }) => kind === 'access')).toMatchObject([
    { resource: `${GROUP}.own`, passes: { before: 'closed', after: 'reachable' } },
  ]);
});
