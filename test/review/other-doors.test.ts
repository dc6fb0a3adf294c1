import { expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

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
