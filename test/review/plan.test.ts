import { describe, expect, test } from 'vitest';
import { reviewReportSchema } from '../../src/review/report-schema.js';
import {
  junitReport,
  markdownReport,
  sarifReport,
  textReport,
} from '../../src/review/reports/document.js';
import { type Planned, planText, reviewWithPlan } from './plans.js';
import { from, reviewOfTerraform } from './trees.js';

const GROUP = 'volcenginecc_vpc_security_group.endpoint';
const CALCULATED = '${cidrsubnet("10.0.0.0/8", 8, 1)}';

function permission(cidr: unknown, change: Record<string, unknown> = {}) {
  return {
    ...{ cidr_ip: cidr, source_group_id: '', prefix_list_id: '', description: '' },
    ...{ protocol: 'tcp', port_start: 443, port_end: 443 },
    ...{ policy: 'accept', priority: 1, direction: 'ingress', ...change },
  };
}

/** A group with one outward rule that opens nothing, so that only what comes in is reported. */
function group(...ingress: readonly unknown[]) {
  const nothing = permission('127.0.0.1/32', { policy: 'drop', direction: 'egress' });
  const body = { vpc_id: 'vpc-1', ingress_permissions: ingress, egress_permissions: [nothing] };
  return { volcenginecc_vpc_security_group: { endpoint: body } };
}

/** The inward rules of the group in a plan. */
function planned(ingress: readonly unknown[], more: Planned = {}): Record<string, Planned> {
  return { [GROUP]: { actions: ['update'], ...more, after: { ingress_permissions: ingress } } };
}

const known = permission('10.0.0.0/24');
const before = { resource: group(known) };
const after = group(known, permission('10.1.0.0/16'));
const rules = ['10.0.0.0/24', '10.1.0.0/16'].map((one) => from(one, { carriers: [GROUP] }));
const values = planned([permission('10.1.0.0/16'), known]);

function reviewed(plan = planText(after, values)) {
  return reviewWithPlan(before, { resource: after }, plan, rules, rules.slice(0, 1));
}

test.each<[what: string, plan: Record<string, Planned>]>([
  ['is planned', values],
  [
    'is a secret alone',
    planned([known, permission('10.9.9.0/24')], {
      sensitive: { ingress_permissions: [{}, { cidr_ip: true }] },
    }),
  ],
])('an expression of a tree that %s stays unread beside a plan, and is printed nowhere', (_, plan) => {
  const after = group(known, permission(CALCULATED));
  const report = reviewWithPlan(before, { resource: after }, planText(after, plan), rules);
  expect(report.findings.map(({ kind }) => kind)).toContain('unread');
  const written = [textReport, markdownReport, sarifReport, junitReport, JSON.stringify];
  for (const write of written) expect(write(report)).not.toContain('10.9.9.');
});

test('the digest is that of the files, which the check of a deploy reads', () => {
  const { digests } = reviewed();
  expect(digests[0]?.head).toBe(reviewOfTerraform(before, { resource: after }).digests[0]?.head);
});

describe('what a deploy does', () => {
  test('is beside each row, in every format, and in the total', () => {
    const report = reviewed();
    expect(report.findings[0]?.planned).toEqual({
      import: 0,
      add: 0,
      change: 1,
      replace: 0,
      destroy: 0,
    });
    expect(report.plans).toEqual([
      { stack: 'api-access', import: 0, add: 0, change: 1, replace: 0, destroy: 0 },
    ]);
    expect(reviewReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(textReport(report).replaceAll(/\s+/g, ' ')).toContain(
      'What the plans do, in numbers of objects stack to import to add to change to replace to destroy api-access 0 0 1 0 0',
    );
    for (const write of [textReport, markdownReport, sarifReport, junitReport]) {
      expect(write(report)).toContain('plan: 1 to change');
    }
    const widths = markdownReport(report)
      .split('\n')
      .filter((line) => line.startsWith('| ---'))
      .map((line) => line.split('|').length - 2);
    expect(Math.max(...widths)).toBeLessThanOrEqual(6);
  });

  test('to a resource with several instances, to a deposed object and to what has moved is added up', () => {
    const plan = JSON.parse(planText(after, values));
    const change = (address: string, actions: string[], more: object = {}) => ({
      ...{ address, mode: 'managed', type: 'volcenginecc_vpc_security_group' },
      ...{ change: { actions }, ...more },
    });
    plan.resource_changes.push(
      change(GROUP, ['delete'], { deposed: '1f2e' }),
      change(`${GROUP}["a[b]"]`, ['create', 'delete']),
      change('volcenginecc_vpc_security_group.other', ['no-op'], { previous_address: GROUP }),
      change('volcenginecc_vpc_security_group.third', ['create'], { previous_address: GROUP }),
    );
    const [first] = reviewed(JSON.stringify(plan)).findings.filter(({ kind }) => kind === 'access');
    expect(first?.planned).toEqual({ import: 0, add: 1, change: 1, replace: 1, destroy: 1 });
  });

  test('and what the trees do not tell has a row of its own', () => {
    const endpoint = { vpc_id: 'vpc-1', service_id: 's', security_group_ids: ['sg-1'] };
    const resource = { volcenginecc_privatelink_vpc_endpoint: { own: endpoint } };
    const address = 'volcenginecc_privatelink_vpc_endpoint.own';
    const actions = ['delete', 'create'];
    const text = planText(resource, { [address]: { actions, replacePaths: [['vpc_id']] } });
    const { decision, findings } = reviewWithPlan({ resource }, { resource }, text);
    expect(decision).toBe('needs-approval');
    expect(findings).toMatchObject([
      {
        kind: 'disruption',
        resource: address,
        what: 'vpc_id',
        after: 'replaced',
        planned: { replace: 1 },
      },
    ]);
  });
});
