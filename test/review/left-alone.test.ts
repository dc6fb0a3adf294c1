import { describe, expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

const LIST = 'volcenginecc_vpc_prefix_list';
const GROUP = 'volcenginecc_vpc_security_group';

const accept = (peer: object) => ({
  ...peer,
  policy: 'accept',
  priority: 10,
  protocol: 'tcp',
  port_start: 443,
  port_end: 443,
});
const closed = { cidr_ip: '0.0.0.0/0', policy: 'drop', priority: 100, protocol: 'all' };

const listOf = (...cidrs: readonly string[]) => ({
  [LIST]: { own: { prefix_list_entries: cidrs.map((cidr) => ({ cidr })) } },
});
const groupOf = (...peers: readonly object[]) => ({
  [GROUP]: { own: { ingress_permissions: peers.map(accept), egress_permissions: [closed] } },
});
const endpoint = {
  volcenginecc_privatelink_vpc_endpoint: {
    own: { security_group_ids: [`\${${GROUP}.own.security_group_id}`] },
  },
};
const listed = { prefix_list_id: `\${${LIST}.own.prefix_list_id}` };

function changesOf(base: object, head: object) {
  const { changes, summary } = reviewOfTerraform({ resource: base }, { resource: head });
  return { summary, changes: changes.map(({ effect, peer }) => `${effect} ${peer}`) };
}

describe('a list whose only user here goes away', () => {
  const base = { ...listOf('10.0.0.0/24'), ...groupOf(listed) };

  test('opens nothing to whoever uses it elsewhere', () => {
    expect(changesOf(base, listOf('10.0.0.0/24')).changes).toEqual(['narrows 10.0.0.0/24']);
  });

  test('opens what it newly holds', () => {
    expect(changesOf(base, listOf('10.0.0.0/23')).changes).toContain('widens 10.0.1.0/24');
  });
});

describe('a group whose endpoint goes away', () => {
  const base = { ...groupOf({ cidr_ip: '10.0.0.0/24' }), ...endpoint };

  test('opens nothing to whoever else is in it', () => {
    const { changes, summary } = changesOf(base, groupOf({ cidr_ip: '10.0.0.0/24' }));
    expect(changes).toEqual(['narrows 10.0.0.0/24']);
    expect(summary).not.toContain('newly reach');
  });

  test('opens what it newly accepts', () => {
    const { changes } = changesOf(base, groupOf({ cidr_ip: '10.0.0.0/23' }));
    expect(changes).toContain('widens 10.0.1.0/24');
  });
});

test('a group that an endpoint newly carries opens the endpoint', () => {
  const group = groupOf({ cidr_ip: '10.0.0.0/24' });
  expect(changesOf(group, { ...group, ...endpoint }).changes).toEqual(['widens 10.0.0.0/24']);
});

describe('an endpoint that carries a group of this tree and one made elsewhere', () => {
  const own = `\${${GROUP}.own.security_group_id}`;
  const carrying = (...ids: readonly string[]) => ({
    ...groupOf({ cidr_ip: '10.0.0.0/24' }),
    volcenginecc_privatelink_vpc_endpoint: { own: { security_group_ids: ids } },
  });
  const safeguards = (...ids: readonly string[]) =>
    reviewOfTerraform({ resource: carrying(own, 'sg-1') }, { resource: carrying(...ids) })
      .findings.filter(({ kind }) => kind === 'safeguard')
      .map(({ decision, consequence }) => `${decision}: ${consequence}`);

  test('needs approval to leave the decision to the other one alone', () => {
    expect(safeguards('sg-1')).toContain(
      'needs-approval: no group of this tree decides who may use the endpoint',
    );
  });

  test('may lose the one made elsewhere', () => {
    expect(safeguards(own)).toEqual([]);
  });
});
