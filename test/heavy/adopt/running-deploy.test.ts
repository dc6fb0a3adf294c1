import { afterAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import { forgetObjects } from '../../../src/terraform/commands.js';
import { type TerraformFolder, terraformFolder } from '../../../src/terraform/terraform-folder.js';
import { VPC } from '../../sandbox/support.js';
import { deployableStack } from '../../support/deployable-stacks.js';
import { InterruptibleDeploy } from '../../support/interruptible-deploy.js';

const deploy = await InterruptibleDeploy.start({
  name: 'plugin-access-test',
  stack: deployableStack('plugin-access'),
});
beforeEach(() => deploy.reset());
afterAll(() => deploy.stop());

/** A deploy that holds the state's lock, and does nothing until it is released. */
async function heldDeploy() {
  const { pid, ended, waitFor } = deploy.startApply();
  await waitFor('volcenginecc_vpc_vpc.network: Creation complete');
  process.kill(pid, 'SIGSTOP');
  const goOn = () => process.kill(pid, 'SIGCONT');
  onTestFailed(async () => {
    goOn();
    await ended;
  });
  return { ended, goOn };
}

async function expectDeployed({ ended }: Awaited<ReturnType<typeof heldDeploy>>) {
  const { status, output } = await ended;
  expect(status, output).toBe(0);
  expect(deploy.madeTwice()).toEqual([]);
  expect(deploy.sandbox.cloud.list(VPC)).toHaveLength(1);
}

describe('while a deploy is running, adopt', () => {
  test.each([
    ['adopts', []],
    ['prints', ['--dry-run']],
  ])('%s nothing, and names the run that holds the lock', async (_, flags) => {
    const held = await heldDeploy();
    const refused = await deploy.adopt([...flags, '--lock-timeout', '1s']);
    expect(refused.status, refused.output).toBe(2);
    expect(refused.output).toMatch(
      /the state of plugin-access-test is locked by another run \(\S+@\S+, OperationTypeApply, 20\d\d-.*\)\. Wait until that run has ended/,
    );
    expect(refused.output).toMatch(/: \S*terraform -chdir=\S+ force-unlock [\w-]{36}$/m);
    expect(refused.output).not.toMatch(/adopted|forgotten|import \{/);
    held.goOn();
    await expectDeployed(held);
  });

  test('waits for its end, and then finds nothing to adopt', async () => {
    const held = await heldDeploy();
    const adopting = deploy.startAdopt(['--lock-timeout', '2m']);
    setTimeout(held.goOn, 3000);
    await expectDeployed(held);
    const { status, output } = await adopting.ended;
    expect(status, output).toBe(0);
    expect(output).toMatch(/^secure-connectivity: waiting for terraform plan of [\w-]+\n/);
    expect(output).toMatch(/\nplugin-access-test: nothing to adopt\n$/);
  });
});

test('forgets objects in the state that another run has written in the meantime', async () => {
  const applied = await deploy.apply();
  expect(applied.status, applied.output).toBe(0);
  const [own = '', others = ''] = [
    'volcenginecc_clb_clb',
    'volcenginecc_fwcenter_address_book',
  ].map((type) => deploy.addressOf(type));
  const terraform: TerraformFolder['terraform'] = async (args) => {
    await deploy.terraform(['state', 'rm', others]);
    const { status, output } = await deploy.terraform(args);
    return { status: status ?? 1, stdout: output, stderr: output };
  };
  const { name, folder } = deploy;
  await forgetObjects({ name, folder, program: 'terraform', lockTimeout: '1s', terraform }, [own]);
  const { output: kept } = await deploy.terraform(['state', 'list']);
  expect(kept).toContain('volcenginecc_vpc_vpc.network');
  expect(kept).not.toContain(own);
  expect(kept).not.toContain(others);
});

test('forgets nothing while another run holds the lock', async () => {
  const held = await heldDeploy();
  const stack = terraformFolder(deploy.folder, 'terraform', '1s');
  await expect(forgetObjects(stack, ['volcenginecc_vpc_vpc.network'])).rejects.toMatchObject({
    code: 'deploy.state-locked',
  });
  held.goOn();
  await expectDeployed(held);
});
