import { expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

const policy = (change: object = {}) => ({
  volcenginecc_fwcenter_control_policy: {
    own: {
      ...{ action: 'deny', direction: 'in', proto: 'TCP', status: true, prio: 0 },
      ...{ source: '0.0.0.0/0', source_type: 'net', dest_port: '1/65535', repeat_type: 'Daily' },
      ...{ destination: '47.1.0.0/24', destination_type: 'net', description: 'closed at night' },
      ...change,
    },
  },
});

const ofCountry = { source: 'CN', source_type: 'location', repeat_type: 'Permanent' };

const drop = (port_end: number) => ({
  volcenginecc_vpc_security_group: {
    own: {
      ingress_permissions: [
        {
          ...{ policy: 'drop', priority: 1, protocol: 'tcp', port_start: 1, port_end },
          prefix_list_id: '${data.elsewhere.list.id}',
        },
        {
          ...{ policy: 'accept', priority: 10, protocol: 'tcp', port_start: 443, port_end: 443 },
          cidr_ip: '10.0.0.0/24',
        },
      ],
    },
  },
});

/** Findings that need approval; that no access rule states anything is beside the point. */
function approvals(base: object, head: object) {
  return reviewOfTerraform({ resource: base }, { resource: head })
    .findings.filter(({ decision }) => decision === 'needs-approval')
    .map(({ kind, what, consequence }) => `${kind} ${what}: ${consequence}`);
}

const AT_TIMES = 'unread action: when, to whom or on which ports it denies is not known';

test.each<[what: string, base: object, head: object, found: string]>([
  ['a deny at times that is new', {}, policy(), AT_TIMES],
  ['a deny at times that is gone', policy(), {}, AT_TIMES],
  ['a deny at times of less', policy(), policy({ source: '10.0.0.0/8' }), AT_TIMES],
  [
    'a deny of a country on fewer ports',
    policy(ofCountry),
    policy({ ...ofCountry, dest_port: '443' }),
    AT_TIMES,
  ],
  [
    'an accept at times that holds always',
    policy({ action: 'accept' }),
    policy({ action: 'accept', repeat_type: 'Permanent' }),
    'safeguard repeat_type: the policy applies at other times',
  ],
  [
    'a drop for an unknown list on fewer ports',
    drop(65_535),
    drop(80),
    'unread ingress_permissions: whom a drop is for is not known',
  ],
])('%s needs approval', (_, base, head, found) => {
  expect(approvals(base, head)).toContain(found);
  expect(approvals(head, head)).toEqual([]);
});

test('another description of a deny at times does not', () => {
  expect(approvals(policy(), policy({ description: 'closed at weekends' }))).toEqual([]);
});
