import { expect, test } from 'vitest';
import type { Intent, TreeIntents } from '../../src/intents/intents-file.js';
import { type Json, list, object } from '../../src/reach/read/json.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { textReport } from '../../src/review/reports/document.js';
import { exitOf, review } from '../../src/review/review.js';
import { type PlainStack, synthesizeShipped } from '../reach/intents/trees.js';

const { stacks } = synthesizeShipped('production');
const [api] = stacks;

const CLOSED: Intent = {
  name: 'nobody else does',
  from: { not: ['10.30.0.0/16'] },
  to: 'service-endpoint',
  expect: 'closed',
};

function treeOf(stack: PlainStack | undefined) {
  if (stack === undefined) throw new Error('no stack');
  const { name, json, access } = stack;
  return new Map([[name, { name, terraform: readTerraform(json), access }]]);
}

/** The stack with one more rule in each group. */
function opened(stack: PlainStack | undefined): PlainStack | undefined {
  if (stack === undefined) return undefined;
  const rule = {
    cidr_ip: '10.9.0.0/16',
    policy: 'accept',
    priority: 1,
    protocol: 'tcp',
    port_start: 443,
    port_end: 443,
  };
  const resource = object(stack.json.resource);
  const type = 'volcenginecc_vpc_security_group';
  const groups = Object.entries(object(resource[type])).map(([name, body]): [string, Json] => [
    name,
    { ...object(body), ingress_permissions: [...list(object(body).ingress_permissions), rule] },
  ]);
  return {
    ...stack,
    json: { ...stack.json, resource: { ...resource, [type]: Object.fromEntries(groups) } },
  };
}

function reviewed(
  [base, was]: readonly [PlainStack | undefined, TreeIntents | undefined],
  [head, now]: readonly [PlainStack | undefined, TreeIntents | undefined],
) {
  const group = (intents: TreeIntents | undefined) =>
    intents === undefined ? [] : [{ intents, stacks: [api?.name ?? ''] }];
  const intents = { base: group(was), head: group(now) };
  const report = review(treeOf(base), treeOf(head), '2026-05-04', { intents });
  const rows = report.findings.filter(({ resource }) => resource === 'intents.json');
  return { report, rows };
}

const FILE: TreeIntents = { intents: [CLOSED] };

test('an intent that the change breaks is forbidden, with its packet', () => {
  const { report, rows } = reviewed([api, FILE], [opened(api), FILE]);
  expect(exitOf(report)).toBe(4);
  expect(rows).toMatchObject([
    { decision: 'forbidden', code: 'policy.intent-broken', before: 'holds', after: 'broken' },
  ]);
  expect(rows[0]?.what).toMatch(
    /^"nobody else does" is broken: 10\.9\.0\.1 → agent-service:443, let through by /,
  );
  expect(textReport(report)).toContain('nobody else does');
});

test('one that was broken before needs approval, with owner and last day', () => {
  const exception = { reason: 'being mended', owner: 'network team', expires: '2026-06-01' };
  const file = { intents: [{ ...CLOSED, exception }] };
  const { rows } = reviewed([opened(api), file], [opened(api), file]);
  expect(rows).toMatchObject([
    {
      decision: 'needs-approval',
      consequence: 'broken before this change; exception of network team until 2026-06-01',
    },
  ]);
  expect(reviewed([opened(api), FILE], [opened(api), FILE]).rows[0]?.consequence).toBe(
    'broken before this change; the intent names no owner and no day in `exception`',
  );
});

test('all that hold are in the table, and need no approval', () => {
  const { report, rows } = reviewed([api, FILE], [api, FILE]);
  expect(rows).toEqual([]);
  expect(report.intents).toEqual([
    {
      environment: '',
      name: 'nobody else does',
      expect: 'closed',
      base: 'holds',
      head: 'holds',
      detail: '',
    },
  ]);
});

test('each tree is judged by its own sentence, and a new sentence by none of before', () => {
  const reachable = {
    intents: [{ ...CLOSED, from: '10.9.0.0/16', port: 443, expect: 'reachable' as const }],
  };
  const edited = reviewed([api, FILE], [opened(api), reachable]).report.intents;
  expect(edited).toMatchObject([{ base: 'holds', head: 'holds' }]);
  const added = reviewed([api, undefined], [opened(api), reachable]).report.intents;
  expect(added).toMatchObject([{ base: 'not judged', head: 'holds' }]);
});

test('an intent that is edited or removed is judged as it was too, and needs approval', () => {
  const narrower = { intents: [{ ...CLOSED, from: { not: ['10.0.0.0/8'] } }] };
  const edited = reviewed([api, FILE], [opened(api), narrower]);
  expect(edited.rows).toMatchObject([
    {
      decision: 'needs-approval',
      before: expect.stringMatching(
        /^closed: from everybody but 10\.30\.0\.0\/16 to service-endpoint/,
      ),
      after: expect.stringContaining('closed: from everybody but 10.0.0.0/8 to service-endpoint'),
    },
  ]);
  expect(edited.rows[0]?.what).toMatch(
    /^intent "nobody else does" is edited; as it was, by the tree after: "nobody else does" is broken: 10\.9\.0\.1/,
  );
  const removed = reviewed([api, FILE], [opened(api), undefined]);
  expect(removed.rows).toMatchObject([{ decision: 'needs-approval' }]);
  expect(removed.rows[0]?.what).toMatch(
    /is removed; as it was, by the tree after: "nobody else does" is broken/,
  );
});

test('an intent that the change breaks is forbidden, also where other words of it were broken before', () => {
  const before = { ...CLOSED, from: '10.30.0.0/16' };
  const { report, rows } = reviewed([api, { intents: [before] }], [opened(api), FILE]);
  expect(exitOf(report)).toBe(4);
  expect(rows).toContainEqual(
    expect.objectContaining({
      ...{ decision: 'forbidden', code: 'policy.intent-broken' },
      ...{ before: 'broken', after: 'broken' },
    }),
  );
});

test.each([
  ['names', { service: ['10.0.0.0/8'] }],
  ['workloads', ['10.0.0.0/8']],
] as const)('%s are edited by approval only, and the approval is of that edit', (term, value) => {
  const edited = { ...FILE, [term]: value } as TreeIntents;
  const identity = ['intent', term, JSON.stringify(value)];
  expect(reviewed([api, FILE], [api, edited]).rows).toMatchObject([
    { decision: 'needs-approval', identity },
  ]);
  expect(reviewed([api, edited], [api, FILE]).rows).toMatchObject([
    { decision: 'needs-approval', identity: ['intent', term, 'none'] },
  ]);
  expect(reviewed([api, edited], [api, edited]).rows).toEqual([]);
});

test('an exception that has expired is none: what is broken is forbidden', () => {
  const exception = { reason: 'being mended', owner: 'network team', expires: '2026-05-03' };
  const file = { intents: [{ ...CLOSED, exception }] };
  const { report, rows } = reviewed([opened(api), file], [opened(api), file]);
  expect([exitOf(report), rows]).toMatchObject([
    4,
    [{ decision: 'forbidden', code: 'policy.exception' }],
  ]);
});
