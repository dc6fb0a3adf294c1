import { expect, test } from 'vitest';
import { type Moved, makeReport, rehearsalExit } from '../../src/rehearse/outcome.js';
import { withoutTasks } from '../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../src/rehearse/timeline/timeline.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import {
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  rule,
} from '../sandbox/support.js';

const [LOWER, UPPER] = [rule({ CidrIp: '10.20.0.0/17' }), rule({ CidrIp: '10.20.128.0/17' })];
const cloud = emptyCloud({ taskPolls: 0 });
const network = buildNetwork(cloud, [LOWER, UPPER]);
cloud.create(ENDPOINT, endpointInput(network));

/** The cloud with other rules of the endpoint's group. */
function withRules(...value: (typeof LOWER)[]): CloudState {
  cloud.startUpdate(
    GROUP,
    network.group,
    [{ op: 'replace', path: '/IngressPermissions', value }],
    '',
  );
  return withoutTasks(cloud.state);
}

const BEFORE = withRules(LOWER, UPPER);
const AFTER = withRules(LOWER);

/** The report of a deploy of one step, of which no more than the account counts. */
function reportOf(change: Partial<Moved>, hasStandIns = true) {
  const step = { operation: 'UPDATE', typeName: GROUP, identifier: network.group } as const;
  const { steps, lanes, replaced } = makeAccount({
    before: BEFORE,
    steps: [{ ...step, stack: 'api', cloud: AFTER }],
    links: { before: new Map(), after: new Map() },
    addresses: new Map(),
    trees: [],
    service: SANDBOX_SERVICE,
  });
  const base = {
    deploy: { status: 'passed' as const, errors: [] },
    check: { status: 'skipped' as const, links: [] },
  };
  const replan = { status: 'passed' as const, changes: [] };
  const timeline = { steps, lanes };
  const seen = { findings: [], inDoubt: [] };
  const there = { ...base, replan, timeline, replaced, ...seen, ...change };
  return makeReport({ base, there, hasStandIns }, []);
}

test('has a verdict where the deploy works', () => {
  const report = reportOf({});
  expect([report.outcome, rehearsalExit(report)]).toEqual(['clean', 0]);
});

test('has none where the sandbox, and not the cloud, refuses what a deploy asks for', () => {
  const error = (code: string) =>
    `api: volcenginecc_fwcenter_control_policy.a: CreateResource failed for Volcengine::FWCenter::ControlPolicy: ${code}: a reason (task task-1)`;
  const failed = (code: string) =>
    reportOf({ deploy: { status: 'failed', errors: [error(code)] } });
  expect(failed('UnsupportedRepeatType')).toMatchObject({
    outcome: 'no-verdict',
    summary: `NO VERDICT: the sandbox does not emulate what a deploy asks for: ${error('UnsupportedRepeatType')}`,
  });
  expect(failed('InvalidPrio').outcome).toBe('failed');
});

const HUNG_UP =
  'api: volcenginecc_vpc_vpc.a: CreateResource failed for Volcengine::VPC::VPC: The emulated cloud at 127.0.0.1:9 does not answer: socket hang up';

test.each<[string, Partial<Moved>]>([
  ['the deploy', { deploy: { status: 'failed', errors: [HUNG_UP] } }],
  ['the second plan', { replan: { status: 'failed', changes: [HUNG_UP] } }],
])('has none, and no remedy, where the sandbox itself fails in %s', (_, failed) => {
  const report = reportOf(failed);
  expect([report.outcome, rehearsalExit(report), report.findings]).toEqual(['no-verdict', 5, []]);
  expect(report.summary).toBe(`NO VERDICT: the sandbox itself failed, rehearse again: ${HUNG_UP}`);
});

test('has none where a stack has a type of resource that the stand-in of its provider does not serve', () => {
  const error =
    'api: Invalid resource type: The provider volcengine/volcenginecc does not support resource type "volcenginecc_vpc_route_table".';
  const refused: Partial<Moved> = { deploy: { status: 'refused', errors: [error] } };
  const report = reportOf(refused);
  expect([report.outcome, rehearsalExit(report)]).toEqual(['no-verdict', 5]);
  expect(report.summary).toBe(
    `NO VERDICT: the sandbox does not emulate what a deploy asks for: ${error}`,
  );
  // A provider that is no stand-in serves all of its types, and the cloud's deploy is refused as well.
  expect(reportOf(refused, false).outcome).toBe('failed');
});
