import { TerraformResource, TerraformStack } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { stateCloudDecisions } from '../../src/constructs/cloud-decisions.js';
import { judgeIntents } from '../../src/reach/intents/judge-intents.js';
import { judgedStack } from '../../src/reach/intents/scope.js';
import { peerName } from '../../src/reach/packet-rule.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { reachReport } from '../../src/reach/questions/report.js';
import { stateAsTerraform } from '../../src/reach/read/state-file.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { markdownReport } from '../../src/reach/reports/markdown.js';
import { textReport } from '../../src/reach/reports/text.js';
import { QUESTIONS } from '../../src/reach/rules/rule-list.js';
import { jointAnswers, readAnswers } from '../../src/reach/rules/stated-answers.js';
import { ASSUMED_IDS, type StatedAnswers } from '../../src/reach/semantics.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { foundStack } from '../../src/review/found/found-stack.js';
import { review } from '../../src/review/review.js';
import { parseSettings } from '../../src/settings/load-settings.js';
import { expectAccess } from '../../src/testing/index.js';
import { stackOf, TODAY, treeOf } from '../review/trees.js';
import { readFlows } from '../support/read-flows.js';
import { addEndpoint, testingApp } from '../support/testing-app.js';

const GROUP = 'volcenginecc_vpc_security_group.workers';

const ENTRY = { protocol: 'tcp', port_start: 443, port_end: 443, policy: 'accept', priority: 10 };
const NET = { ...ENTRY, cidr_ip: '192.0.2.0/24' };

/** A group of workers with rules outward, beside an owner's answer. */
const workers = (answer?: unknown, ...rules: readonly object[]) => ({
  resource: {
    volcenginecc_vpc_security_group: {
      workers: { vpc_id: 'vpc-1', egress_permissions: [NET, ...rules] },
    },
  },
  ...(answer !== undefined && {
    output: { 'cloud-decisions': { value: { 'group-outward': answer } } },
  }),
});

const OPEN = { answer: 'open', seen: '2026-11-20', how: 'a host of a test VPC called 192.0.2.9' };
const CLOSED = { ...OPEN, answer: 'closed' };

const stackWith = (terraform: object) => ({
  name: 'api',
  file: 'cdk.tf.json',
  terraform: readTerraform(terraform),
});

function ask(terraform: object) {
  const question = { from: GROUP, to: '198.51.100.7:443', protocol: 'tcp' };
  const reached = [readReached(stackWith(terraform))];
  return reachReport(reached, { ...question, question: readQuestion(question, reached) });
}

test('each question in doubt is one that a kind of list leaves open', () => {
  const asked = Object.values(QUESTIONS).filter((question) => question !== undefined);
  expect(asked.toSorted()).toEqual(ASSUMED_IDS.toSorted());
});

describe('an answer of the owner decides', () => {
  test.each([
    ['reachable', OPEN, []],
    ['closed', CLOSED, []],
    ['undecided', undefined, ['depends on']],
    ['undecided', { ...OPEN, seen: 'last week' }, ['depends on']],
    ['undecided', { ...OPEN, answer: 'yes' }, ['depends on']],
    ['undecided', { ...OPEN, how: '' }, ['depends on']],
  ])('%s in reach with %j', (answer, given, lines) => {
    const report = ask(workers(given));
    expect(report.question?.answer).toBe(answer);
    expect(textReport(report).includes('depends on')).toBe(lines.length > 0);
    const said = `api: group-outward is stated by the owner: What happens`;
    for (const write of [textReport, markdownReport]) {
      expect(write(report).includes(said)).toBe(answer !== 'undecided');
    }
  });

  test('in a state, whose outputs have it', () => {
    const { output } = workers(CLOSED) as { readonly output: object };
    expect(readAnswers(stateAsTerraform({ version: 4, outputs: output }).outputs)).toEqual({
      'group-outward': CLOSED,
    });
  });

  test.each([
    ['holds', CLOSED],
    ['broken', OPEN],
    ['undecided', undefined],
  ])('%s for an intent with %j', (verdict, given) => {
    const intent = { name: 'no', from: GROUP, to: '198.51.100.7', expect: 'closed' } as const;
    const stack = judgedStack(stackWith(workers(given)));
    expect(judgeIntents({ intents: [intent] }, [stack])[0]?.verdict).toBe(verdict);
  });

  test('in assertions', () => {
    const stack = (answers: StatedAnswers) => {
      const made = new TerraformStack(testingApp(), 'test');
      addEndpoint(made, 'service');
      const given = new TerraformResource(made, 'workers', {
        terraformResourceType: 'volcenginecc_vpc_security_group',
      });
      given.addOverride('egress_permissions', [NET]);
      stateCloudDecisions(made, answers);
      return made;
    };
    const to = { to: '198.51.100.7', port: 443 };
    const closed = { 'group-outward': { ...OPEN, answer: 'closed' } } as const;
    expect(() => expectAccess(stack({})).toDenyAll(to)).toThrow('which depends on: ');
    expectAccess(stack(closed)).toDenyAll(to);
    const open = { 'group-outward': { ...OPEN, answer: 'open' } } as const;
    expectAccess(stack(open)).toAllow(to);
  });

  test('what stacks of one cloud answer differently is in doubt', () => {
    const both = [OPEN, CLOSED].map((one) => readAnswers(readTerraform(workers(one)).outputs));
    expect(jointAnswers(both)).toEqual({});
    expect(jointAnswers(both.slice(1))).toEqual({ 'group-outward': CLOSED });
  });
});

describe('a position of a firewall that its owner has seen', () => {
  const policy = (action: string) => ({
    ...{ action, direction: 'out', proto: 'TCP', status: true, prio: 1, repeat_type: 'Permanent' },
    ...{ source: '0.0.0.0/0', source_type: 'net', dest_port: '443', dest_port_type: 'port' },
    ...{ destination: '198.51.100.7/32', destination_type: 'net', description: 'x' },
  });
  test.each([
    ['open', ['198.51.100.7']],
    ['closed', []],
  ])('%s', (answer, open) => {
    const { flows } = readFlows(
      readTerraform({
        resource: {
          volcenginecc_fwcenter_control_policy: { a: policy('accept'), b: policy('deny') },
        },
        output: {
          'cloud-decisions': { value: { 'firewall-same-position': { ...OPEN, answer } } },
        },
      }),
    );
    expect(flows.map(({ peer }) => peerName(peer))).toEqual(open);
  });
});

describe('entries of a network ACL of which one accepts a packet and one drops it', () => {
  const entry = (policy: string, cidr: string) => ({
    ...{ policy, protocol: 'tcp', port: '443', cidr_ip: cidr, description: '' },
  });
  const guarded = (answer?: object) => ({
    resource: {
      volcenginecc_vpc_security_group: {
        own: { vpc_id: 'vpc-1', ingress_permissions: [{ ...ENTRY, cidr_ip: '10.0.0.0/8' }] },
      },
      volcenginecc_privatelink_vpc_endpoint: {
        own: {
          ...{ vpc_id: 'vpc-1', zones: [{ subnet_id: 'subnet-1' }] },
          security_group_ids: ['${volcenginecc_vpc_security_group.own.id}'],
        },
      },
      volcenginecc_vpc_network_acl: {
        own: {
          resources: [{ resource_id: 'subnet-1' }],
          ingress_acl_entries: [entry('accept', '10.0.0.0/15'), entry('drop', '10.1.0.0/16')],
        },
      },
    },
    ...(answer && { output: { 'cloud-decisions': { value: { 'network-acl-order': answer } } } }),
  });
  const BOTH = '10.1.0.1';
  const NONE = '10.9.0.1';
  const to = 'volcenginecc_privatelink_vpc_endpoint.own';

  test.each<[answer: object | undefined, from: string, reach: string, intent: string]>([
    [OPEN, BOTH, 'reachable', 'broken'],
    [OPEN, NONE, 'reachable', 'broken'],
    [CLOSED, BOTH, 'closed', 'holds'],
    [CLOSED, NONE, 'closed', 'holds'],
    [undefined, BOTH, 'undecided', 'undecided'],
    [undefined, NONE, 'undecided', 'undecided'],
    [CLOSED, '10.0.0.1', 'reachable', 'broken'],
  ])('stated %j, a packet from %s is %s', (answer, from, answered, verdict) => {
    const written = { from, to: `${to}:443`, protocol: 'tcp' };
    const reached = [readReached(stackWith(guarded(answer)))];
    const { question } = reachReport(reached, {
      ...written,
      question: readQuestion(written, reached),
    });
    expect(question?.answer).toBe(answered);
    const depends = question?.places.flatMap((place) => place.depends).join() ?? '';
    expect(depends.includes('Which entry of a network ACL decides')).toBe(answer === undefined);
    const intent = { name: 'no', from, to, port: 443, expect: 'closed' } as const;
    const stack = judgedStack(stackWith(guarded(answer)));
    expect(judgeIntents({ intents: [intent] }, [stack])[0]?.verdict).toBe(verdict);
  });
});

describe('a review', () => {
  const reviewed = (base: object, head: object) =>
    review(
      treeOf(stackOf([], base as Record<string, unknown>)),
      treeOf(stackOf([], head as Record<string, unknown>)),
      TODAY,
    );
  const drop = { ...ENTRY, cidr_ip: '198.51.100.0/24', policy: 'drop' };

  test('needs approval for an answer that a change gives, and is not by it', () => {
    const unanswered = reviewed(workers(undefined, drop), workers());
    const answered = reviewed(workers(undefined, drop), workers(CLOSED));
    const ofPackets = (report: typeof answered) =>
      report.findings.filter(({ resource }) => resource !== 'output.cloud-decisions');
    expect(ofPackets(answered)).toEqual(ofPackets(unanswered));
    expect(ofPackets(answered).some(({ decision }) => decision === 'needs-approval')).toBe(true);
    expect(
      answered.findings.find(({ resource }) => resource === 'output.cloud-decisions'),
    ).toMatchObject({
      decision: 'needs-approval',
      what: 'the answer to `group-outward`',
      before: 'none',
      consequence: expect.stringContaining('this review is by the answers of the base alone'),
    });
  });

  test.each([
    ['edits', CLOSED, OPEN],
    ['takes away', CLOSED, undefined],
    ['dates anew', CLOSED, { ...CLOSED, seen: '2026-11-21' }],
  ])('needs approval for a change that %s it', (_, was, now) => {
    const { findings } = reviewed(workers(was), workers(now));
    expect(findings.map(({ resource, decision }) => [resource, decision])).toContainEqual([
      'output.cloud-decisions',
      'needs-approval',
    ]);
  });

  test('is by the answer of the base: what it drops is no opening', () => {
    const { findings, notes } = reviewed(workers(CLOSED, drop), workers(CLOSED));
    expect(findings.filter(({ decision }) => decision === 'needs-approval')).toEqual([]);
    expect(notes.join('\n')).toContain('group-outward is stated by the owner');
  });

  test('of a state is by the answer of the last deploy', () => {
    const head = stackOf([], workers(CLOSED));
    const state = readTerraform(workers(undefined, drop));
    const found = foundStack(head, state, state);
    const { findings } = review(treeOf(found), treeOf(head), TODAY);
    expect(findings.map(({ resource }) => resource)).toContain('output.cloud-decisions');
    expect(readAnswers(found.terraform.outputs)).toEqual({});
  });
});

describe('settings', () => {
  const REGION = { region: 'cn-beijing', apiHost: 'api.example.com' };
  const parse = (cloudDecisions: object) =>
    parseSettings(JSON.stringify({ ...REGION, cloudDecisions }), 'x.json').cloudDecisions;

  test.each(ASSUMED_IDS)('hold an answer to %s', (id) => {
    expect(parse({ [id]: CLOSED })).toEqual({ [id]: CLOSED });
  });

  test.each([
    [{ 'group-outwards': CLOSED }, 'did you mean `group-outward`?'],
    [{ 'group-tie': CLOSED }, '`cloudDecisions.group-tie` is not a setting'],
    [
      { 'group-outward': { ...CLOSED, answer: 'dropped' } },
      '`cloudDecisions.group-outward.answer`',
    ],
    [
      { 'group-outward': { answer: 'open', how: 'dialled' } },
      '`cloudDecisions.group-outward.seen` is required',
    ],
    [{ 'group-outward': { ...CLOSED, seen: '20.11.2026' } }, 'must be a day as YYYY-MM-DD'],
    [{ 'group-outward': { ...CLOSED, how: 'a\nb' } }, 'must be one line of text'],
  ])('with %j are refused', (given, problem) => {
    expect(() => parse(given)).toThrow(
      expect.objectContaining({
        code: 'settings.invalid',
        message: expect.stringContaining(problem),
      }),
    );
    expect(() => parse(given)).toThrow(/^x\.json has a mistake:/);
  });
});
