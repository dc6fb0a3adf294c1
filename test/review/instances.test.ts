import { expect, test } from 'vitest';
import { stateAsTerraform } from '../../src/reach/read/state-file.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { foundStack } from '../../src/review/found/found-stack.js';
import { review } from '../../src/review/review.js';

const GROUP = 'volcenginecc_vpc_security_group';

function permission(cidr: string) {
  return {
    ...{ cidr_ip: cidr, description: 'orders', direction: 'ingress', policy: 'accept' },
    ...{ port_start: 443, port_end: 443, priority: 1, protocol: 'tcp' },
    ...{ prefix_list_id: '', source_group_id: '' },
  };
}

/** A tree whose group has instances, and the state of a deploy of it. */
function reviewed(more: object, instances: Readonly<Record<string, string>>) {
  const body = { vpc_id: 'vpc-1', ingress_permissions: [permission('10.20.0.0/16')], ...more };
  const terraform = readTerraform({ resource: { [GROUP]: { orders: body } } });
  const head = { name: 'api', terraform };
  const state = {
    resources: [
      {
        ...{ mode: 'managed', type: GROUP, name: 'orders' },
        instances: Object.entries(instances).map(([key, cidr]) => ({
          index_key: /^\d+$/.test(key) ? Number(key) : key,
          attributes: {
            ...{ id: `sg-${key}`, vpc_id: 'vpc-1', security_group_id: `sg-${key}` },
            ingress_permissions: [permission(cidr)],
          },
        })),
      },
    ],
  };
  const found = stateAsTerraform(state);
  const base = new Map([['api', foundStack(head, found, found)]]);
  const { findings } = review(base, new Map([['api', head]]), '2026-11-24');
  // The tree states no access rules, which is forbidden whatever changes.
  return findings.filter(({ decision }) => decision !== 'forbidden');
}

const OWN = '10.20.0.0/16';

test.each([
  ['count', { count: 2 }, { 0: OWN, 1: OWN }],
  ['for_each of an object', { for_each: { a: 1, 'b.c': 2 } }, { a: OWN, 'b.c': OWN }],
  [
    'for_each with keys that differ in one sign',
    { for_each: { 'b.c': 1, 'b/c': 2, 'b c': 3, 'b"c': 4 } },
    { 'b.c': OWN, 'b/c': OWN, 'b c': OWN, 'b"c': OWN },
  ],
  ['for_each of an expression', { for_each: `\${toset(["a", "b"])}` }, { a: OWN, b: OWN }],
])('instances by %s that are as the tree says are no change', (_, more, instances) => {
  expect(reviewed(more, instances)).toEqual([]);
});

test.each([
  ['with another rule', { count: 2 }, { 0: OWN, 1: '203.0.113.0/24' }],
  [
    'with a key that differs in one sign, and another rule,',
    { for_each: { 'b.c': 1, 'b/c': 2 } },
    { 'b.c': '203.0.113.0/24', 'b/c': OWN },
  ],
  ['too many', { count: 1 }, { 0: OWN, 1: OWN }],
])('an instance %s is a change', (_, more, instances) => {
  expect(reviewed(more, instances)).not.toEqual([]);
});
