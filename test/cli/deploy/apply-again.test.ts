import { expect, test } from 'vitest';
import { isApproved, takesDefaultRule } from '../../../src/cli/deploy/approval/apply-again.js';
import { planSchema, type ResourceChange } from '../../../src/terraform/plan-json.js';

const TYPE = 'volcenginecc_vpc_security_group';

function changed(actions: readonly string[], change: object, address = `${TYPE}.own`) {
  const one = { address, mode: 'managed', type: TYPE, change: { actions, ...change } };
  const configuration = { root_module: {} };
  return planSchema.parse({ resource_changes: [one], configuration })
    .resource_changes[0] as ResourceChange;
}

const rule = (policy: string, cidr_ip: string, facts: object = {}) => ({
  ...{ policy, cidr_ip, protocol: 'all', priority: 100, description: '' },
  ...facts,
});
const OWN = rule('drop', '0.0.0.0/0');
const DEFAULTS = [rule('accept', '0.0.0.0/0'), rule('accept', '::/0')];
const made = [changed(['create'], { after: { egress_permissions: [OWN] } })];
const taking = (before: object, after: object = { egress_permissions: [OWN] }) =>
  changed(['update'], { before, after });

test.each<[what: string, change: ResourceChange, approved: ResourceChange[], is: boolean]>([
  ['the rule of both families', taking({ egress_permissions: [OWN, ...DEFAULTS] }), made, true],
  [
    'a group that the deploy did not make',
    taking({ egress_permissions: [OWN, ...DEFAULTS] }),
    [],
    false,
  ],
  [
    'another rule besides',
    taking({ egress_permissions: [OWN, ...DEFAULTS, rule('accept', '10.0.0.0/8')] }),
    made,
    false,
  ],
  [
    'a rule at another priority',
    taking({ egress_permissions: [OWN, rule('accept', '0.0.0.0/0', { priority: 1 })] }),
    made,
    false,
  ],
  [
    'a rule that it adds as well',
    taking(
      { egress_permissions: [OWN, ...DEFAULTS] },
      { egress_permissions: [OWN, rule('accept', '10.0.0.0/8')] },
    ),
    made,
    false,
  ],
  [
    'another attribute besides',
    taking(
      { egress_permissions: [OWN, ...DEFAULTS], description: 'a' },
      { egress_permissions: [OWN], description: 'b' },
    ),
    made,
    false,
  ],
  [
    'a replacement',
    changed(['delete', 'create'], {
      before: { egress_permissions: [OWN, ...DEFAULTS] },
      after: { egress_permissions: [OWN] },
    }),
    made,
    false,
  ],
])('takes away nothing but the default rule of a new group: %s', (_, change, approved, is) => {
  expect(takesDefaultRule(change, approved)).toBe(is);
});

const replaced = changed(['create', 'delete'], {
  after: { name: 'a', rules: [{ id: null }], ports: [1] },
  after_unknown: { id: true, rules: [{ id: true }], ports: [false] },
});

test.each<[what: string, change: ResourceChange, is: boolean]>([
  ['the same', replaced, true],
  ['a part of it', changed(['delete'], { after: null }), true],
  ['what is known by now', changed(['create'], { after: { id: '1', rules: [{ id: '2' }] } }), true],
  ['another value', changed(['create'], { after: { name: 'b' } }), false],
  ['another value in a list', changed(['create'], { after: { ports: [2] } }), false],
  ['another action', changed(['update'], { after: { name: 'a' } }), false],
  ['another object', changed(['create'], { after: { name: 'a' } }, `${TYPE}.other`), false],
])('does what was approved: %s', (_, change, is) => {
  expect(isApproved(change, [replaced])).toBe(is);
});
