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

/** Groups that open what one access rule states, and so have its name. */
function tree(...networks: readonly string[]) {
  const groups = Object.fromEntries(networks.map((one, i) => [`own${i}`, group(one)]));
  const rule = from(CLIENTS, { via: 'plugin-endpoint-service', subject: 'orders' });
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
    '10.0.0.1 → orders:443 was dropped, now passes',
  ]);
  expect(packets(tree(others, CLIENTS), tree(others))).toEqual([
    '10.0.0.1 → orders:443 passed, now is dropped',
  ]);
});
