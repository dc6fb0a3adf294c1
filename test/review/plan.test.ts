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
const after = group(known, permission(CALCULATED));
const rules = ['10.0.0.0/24', '10.1.0.0/16'].map((one) => from(one, { carriers: [GROUP] }));
const values = planned([permission('10.1.0.0/16'), known]);

function reviewed(plan = planText(after, values)) {
  return reviewWithPlan(before, { resource: after }, plan, rules, rules.slice(0, 1));
}

describe('an expression that a change brings', () => {
  test('is unread without a plan, and read with one', () => {
    const without = reviewOfTerraform(before, { resource: after });
    expect(without.findings.map(({ kind }) => kind)).toContain('unread');
    const { findings } = reviewed();
    expect(findings.map(({ kind, who, what }) => [kind, who, what])).toEqual([
      ['access', '10.1.0.0/16', 'endpoint, tcp 443'],
    ]);
  });

  test('that opens what no rule states is forbidden', () => {
    const wider = planned([permission('10.2.0.0/16'), known]);
    expect(reviewed(planText(after, wider))).toMatchObject({
      decision: 'forbidden',
      findings: expect.arrayContaining([expect.objectContaining({ who: '10.2.0.0/16' })]),
    });
  });

  test.each<[what: string, plan: Record<string, Planned>]>([
    [
      'is known after the deploy only',
      planned([known, permission(undefined)], {
        unknown: { ingress_permissions: [{}, { cidr_ip: true }] },
      }),
    ],
    [
      'is a secret',
      planned([known, permission('10.9.9.0/24')], { sensitive: { ingress_permissions: true } }),
    ],
    [
      'is a secret alone',
      planned([known, permission('10.9.9.0/24')], {
        sensitive: { ingress_permissions: [{}, { cidr_ip: true }] },
      }),
    ],
    ['fell together with another rule', planned([known])],
    [
      'does not fit to what is planned',
      planned([permission('10.9.9.0/24'), permission('10.9.9.1/32')]),
    ],
  ])('stays unread where it %s, and is printed nowhere', (_, plan) => {
    const report = reviewed(planText(after, plan));
    expect(report.findings.map(({ kind }) => kind)).toContain('unread');
    const written = [textReport, markdownReport, sarifReport, junitReport, JSON.stringify];
    for (const write of written) expect(write(report)).not.toContain('10.9.9.');
  });

  test('that the base has in the same words stays as it is and costs nothing', () => {
    const text = planText(after, values);
    const { decision, notes } = reviewWithPlan(
      { resource: after },
      { resource: after },
      text,
      rules,
    );
    expect(decision).toBe('no-change');
    expect(notes.join()).toContain(`${GROUP} (ingress_permissions)`);
  });

  test('is found among rules in another order, and groups of the tree stay followed', () => {
    const members = {
      ...group(known).volcenginecc_vpc_security_group,
      workers: { vpc_id: 'vpc-1' },
    };
    const ofGroup = permission('', {
      source_group_id: '${volcenginecc_vpc_security_group.workers.id}',
    });
    const resource = {
      volcenginecc_vpc_security_group: {
        ...members,
        endpoint: {
          ...members.endpoint,
          ingress_permissions: [known, permission(CALCULATED), ofGroup],
        },
      },
    };
    const shown = [
      permission('', { source_group_id: 'sg-123' }),
      permission('10.1.0.0/16', { rule_id: null }),
      known,
    ];
    const text = planText(resource, planned(shown));
    const { findings } = reviewWithPlan(before, { resource }, text, rules, rules.slice(0, 1));
    expect(findings.map(({ kind }) => kind)).not.toContain('unread');
    const who = findings.flatMap((finding) => (finding.kind === 'access' ? [finding.who] : []));
    expect(who).toContain('10.1.0.0/16');
    expect(who.join()).toContain('volcenginecc_vpc_security_group.workers');
  });
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

  test('on what was changed by hand is compared as packets, and what the files tell is told once', () => {
    const both = group(known, permission('10.1.0.0/16'));
    const body = both.volcenginecc_vpc_security_group.endpoint;
    const drifted = (ingress: readonly unknown[]) =>
      planText(
        both,
        planned(body.ingress_permissions, { before: { ingress_permissions: ingress } }),
      );
    const opened = (text: string, base = both, was = rules) =>
      reviewWithPlan({ resource: base }, { resource: both }, text, rules, was).findings.map(
        ({ kind, decision, who, before }) => [kind, decision, who, before],
      );
    const again = ['access', 'needs-approval', '10.0.0.0/24', 'closed in the cloud'];
    expect(opened(drifted([permission('10.1.0.0/16')]))).toEqual([again]);
    const nobody = permission('127.0.0.1/32', { policy: 'drop' });
    const one = rules.slice(0, 1);
    expect(opened(drifted([nobody]), group(known), one).sort()).toEqual([
      again,
      ['access', 'needs-approval', '10.1.0.0/16', 'closed'],
    ]);
    expect(opened(drifted([known]), group(known), one)).toHaveLength(1);
    const wider = [...body.ingress_permissions, permission('10.9.0.0/16')];
    expect(opened(drifted(wider))).toEqual([
      ['access', 'narrower', '10.9.0.0/16', 'tcp 443 in the cloud'],
    ]);
  });

  test('on where calls go counts as well, and so does an object that it takes in', () => {
    const servers = (ip: string) => [{ type: 'ip', instance_id: ip, ip, port: 443, weight: 1 }];
    const resource = { volcenginecc_clb_server_group: { own: { servers: servers('10.0.0.9') } } };
    const address = 'volcenginecc_clb_server_group.own';
    const update = { actions: ['update'], before: { servers: servers('10.6.6.6') } };
    const text = planText(resource, { [address]: { ...update, importing: { id: 'rsp-1' } } });
    const { findings, plans } = reviewWithPlan({ resource }, { resource }, text);
    expect(findings).toMatchObject([
      { kind: 'destination', resource: address, before: 'ip 10.6.6.6:443 in the cloud' },
    ]);
    expect(plans).toMatchObject([{ import: 1, change: 1 }]);
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
