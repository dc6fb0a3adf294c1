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

/** Kills a deploy that replaces a balancer, and answers what adopt says of it, and of whatever else was replaced then. */
async function killedReplacement(victim: 'terraform' | 'provider') {
  const [former = ''] = ids();
  await deploy.applyAndKill(victim, 1, 10, BALANCER);
  const made = ids().find((id) => id !== former) ?? '';
  const refused = await deploy.adopt();
  expect(refused.status, refused.output).toBe(22);
  expect(refused.output).toMatch(
    new RegExp(`is ${made} \\(.*\\), made to replace ${former}\\. Delete `),
  );
  const replaced = refused.output.matchAll(/ is (\S+) \([^)]*\), made to replace (\S+)\. Delete /g);
  const pairs = [...replaced].map(([, own = '', replacing = '']) => [own, replacing] as const);
  return { former, made, pairs, output: refused.output };
}

const ids = () => deploy.sandbox.cloud.list(BALANCER).map(({ identifier }) => identifier);

function deleteInConsole(id: string): void {
  for (const type of [BALANCER, GROUP]) delete deploy.sandbox.cloud.state.resources[type]?.[id];
}

test.each([
  'terraform',
  'provider',
] as const)('a kill of the %s while a balancer is replaced heals without the new one', async (victim) => {
  const { pairs } = await killedReplacement(victim);
  for (const [made] of pairs) deleteInConsole(made);
  // An object that the same kill left half deleted is listed by itself.
  await deploy.runPrinted((await deploy.adopt()).output);
  await expectHealed();
});

test('such a kill heals by the commands of Terraform that are printed, too', async () => {
  const { former, made, pairs, output } = await killedReplacement('terraform');
  await deploy.runPrinted(output);
  // It fails where it deletes what the former one uses.
  await deploy.apply();
  expect(ids().sort()).toEqual([former, made].sort());
  for (const [, replaced] of pairs) deleteInConsole(replaced);
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

  test('is named with the command that forgets it where it is to stay, and never where all is gone', async () => {
    deploy.change(before);
    const { resources } = deploy.sandbox.cloud.state;
    const groups = resources[GROUP];
    resources[GROUP] = {};
    const refused = await deploy.adopt();
    expect(refused.status, refused.output).toBe(22);
    const [, address = ''] = /-chdir=\S+ state rm (\S+); the next/.exec(refused.output) ?? [];
    const removed = await deploy.terraform(['state', 'rm', address]);
    expect(removed.status, removed.output).toBe(0);
    resources[GROUP] = groups ?? {};
    expect((await deploy.adopt()).output).toContain('1 adopted');
    const all = { ...resources };
    for (const type of Object.keys(resources)) resources[type] = {};
    expect((await deploy.adopt()).output).toContain('nothing to adopt');
    Object.assign(resources, all);
  });
});
