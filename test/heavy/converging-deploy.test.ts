import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FaultName } from '../../src/sandbox/faults/index.js';
import { startProviders } from '../../src/sandbox/provider/stand-in-providers.js';
import { ENDPOINT, GROUP, VPC } from '../sandbox/support.js';
import { type OtherAnswer, type RecordedCall, recordCalls } from '../support/cloud-recorder.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

/** A mirror with the genuine providers. */
const MIRROR = process.env.PROVIDER_MIRROR;

async function runWith(...faults: FaultName[]): Promise<StackRun> {
  const run = await StackRun.start({ faults, ...(MIRROR && { providerMirror: MIRROR }) });
  onTestFinished(() => run.stop());
  return run;
}

const deploy = (run: StackRun) =>
  run.cli(['deploy', STACK, '--auto-approve', '--output', join(run.folder, 'cdktf.out')]);

async function planStatus(run: StackRun): Promise<number | null> {
  const { status } = await run.terraform(STACK, ['plan', '-detailed-exitcode', '-input=false']);
  return status;
}

const applies = (output: string) => output.match(/Apply complete!/g)?.length ?? 0;

test('a deploy plans again after an apply that leaves nothing to do, and says nothing of it', async () => {
  const run = await runWith();
  const { status, output } = await deploy(run);
  expect([status, applies(output)], output).toEqual([0, 1]);
  expect(output.match(/Terraform will perform/g)).toHaveLength(1);
  expect(output).not.toMatch(/not empty|planning and applying|applying once more/);
});

test('a deploy takes away the rule that the cloud adds to a new security group', async () => {
  const run = await runWith('default-rule-kept');
  const { status, output } = await deploy(run);
  expect([status, applies(output)], output).toEqual([0, 2]);
  expect(output).toMatch(
    /applying once more, to take away a rule that the cloud added by itself to volcenginecc_vpc_security_group\.\S+\n/,
  );
  expect(output).not.toContain('not empty');
  const [group] = run.sandbox.cloud.list(GROUP);
  expect(JSON.stringify(group?.properties.EgressPermissions)).not.toContain('accept');
  expect(await planStatus(run)).toBe(0);
});

test('a deploy tries again what the cloud refused for a moment, and runs its check once', async () => {
  const run = await runWith('cloud-busy-once');
  const { status, output } = await deploy(run);
  expect([status, applies(output)], output).toEqual([0, 1]);
  expect(output.match(/the cloud refused with InvalidOperation\.Conflict/g)).toHaveLength(1);
  expect(output.match(/passed +8 stages/g)).toHaveLength(1);
  expect(await planStatus(run)).toBe(0);
});

test('a deploy that is refused again and again ends after three more tries, and the next one goes on', async () => {
  const run = await runWith('cloud-busy-writes');
  run.change('sandbox', (settings) => {
    Object.assign(settings.serviceEndpoint as object, { privateZone: true });
  });
  const first = await deploy(run);
  expect(first.status, first.output).toBe(1);
  expect(first.output.match(/the cloud refused with/g)).toHaveLength(3);
  expect(await deploy(run)).toMatchObject({ status: 0 });
  expect(await planStatus(run)).toBe(0);
});

test('a deploy that was refused does not do what was not in its plan', async () => {
  const run = await runWith();
  expect(await deploy(run)).toMatchObject({ status: 0 });
  run.sandbox.faults.set('cloud-busy-writes');
  run.change('sandbox', (settings) => {
    Object.assign(settings.serviceEndpoint as object, { allowedNetworks: ['10.20.1.0/24'] });
  });
  const changed = run.cli(
    ['deploy', STACK, '--auto-approve', '--output', join(run.folder, 'cdktf.out')],
    {},
    ({ output }) => {
      // Somebody else changes what the plan leaves alone, in the pause before the next one.
      const timer = setInterval(() => {
        if (!output().includes('InvalidOperation.Conflict')) return;
        clearInterval(timer);
        const [vpc] = run.sandbox.cloud.list(VPC);
        const patch = [{ op: 'replace', path: '/VpcName', value: 'of-somebody-else' }];
        run.sandbox.faults.clear();
        run.sandbox.cloud.startUpdate(VPC, vpc?.identifier ?? '', patch, '');
      }, 5);
    },
  );
  const { status, output } = await changed;
  expect(status, output).toBe(1);
  expect(output).toMatch(
    /not applied again after InvalidOperation\.Conflict, because .* it changes volcenginecc_vpc_vpc\.network/,
  );
});

/** Deploys to a cloud whose first call of a kind is answered by another, also where a provider repeats it. */
async function deployWith(
  run: StackRun,
  other: (call: RecordedCall) => OtherAnswer | undefined,
  ...more: string[]
) {
  const first = new Map<string, string | undefined>();
  const recorder = await recordCalls(run.sandbox.env.VOLCENGINE_CC_ENDPOINT ?? '', (call) => {
    const kind = `${call.action} ${call.type}`;
    if (!first.has(kind)) first.set(kind, call.token);
    return first.get(kind) === call.token ? other(call) : undefined;
  });
  const cloud = { ...run.sandbox.env, VOLCENGINE_CC_ENDPOINT: recorder.endpoint };
  const providers = MIRROR === undefined ? await startProviders(cloud) : undefined;
  onTestFinished(() => providers?.stop());
  const args = ['--auto-approve', '--output', join(run.folder, 'cdktf.out'), ...more];
  const env = { VOLCENGINE_CC_ENDPOINT: recorder.endpoint, ...providers?.env };
  const ended = await run.cli(['deploy', STACK, ...args], env);
  const creates = recorder.calls.filter(
    ({ action, type }) => action === 'CreateResource' && type === GROUP,
  );
  return { ...ended, groups: new Set(creates.map(({ token }) => token)).size };
}

const creating =
  (made: string, answer: OtherAnswer) =>
  ({ action, type }: RecordedCall) =>
    action === 'CreateResource' && type === made ? answer : undefined;

const FAILED = { status: 500, code: 'InternalError', message: 'try later' };

describe('an error of the cloud’s server', () => {
  test('that made nothing is followed by another try', async () => {
    const run = await runWith();
    const { status, output, groups } = await deployWith(run, creating(GROUP, FAILED));
    expect(status, output).toBe(0);
    expect(
      output.match(/the cloud refused with status(?: code:)? 500, which may pass/g),
    ).toHaveLength(1);
    expect([groups, run.sandbox.cloud.list(GROUP).length]).toEqual([2, 1]);
    expect(await planStatus(run)).toBe(0);
  });

  test('that made something all the same makes nothing twice', async () => {
    const run = await runWith();
    const done = creating(GROUP, { ...FAILED, isDone: true });
    const { status, output, groups } = await deployWith(run, done);
    expect([status, groups], output).toEqual([1, 1]);
    expect(output).toMatch(
      /not applied again after status(?: code:)? 500: the cloud has something .* npx secure-connectivity adopt api-access-sandbox/,
    );
  });

  test('that made something is repaired by --adopt auto', async () => {
    const run = await runWith();
    const done = creating(GROUP, { ...FAILED, isDone: true });
    const { status, output, groups } = await deployWith(run, done, '--adopt', 'auto');
    expect([status, groups], output).toEqual([0, 1]);
    expect(output).toMatch(/adopted: .*security_group/);
    expect(await planStatus(run)).toBe(0);
  });

  test('is not followed by another try where nothing may look for what it made', async () => {
    const run = await runWith();
    const failing = creating(GROUP, FAILED);
    const { status, output, groups } = await deployWith(run, failing, '--adopt', 'off');
    expect([status, groups], output).toEqual([1, 1]);
    expect(output).toMatch(/not applied again after status(?: code:)? 500: nothing looks for/);
  });
});

describe('what is not there', () => {
  const absent = { status: 404, code: 'InvalidSecurityGroup.NotFound', message: 'not there' };

  test('right after something was made is followed by another try', async () => {
    const run = await runWith();
    const { status, output } = await deployWith(run, creating(ENDPOINT, absent));
    expect(status, output).toBe(0);
    expect(output).toMatch(/refused with InvalidSecurityGroup\.NotFound, which may pass/);
    expect(await planStatus(run)).toBe(0);
  });

  test('before anything was made ends the deploy', async () => {
    const run = await runWith();
    const { status, output } = await deployWith(run, creating(VPC, absent));
    expect(status, output).toBe(1);
    expect(output).not.toContain('which may pass');
  });
});

test('a plan that is not empty after the deploy has a code of its own', async () => {
  const run = await runWith();
  const { status, output } = await deployWith(run, ({ action, type }) => {
    const [vpc] = run.sandbox.cloud.list(VPC);
    if (action !== 'CreateResource' || type !== ENDPOINT || vpc === undefined) return undefined;
    const patch = [{ op: 'replace', path: '/VpcName', value: 'of-somebody-else' }];
    run.sandbox.cloud.startUpdate(VPC, vpc.identifier, patch, '');
    return undefined;
  });
  expect(status, output).toBe(0);
  expect(output).toMatch(
    /deploy\.not-converged: api-access-sandbox: .* not empty: it changes volcenginecc_vpc_vpc\.\S+\. Read the values/,
  );
});
