import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CloudFaultName, LIKE_REAL } from '../../src/sandbox/faults/cloud-faults.js';
import type { FaultName } from '../../src/sandbox/faults/index.js';
import { isObject, type JsonObject, readObjects } from '../../src/sandbox/json.js';
import { GROUP } from '../sandbox/support.js';
import { StackRun } from '../support/stack-run.js';

const API = 'api-access-sandbox';
const PLUGINS = 'plugin-access-sandbox';

/** Every option, whose checks would find no fault of the cloud. */
async function runWith(faults: readonly FaultName[], seed = 1): Promise<StackRun> {
  const run = await StackRun.start({ everyOption: true, faults, temper: { seed, pace: 0.02 } });
  onTestFinished(() => run.stop());
  run.change('sandbox', (settings) => Object.assign(settings, { check: { mode: 'off' } }));
  return run;
}

/** The result of an apply of what is synthesized already. */
const applyAgain = (run: StackRun, stack = API) =>
  run.terraform(stack, ['apply', '-auto-approve', '-input=false']);

const plan = (run: StackRun, stack = API) =>
  run.terraform(stack, ['plan', '-detailed-exitcode', '-input=false']);

async function expectEmptyPlan(run: StackRun, ...stacks: string[]) {
  for (const stack of stacks) {
    const { status, output } = await plan(run, stack);
    expect(status, output).toBe(0);
  }
}

const CONFLICT = /InvalidOperation\.Conflict/;

/** A proof for each fault, by deploys with the stand-ins. */
const PROOFS: Record<CloudFaultName, () => Promise<void>> = {
  'cloud-busy': async () => {
    const run = await runWith(['cloud-busy']);
    for (const stack of [API, PLUGINS]) {
      const { status, output } = await run.apply(stack);
      expect(status, output).toBe(0);
    }
    await expectEmptyPlan(run, API, PLUGINS);
  },

  'cloud-busy-once': async () => {
    const run = await runWith(['cloud-busy-once']);
    const { status, output } = await run.apply(API);
    expect([status, output]).toEqual([1, expect.stringMatching(CONFLICT)]);
    expect(await applyAgain(run)).toMatchObject({ status: 0 });
    await expectEmptyPlan(run, API);
  },

  'cloud-busy-writes': async () => {
    const run = await runWith(['cloud-busy-writes']);
    let { status, output } = await run.apply(API);
    let applies = 1;
    for (; status !== 0 && applies < 10; applies += 1) {
      expect(output).toMatch(CONFLICT);
      ({ status, output } = await applyAgain(run));
    }
    // A VPC, its subnet, the group, the endpoint: each is refused once, and waits for the one before.
    expect([status, applies]).toEqual([0, 5]);
    await expectEmptyPlan(run, API);
  },

  'default-rule-kept': async () => {
    const run = await runWith(['default-rule-kept']);
    const { status, output } = await run.apply(API);
    expect(status, output).toBe(0);
    const groups = run.sandbox.cloud.list(GROUP);
    expect(groups).toHaveLength(2);
    for (const { properties } of groups) expect(outwardForAll(properties)).toBe(true);
    const second = await plan(run);
    expect([second.status, second.stdout]).toEqual([
      2,
      expect.stringContaining('0 to add, 2 to change, 0 to destroy'),
    ]);
    expect(await applyAgain(run)).toMatchObject({ status: 0 });
    await expectEmptyPlan(run, API);
    for (const { properties } of run.sandbox.cloud.list(GROUP)) {
      expect(outwardForAll(properties)).toBe(false);
    }
  },

  'sets-reordered': async () => {
    for (const seed of [1, 2, 3]) {
      const run = await runWith(['sets-reordered'], seed);
      run.change('sandbox', addresses(1));
      expect(await run.apply(API)).toMatchObject({ status: 0 });
      await expectEmptyPlan(run, API);
      run.change('sandbox', addresses(4));
      expect(await run.apply(API)).toMatchObject({ status: 0 });
      await expectEmptyPlan(run, API);
      const inOrder = run.sandbox.cloud.list(GROUP).map(({ properties }) => peers(properties));
      run.sandbox.faults.clear();
      const written = run.sandbox.cloud.list(GROUP).map(({ properties }) => peers(properties));
      expect(inOrder).not.toEqual(written);
      expect(inOrder.map((one) => one.toSorted())).toEqual(written.map((one) => one.toSorted()));
      const listed = written.flat().filter((peer) => peer.startsWith('198.51.100.'));
      expect(listed.toSorted()).toEqual(
        numbered(4)
          .map((one) => `${one}/32`)
          .toSorted(),
      );
    }
  },

  'slow-objects': async () => {
    const run = await runWith(['slow-objects']);
    for (const [stack, milliseconds] of [
      [API, 300],
      [PLUGINS, 580],
    ] as const) {
      run.synth();
      await run.terraform(stack, ['init', '-input=false']);
      const start = Date.now();
      expect(await applyAgain(run, stack)).toMatchObject({ status: 0 });
      expect(Date.now() - start).toBeGreaterThan(milliseconds);
    }
    await expectEmptyPlan(run, API, PLUGINS);
  },

  'empty-reads-null': async () => {
    const run = await runWith(['empty-reads-null']);
    expect(await run.apply(PLUGINS)).toMatchObject({ status: 0 });
    const read = run.sandbox.resources().flatMap(({ properties }) => Object.values(properties));
    expect(read.filter((value) => Array.isArray(value) && value.length === 0)).toEqual([]);
    await expectEmptyPlan(run, PLUGINS);
  },
};

describe('a deploy under a fault of the cloud', () => {
  test.each(Object.entries(PROOFS))('%s', (_, proof) => proof());

  test('what was seen, all at once, needs one more apply at most', async () => {
    const run = await runWith(LIKE_REAL);
    for (const stack of [API, PLUGINS]) {
      const { status, output } = await run.apply(stack);
      expect(status, output).toBe(0);
      expect(await applyAgain(run, stack)).toMatchObject({ status: 0 });
    }
    await expectEmptyPlan(run, API, PLUGINS);
    for (const stack of [PLUGINS, API]) {
      const { status, output } = await run.destroy(stack);
      expect(status, output).toBe(0);
    }
  });
});

/** The first apply with other security groups than are synthesized. */
async function applyWith(run: StackRun, change: (group: JsonObject) => void) {
  run.synth();
  const file = join(run.folder, 'cdktf.out', 'stacks', API, 'cdk.tf.json');
  const stack = JSON.parse(readFileSync(file, 'utf8'));
  for (const group of Object.values(stack.resource.volcenginecc_vpc_security_group)) {
    if (isObject(group)) change(group);
  }
  writeFileSync(file, JSON.stringify(stack));
  await run.terraform(API, ['init', '-input=false']);
  return applyAgain(run);
}

test('a kept rule ends the apply of a group whose rules are not written in full', async () => {
  const run = await runWith(['default-rule-kept']);
  const { status, output } = await applyWith(run, (group) => {
    for (const rule of readObjects(group, 'egress_permissions')) delete rule.prefix_list_id;
  });
  expect([status, output]).toEqual([1, expect.stringContaining('inconsistent result after apply')]);
});

test('without the wait for its subnets a group meets the busy cloud, and a second apply heals', async () => {
  const run = await runWith(['cloud-busy']);
  const first = await applyWith(run, (group) => {
    delete group.depends_on;
  });
  expect([first.status, first.output]).toEqual([1, expect.stringMatching(CONFLICT)]);
  expect(await applyAgain(run)).toMatchObject({ status: 0 });
  await expectEmptyPlan(run, API);
});

/** Tells whether a group accepts everything outward, by a rule that no stack writes. */
function outwardForAll(group: JsonObject): boolean {
  return readObjects(group, 'EgressPermissions').some(
    (rule) => rule.Policy === 'accept' && rule.CidrIp === '0.0.0.0/0' && rule.Protocol === 'all',
  );
}

function peers(group: JsonObject): string[] {
  return readObjects(group, 'EgressPermissions').map(({ CidrIp }) => String(CidrIp));
}

/** As many addresses as the list that ships has. */
const numbered = (first: number) =>
  Array.from({ length: 24 }, (_, index) => `198.51.100.${first + index}`);

function addresses(first: number) {
  const entries = numbered(first).map((address) => ({
    address,
    firstSeen: '2026-05-04',
    source: 'docs/sandbox.md',
  }));
  return ({ fixedIpEgress }: Record<string, unknown>) => {
    Object.assign(fixedIpEgress as object, { addresses: { version: '2026-05-04', entries } });
  };
}
