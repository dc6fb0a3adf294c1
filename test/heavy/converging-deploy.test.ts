import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FaultName } from '../../src/sandbox/faults/index.js';
import { GROUP, VPC } from '../sandbox/support.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

async function runWith(...faults: FaultName[]): Promise<StackRun> {
  const run = await StackRun.start({ faults });
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
