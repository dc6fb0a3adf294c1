import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeRows } from '../../../src/cli/ready/measure/findings.js';
import type { MeasurementReport } from '../../../src/cli/ready/measure/report.js';
import type { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { FaultName } from '../../../src/sandbox/faults/index.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import {
  buildNetwork,
  GROUP,
  PREFIX_LIST,
  sandboxForTest,
  temporaryFolder,
  VPC,
} from '../../sandbox/support.js';
import { type OtherAnswer, type RecordedCall, recordCalls } from '../../support/cloud-recorder.js';
import { runCli } from '../../support/run-cli.js';
import { runHere } from '../../support/run-here.js';
import { HAS_TERMINAL, runInTerminal } from '../../support/run-in-terminal.js';

const SETTINGS = 'stacks/settings/sandbox.json';
const RUN = 'secure-connectivity-measure-0123abcd';
const SECRET = 'k3y-of-nobody';
const TAG = 'secure-connectivity:measure';

/** A sandbox with one VPC, which has a subnet and a group. */
async function measurable(options: Partial<SandboxOptions> = {}) {
  const sandbox = await sandboxForTest({ taskPolls: 1, ...options });
  const { vpc } = buildNetwork(sandbox.cloud);
  const before = objectsOf(sandbox.cloud);
  const args = ['ready', '--settings', SETTINGS, '--measure', '--vpc', vpc];
  // The sandbox does not look at it.
  const env: Record<string, string> = { ...sandbox.env, VOLCENGINE_SECRET_KEY: SECRET };
  return { sandbox, vpc, before, args, env };
}

/** Every object that a measurement could make, or take away. */
function objectsOf(cloud: Cloud): string[] {
  return [GROUP, PREFIX_LIST].flatMap((type) => cloud.list(type).map((one) => one.identifier));
}

/** Measures, and answers the report; `other` answers calls in the cloud's place. */
async function measure(
  { args, env }: Awaited<ReturnType<typeof measurable>>,
  other?: (call: RecordedCall) => OtherAnswer | undefined,
) {
  const recorder = await recordCalls(env.VOLCENGINE_CC_ENDPOINT ?? '', other ?? (() => undefined));
  const all = [...args, '--yes', '--format', 'json'];
  const { exit, stdout, stderr } = await runHere(all, {
    env: { ...env, VOLCENGINE_CC_ENDPOINT: recorder.endpoint },
  });
  expect(stderr).toBe('');
  return { exit, ...(JSON.parse(stdout) as MeasurementReport), calls: recorder.calls };
}

function verdicts({ rows }: Pick<MeasurementReport, 'rows'>) {
  return Object.fromEntries(rows.map(({ row, part, verdict }) => [`${row} ${part}`, verdict]));
}

function evidenceOf({ rows }: Pick<MeasurementReport, 'rows'>, row: string, part = 'seen') {
  return rows.find((one) => one.row === row && one.part === part)?.evidence;
}

const SOUND = {
  'group-conflict seen': 'not shown',
  'group-conflict assumed': 'not shown',
  'group-default-rule seen': 'not shown',
  'group-default-rule assumed': 'not shown',
  'set-order seen': 'seen otherwise',
  'empty-null seen': 'seen otherwise',
};

describe('a measurement', () => {
  test('of a sound cloud makes, changes and deletes a group and a list, and leaves nothing', async () => {
    const mutations: string[] = [];
    const given = await measurable({
      onMutation: ({ operation, typeName }) => void mutations.push(`${operation} ${typeName}`),
    });
    const folder = temporaryFolder();
    const out = join(folder, 'measured.json');
    const { exit, stdout, stderr } = await runHere([...given.args, '--yes', '--out', out], {
      env: given.env,
    });
    expect([exit, stderr]).toEqual([0, '']);
    expect(mutations).toEqual(
      [GROUP, PREFIX_LIST].flatMap((type) =>
        ['CREATE', 'UPDATE', 'DELETE'].map((operation) => `${operation} ${type}`),
      ),
    );
    expect(stdout).toContain('nothing is left behind');
    expect(stdout).toMatch(/security group +create +\d+\.?\d* +1 +1 +0/);
    const report = JSON.parse(readFileSync(out, 'utf8')) as MeasurementReport;
    expect(report).toMatchObject({
      schema: 'secure-connectivity/cloud-measurement@1',
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      region: 'cn-beijing',
      vpc: { id: given.vpc, subnets: 1 },
      missingPermissions: [],
      left: [],
    });
    expect(verdicts(report)).toEqual(SOUND);
    for (const { isDone, seconds } of report.steps) {
      expect([isDone, typeof seconds]).toEqual([true, 'number']);
    }
    expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
    expect(stdout + readFileSync(out, 'utf8')).not.toContain(SECRET);
  });

  test('counts the polls of a slow task, and the reads until an object is seen', async () => {
    const given = await measurable({ taskPolls: 2 });
    let reads = 0;
    const report = await measure(given, ({ action, type }) => {
      if (action !== 'GetResource' || type !== PREFIX_LIST) return undefined;
      reads += 1;
      return reads > 2 ? undefined : { status: 404, code: 'NotFound' };
    });
    const [group, , , list] = report.steps;
    expect(group).toMatchObject({ what: 'security group', polls: 2, reads: 1 });
    expect(list).toMatchObject({ what: 'prefix list', operation: 'create', polls: 2, reads: 3 });
    expect(report.exit).toBe(0);
  });
});

describe('a fault of the cloud is seen in the report, and nothing else is', () => {
  const measureWith = async (...faults: FaultName[]) => {
    const given = await measurable({ faults });
    const report = await measure(given);
    expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
    expect([report.exit, report.left]).toEqual([0, []]);
    return report;
  };

  test('default-rule-kept', async () => {
    const report = await measureWith('default-rule-kept');
    const row = { 'group-default-rule seen': 'seen so here' };
    const assumed = { 'group-default-rule assumed': 'seen so here' };
    expect(verdicts(report)).toEqual({ ...SOUND, ...row, ...assumed });
    expect(evidenceOf(report, 'group-default-rule')).toBe(
      'for 0.0.0.0/0 with priority 100 and ::/0 with priority 100; the update took it away',
    );
  });

  test('sets-reordered', async () => {
    const report = await measureWith('sets-reordered');
    expect(verdicts(report)).toEqual({ ...SOUND, 'set-order seen': 'seen so here' });
    expect(evidenceOf(report, 'set-order')).toMatch(/PrefixListEntries of the prefix list/);
    // The changes by places met the right members all the same.
    expect(evidenceOf(report, 'set-order')).not.toContain('not as changed');
  });

  test('empty-reads-null', async () => {
    const report = await measureWith('empty-reads-null');
    expect(verdicts(report)).toEqual({ ...SOUND, 'empty-null seen': 'seen so here' });
  });

  test('slow-objects, which a measurement does not make, and says so', async () => {
    const report = await measureWith('slow-objects');
    expect(verdicts(report)).toEqual(SOUND);
    expect(report.notShown).toContain('slow-objects');
  });

  test('cloud-busy-once, in a VPC that has its subnets', async () => {
    const report = await measureWith('cloud-busy-once');
    expect(verdicts(report)).toEqual({
      ...SOUND,
      'group-conflict seen': 'seen so here',
      'group-conflict assumed': 'seen otherwise',
    });
    expect(evidenceOf(report, 'group-conflict')).toMatch(/^refused 1 time .* then it was made$/);
    expect(report.steps[0]?.refusals).toMatchObject([{ code: 'InvalidOperation.Conflict' }]);
  });

  test('cloud-busy-writes', async () => {
    const report = await measureWith('cloud-busy-writes');
    expect(report.steps.map(({ refusals }) => refusals.length)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

test('cloud-busy, in a new VPC without subnets, and what is busy to the end is not made', async () => {
  const given = await measurable({ faults: ['cloud-busy'] });
  const { cloud } = given.sandbox;
  const vpc = cloud.create(VPC, { CidrBlock: '10.30.0.0/16' });
  const stays = new Date(Date.now() + 60_000).toISOString();
  Object.assign(cloud.state.resources[VPC]?.[vpc] ?? {}, { CreationTime: stays });
  const report = await measure({ ...given, args: [...given.args.slice(0, -1), vpc] });
  expect(verdicts(report)).toEqual({
    ...SOUND,
    'group-conflict seen': 'seen so here',
    'set-order seen': 'seen otherwise',
    'empty-null seen': 'not shown',
  });
  expect(evidenceOf(report, 'group-conflict')).toMatch(/^refused 4 times .* 0 subnets.* not made$/);
  expect(evidenceOf(report, 'group-conflict', 'assumed')).toMatch(/no subnets to wait for/);
  const [group, ...list] = report.steps;
  expect(group).toMatchObject({ what: 'security group', operation: 'create', isDone: false });
  expect(list.map(({ what, isDone }) => [what, isDone])).toEqual(
    Array(3).fill(['prefix list', true]),
  );
  expect([report.exit, report.left]).toEqual([22, []]);
}, 40_000);

test('a rule of one family alone is seen otherwise than it is assumed', async () => {
  const given = await measurable({ faults: ['default-rule-kept'] });
  const report = await measure(given, ({ action }) => {
    if (action === 'GetResource') dropIpv6Rule(given.sandbox.cloud);
    return undefined;
  });
  expect(verdicts(report)).toMatchObject({
    'group-default-rule seen': 'seen so here',
    'group-default-rule assumed': 'seen otherwise',
  });
});

test('an update by places that hit another member is named', async () => {
  const [written, other] = ['a', 'b'].map((Description) => ({ Description, Cidr: '192.0.2.1/32' }));
  const set = { what: 'prefix list', property: 'PrefixListEntries', isAbsent: false } as const;
  const both = [written, other].flatMap((one) => one ?? []);
  const rows = judgeRows({
    ...{ run: RUN, started: '', vpc: { id: '', subnets: 1, created: '' }, removed: [], left: [] },
    steps: [],
    sets: [
      { ...set, after: 'create', written: both, read: both.toReversed() },
      { ...set, after: 'update', written: both, read: both.slice(1) },
    ],
  });
  expect(evidenceOf({ rows }, 'set-order')).toBe(
    '1 of 1 sets in another order: PrefixListEntries of the prefix list (create); PrefixListEntries of the prefix list is not as changed',
  );
});

/** Takes the IPv6 rule of the platform from every group. */
function dropIpv6Rule({ state }: Cloud): void {
  for (const group of Object.values(state.resources[GROUP] ?? {})) {
    const rules = group.EgressPermissions as JsonObject[];
    group.EgressPermissions = rules.filter(({ CidrIp }) => CidrIp !== '::/0');
  }
}

describe('a permission that is missing is named', () => {
  const denied = (named: string, action: string, type: string) => (call: RecordedCall) =>
    call.action === action && call.type === type
      ? { status: 403, code: 'AccessDenied', message: `no permission for ${named}` }
      : undefined;

  test('to make', async () => {
    const given = await measurable();
    const name = 'vpc:CreatePrefixList';
    const report = await measure(given, denied(name, 'CreateResource', PREFIX_LIST));
    expect(report.missingPermissions).toMatchObject([
      { what: 'prefix list', operation: 'create', actions: [name] },
    ]);
    expect([report.exit, report.left]).toEqual([22, []]);
    expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
  });

  test('to change, and what was made is deleted', async () => {
    const given = await measurable();
    const name = 'vpc:ModifySecurityGroupAttributes';
    const report = await measure(given, denied(name, 'UpdateResource', GROUP));
    expect(report.missingPermissions).toMatchObject([{ operation: 'update', actions: [name] }]);
    expect(report.rows.find(({ row }) => row === 'empty-null')?.verdict).toBe('not shown');
    expect([report.exit, report.left]).toEqual([22, []]);
  });

  test('to delete, and what is left is named and deleted by the next run', async () => {
    const given = await measurable();
    const report = await measure(
      given,
      denied('vpc:DeletePrefixList', 'DeleteResource', PREFIX_LIST),
    );
    expect(report.left).toEqual([
      expect.stringMatching(/^prefix list pl-\w+ \(secure-connectivity-measure-[0-9a-f]{8}\)$/),
    ]);
    expect(report.exit).toBe(22);
    const next = await measure(given);
    expect([next.exit, next.removed]).toEqual([0, [report.run]]);
    expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
  });

  test('to read what is left, and then that is not known', async () => {
    const given = await measurable();
    let lists = 0;
    const report = await measure(given, ({ action }) => {
      if (action === 'ListResources') lists += 1;
      return lists > 2 && action === 'ListResources'
        ? { status: 403, code: 'AccessDenied' }
        : undefined;
    });
    expect([report.exit, report.left]).toEqual([22, null]);
  });
});

test('an object whose creation gave no answer is found by its name and its tag', async () => {
  const given = await measurable();
  const report = await measure(given, ({ action, type }) =>
    action === 'CreateResource' && type === GROUP ? 'lost' : undefined,
  );
  expect(report.steps[0]).toMatchObject({ isDone: false, refusals: [{ code: 'NoAnswer' }] });
  expect(
    report.calls.filter(({ action, type }) => action === 'DeleteResource' && type === GROUP),
  ).toHaveLength(1);
  expect(report.left).toEqual([]);
  expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
});

test('only what has the name and the tag of one run is deleted', async () => {
  const given = await measurable();
  const { cloud } = given.sandbox;
  const list = (name: string, ...tags: (readonly [string, string])[]) =>
    cloud.create(PREFIX_LIST, {
      PrefixListName: name,
      MaxEntries: 1,
      Tags: tags.map(([Key, Value]) => ({ Key, Value })),
    });
  const strangers = [
    list(RUN),
    list('ours', [TAG, RUN]),
    list(RUN, [TAG, 'secure-connectivity-measure-ffffffff']),
    list(RUN, ['measure', RUN]),
    list(`${RUN}-copy`, [TAG, `${RUN}-copy`]),
  ];
  const own = list(RUN, [TAG, RUN]);
  const report = await measure(given);
  expect(report.removed).toEqual([RUN]);
  expect(objectsOf(cloud)).toEqual([...given.before, ...strangers]);
  expect(objectsOf(cloud)).not.toContain(own);
});

describe('nothing is made', () => {
  test.each<[what: string, args: (args: string[]) => string[], text: RegExp]>([
    [
      'without a terminal and without --yes',
      (args) => args,
      /`--yes` is required without a terminal/,
    ],
    ['without a VPC', (args) => [...args.slice(0, -2), '--yes'], /`--vpc` must be .* got: none/],
    [
      'with something else',
      (args) => [...args.slice(0, -1), 'subnet-1', '--yes'],
      /`--vpc` must be the id of the VPC to measure in, vpc-…, got: "subnet-1"/,
    ],
    [
      'in a VPC that is not there',
      (args) => [...args.slice(0, -1), 'vpc-none', '--yes'],
      /`--vpc` must be the id of a VPC that exists/,
    ],
    [
      'without a place for the report',
      (args) => [...args, '--yes', '--out', '/none/report.json'],
      /`--out` must be in a folder that can be written/,
    ],
    [
      'without --measure',
      (args) => [...args.filter((word) => word !== '--measure'), '--yes'],
      /`--vpc` must be given with `--measure`/,
    ],
  ])('%s', async (_, change, text) => {
    let mutations = 0;
    const given = await measurable({
      onMutation: () => {
        mutations += 1;
      },
    });
    const { exit, stdout, stderr } = await runHere(change(given.args), { env: given.env });
    expect([exit, stdout, mutations]).toEqual([2, '', 0]);
    expect(stderr).toMatch(text);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('without credentials that the cloud takes', async () => {
    const given = await measurable();
    const env = { ...given.env, VOLCENGINE_ACCESS_KEY: 'AKOTHER' };
    const { exit, stderr } = await runHere([...given.args, '--yes'], { env });
    expect([exit, stderr]).toEqual([22, expect.stringContaining('InvalidAccessKey')]);
    expect(stderr).not.toContain(SECRET);
  });
});

describe.skipIf(!HAS_TERMINAL)('at a terminal', () => {
  test.each([
    ['yes', 'yes\n', 0, 6],
    ['no', 'no\n', 1, 0],
  ])('%s is the answer to one question', async (_, answer, exit, count) => {
    let mutations = 0;
    const given = await measurable({
      onMutation: () => {
        mutations += 1;
      },
    });
    const ended = await runInTerminal(given.args, { env: given.env, answer });
    expect([ended.exit, mutations], ended.screen).toEqual([exit, count]);
    expect(ended.screen.match(/Enter a value/g)).toHaveLength(1);
    expect(ended.screen).toContain(`Make a security group in ${given.vpc}`);
  });
});

describe('a run that is ended leaves nothing after the next one', () => {
  /** Runs apart, and signals it at one of its writes. */
  async function endedAt(nth: number, signal: NodeJS.Signals) {
    let end = (_: NodeJS.Signals) => {};
    let writes = 0;
    const given = await measurable({
      onMutation: () => {
        writes += 1;
        if (writes === nth) end(signal);
      },
    });
    const run = async () => {
      writes = 0;
      return runCli([...given.args, '--yes'], { env: given.env, onStart: (kill) => (end = kill) });
    };
    return { given, run };
  }

  test.each([1, 2, 3, 4, 5, 6])('by SIGKILL at write %i', async (nth) => {
    const { given, run } = await endedAt(nth, 'SIGKILL');
    expect((await run()).exit).toBe(null);
    const { cloud } = given.sandbox;
    const left = objectsOf(cloud).length - given.before.length;
    expect(left).toBe(nth % 3 === 0 ? 0 : 1);
    const next = await runHere([...given.args, '--yes'], { env: given.env });
    expect(next.exit, next.output).toBe(0);
    expect(objectsOf(cloud)).toEqual(given.before);
    expect(next.stdout.includes('Deleted of earlier runs')).toBe(left === 1);
  });

  test('by SIGKILL, and the next one at its first write too', async () => {
    const { given, run } = await endedAt(1, 'SIGKILL');
    const ends = [await run(), await run()].map(({ exit }) => exit);
    expect(ends).toEqual([null, null]);
    const next = await runHere([...given.args, '--yes'], { env: given.env });
    expect(next.exit, next.output).toBe(0);
    expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
  });

  test('by SIGINT, which waits for the write and deletes what was made', async () => {
    const { given, run } = await endedAt(1, 'SIGINT');
    const { exit, stdout } = await run();
    expect([exit, stdout]).toEqual([130, expect.stringContaining('nothing is left behind')]);
    expect(objectsOf(given.sandbox.cloud)).toEqual(given.before);
  });
});
