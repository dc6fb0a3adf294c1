import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { BALANCER, GROUP } from '../sandbox/support.js';
import { deployableStack } from '../support/deployable-stacks.js';
import { InterruptibleDeploy } from '../support/interruptible-deploy.js';

const before = deployableStack('plugin-access');
const after = deployableStack('plugin-access', '10.41');

const deploy = await InterruptibleDeploy.start({ name: 'plugin-access-test', stack: before });
const first = await deploy.apply();
expect(first.status, first.output).toBe(0);
const restore = deploy.save();
beforeEach(() => {
  restore();
  deploy.change(after);
});
afterAll(() => deploy.stop());

async function expectHealed() {
  const { applied, madeTwice, again } = await deploy.finish();
  expect(applied.status, applied.output).toBe(0);
  expect(madeTwice).toEqual([]);
  expect(again.status, again.output).toBe(0);
}

test.each([
  'terraform',
  'provider',
] as const)('heals a kill of the %s while a balancer is replaced', async (victim) => {
  await deploy.applyAndKill(victim, 1, 10, BALANCER);
  const adopted = await deploy.adopt();
  expect(adopted.status, adopted.output).toBe(0);
  expect(adopted.output).toContain('instead of the one in the state');
  await expectHealed();
});

describe('what the cloud has no more', () => {
  test('is taken out of the state after an interrupted delete', async () => {
    const { resources } = deploy.sandbox.cloud.state;
    const [id] = Object.keys(resources[GROUP] ?? {});
    resources[GROUP] = {};
    const shown = await deploy.adopt(['--dry-run']);
    expect(shown.output).toMatch(
      new RegExp(`^# volcenginecc_\\S+ was ${id}, which no longer exists`),
    );
    const adopted = await deploy.adopt();
    expect(adopted.output).toContain('plugin-access-test: 1 forgotten');
    await expectHealed();
  });

  test('is forgotten only on demand where it is to stay, and never where all is gone', async () => {
    deploy.change(before);
    const { resources } = deploy.sandbox.cloud.state;
    const groups = resources[GROUP];
    resources[GROUP] = {};
    const refused = await deploy.adopt();
    expect(refused.status, refused.output).toBe(22);
    expect(refused.output).toContain('Remove it from the state with --forget-gone');
    expect((await deploy.adopt(['--forget-gone'])).output).toContain('1 forgotten');
    resources[GROUP] = groups ?? {};
    expect((await deploy.adopt()).output).toContain('1 adopted');
    const all = { ...resources };
    for (const type of Object.keys(resources)) resources[type] = {};
    expect((await deploy.adopt(['--forget-gone'])).output).toContain('nothing to adopt');
    Object.assign(resources, all);
  });
});
