import { expect, test } from 'vitest';
import { describeFinding } from '../../src/review/decision/summary.js';
import { exitOf } from '../../src/review/review.js';
import { reviewOfTerraform } from './trees.js';

const LIST = 'volcenginecc_vpc_prefix_list';
const GROUP = 'volcenginecc_vpc_security_group';

/** A list that no rule uses, and a group whose other attributes say what a test gives. */
function tree(cidr: string, group: Record<string, unknown> = {}) {
  const entries = { prefix_list_entries: [{ cidr, description: '' }], max_entries: 5 };
  const rule = { description: '', policy: 'drop', protocol: 'all', priority: 1 };
  const ingress = [{ ...rule, port_start: -1, port_end: -1, cidr_ip: '0.0.0.0/0' }];
  return {
    resource: {
      [LIST]: { partners: entries },
      [GROUP]: { own: { ingress_permissions: ingress, egress_permissions: ingress, ...group } },
    },
  };
}

const NAMES = `\${${LIST}.partners.prefix_list_id}`;

test.each<[what: string, group: Record<string, unknown>]>([
  ['nothing names', {}],
  ['a tag names', { tags: [{ key: 'list', value: NAMES }] }],
  ['a description names', { description: `for ${NAMES}` }],
  ['a project name holds', { project_name: NAMES }],
])('a list that %s needs approval when it is widened', (_, group) => {
  const report = reviewOfTerraform(tree('10.0.0.0/24', group), tree('0.0.0.0/0', group));
  expect(exitOf(report)).toBeGreaterThanOrEqual(3);
  const same = reviewOfTerraform(tree('10.0.0.0/24', group), tree('10.0.0.0/24', group));
  expect(exitOf(same)).toBe(0);
});

test('a list whose rule finds it is judged by that rule alone', () => {
  const drop = {
    ...{ description: '', policy: 'drop', protocol: 'all', priority: 1 },
    ...{ port_start: -1, port_end: -1, prefix_list_id: NAMES },
  };
  const used = { ingress_permissions: [drop] };
  const report = reviewOfTerraform(tree('10.0.0.0/24', used), tree('10.0.0.0/25', used));
  expect(exitOf(report)).toBe(0);
});

test.each([
  [LIST, 'prefix list', 'prefix_list_entries', 'cidr'],
  ['volcenginecc_clb_acl', 'access list', 'acl_entries', 'entry'],
])('a %s that nothing uses opens access to the rules that refer to it', (type, noun, list, key) => {
  const of = (address: string) => ({
    resource: { [type]: { partners: { [list]: [{ [key]: address }] } } },
  });
  const { findings } = reviewOfTerraform(of('10.0.0.0/24'), of('10.0.0.0/16'));
  const text = findings.map(describeFinding).join('\n');
  expect(text).toContain(`rules that refer to the ${noun} ${type}.partners`);
});
