import { expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

const memory = (zone: string) => ({ input: { zone } });
const subnet = (cidr: string, remembers: string, zone: string) => ({
  cidr_block: cidr,
  lifecycle: {
    precondition: [
      {
        condition: `\${terraform_data.${remembers}.output.zone == "${zone}"}`,
        error_message: 'no',
      },
    ],
  },
});

/** Two subnets, each with what it remembers; the second one's can be another's. */
function stack(second = subnet('10.0.1.0/24', 'b', 'zone-b')) {
  return {
    resource: {
      terraform_data: { a: memory('zone-a'), b: memory('zone-b') },
      volcenginecc_vpc_subnet: { a: subnet('10.0.0.0/24', 'a', 'zone-a'), b: second },
    },
  };
}

function safeguards(head: Record<string, unknown>) {
  return reviewOfTerraform(stack(), head)
    .findings.filter(({ what }) => what.includes('precondition'))
    .map(({ decision, kind, resource }) => `${decision}: ${kind} of ${resource}`);
}

test('the condition of another resource in place of its own needs approval', () => {
  expect(safeguards(stack(subnet('10.0.1.0/24', 'a', 'zone-a')))).toContain(
    'needs-approval: safeguard of volcenginecc_vpc_subnet.b',
  );
});

test('what a resource waits for is no change of access', () => {
  const waiting = stack();
  const { a, b } = waiting.resource.volcenginecc_vpc_subnet;
  const later = { ...b, depends_on: ['volcenginecc_vpc_subnet.a'] };
  const head = { resource: { ...waiting.resource, volcenginecc_vpc_subnet: { a, b: later } } };
  expect(reviewOfTerraform(stack(), head).findings).toEqual([]);
  const onData = { ...b, depends_on: ['data.volcenginecc_vpc_subnet.a'] };
  const guarded = { resource: { ...waiting.resource, volcenginecc_vpc_subnet: { a, b: onData } } };
  expect(reviewOfTerraform(guarded, stack()).findings).not.toEqual([]);
});

test('of a type that is not known, everything is one row', () => {
  const unknown = (lifecycle: object) => ({ resource: { other_thing: { a: { lifecycle } } } });
  const { findings } = reviewOfTerraform(unknown({ prevent_destroy: true }), unknown({}));
  expect(findings.map(({ kind, what, code }) => [kind, what, code])).toEqual([
    ['unread', 'all of it', 'policy.unread'],
  ]);
});

test('words in the identity of safeguards stay as they are, or alerts are raised again', () => {
  const endpoint = (...groups: string[]) => ({
    resource: {
      volcenginecc_vpc_security_group: { own: {} },
      volcenginecc_privatelink_vpc_endpoint: {
        a: { security_group_ids: groups, lifecycle: { prevent_destroy: groups.length > 1 } },
      },
    },
  });
  const own = '${volcenginecc_vpc_security_group.own.security_group_id}';
  const { findings } = reviewOfTerraform(endpoint(own, 'sg-1'), endpoint('sg-1'));
  const safeguards = findings.filter(({ kind }) => kind === 'safeguard');
  expect(safeguards.map(({ identity }) => identity)).toEqual([
    ['groups', '', 'made elsewhere alone'],
    ['prevent_destroy', 'on', ''],
  ]);
});

test('a condition of its own that remembers something else does not', () => {
  const head = stack(subnet('10.0.2.0/24', 'c', 'zone-b'));
  Object.assign(head.resource.terraform_data, { c: memory('zone-b') });
  expect(safeguards(head)).toEqual([]);
});
