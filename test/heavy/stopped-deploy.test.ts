import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { SUBNET } from '../sandbox/support.js';
import { terraformsIn, until } from '../support/deploying.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

let run: StackRun;
beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    settings.check = { mode: 'off' };
  });
  const { status, output } = await deploy();
  expect(status, output).toBe(0);
});
afterAll(() => run.stop());

function deploy(...args: readonly string[]) {
  const output = args.includes('--output') ? [] : ['--output', join(run.folder, 'cdktf.out')];
  return run.cli(['deploy', STACK, '--auto-approve', ...output, ...args]);
}

/** The zones that the network has a subnet in. */
function subnetsIn(...zones: readonly ('a' | 'b')[]) {
  run.change('sandbox', (settings) => {
    const cidrs = { a: '10.20.1.0/24', b: '10.20.2.0/24' };
    Object.assign(settings.network as object, {
      subnets: Object.fromEntries(zones.map((zone) => [`cn-beijing-${zone}`, cidrs[zone]])),
    });
  });
}

const subnets = () => run.sandbox.cloud.list(SUBNET);

test('stops before it deletes what the cloud has no more, and forgets that when asked to', async () => {
  subnetsIn('a', 'b');
  const deployed = await deploy();
  expect(deployed.status, deployed.output).toBe(0);
  const gone = subnets().find(({ properties }) => properties.ZoneId === 'cn-beijing-b')?.identifier;
  subnetsIn('a');
  delete run.sandbox.cloud.state.resources[SUBNET]?.[gone ?? ''];
  const before = run.sandbox.cloud.state.serial;
  const stopped = await deploy();
  expect(stopped.status, stopped.output).toBe(22);
  expect(stopped.output).toMatch(
    new RegExp(`volcenginecc_vpc_subnet\\.\\S+ was ${gone}, which no longer exists in the cloud`),
  );
  expect(stopped.output).toContain(`secure-connectivity adopt ${STACK}`);
  expect(run.sandbox.cloud.state.serial).toBe(before);

  const healed = await deploy('--adopt', 'auto');
  expect(healed.status, healed.output).toBe(0);
  expect(healed.output).toContain(`was ${gone}, which no longer exists in the cloud`);
  const list = await run.terraform(STACK, ['state', 'list']);
  expect(list.output.match(/volcenginecc_vpc_subnet\./g)).toHaveLength(1);
});

test('stops while another deploy of the stack is running, and does not disturb it', async () => {
  subnetsIn('a', 'b');
  const folder = join(run.folder, 'cdktf.out', 'stacks', STACK);
  const running = deploy();
  const terraform = () => terraformsIn(folder, 'apply');
  await until(() => terraform().length > 0 && subnets().length > 1);
  const [pid = 0] = terraform();
  process.kill(pid, 'SIGSTOP');
  const goOn = () => {
    process.kill(pid, 'SIGCONT');
  };
  onTestFailed(goOn);
  const other = join(run.folder, 'other.out');
  const stopped = await deploy('--lock-timeout', '1s', '--output', other);
  expect(stopped.status, stopped.output).toBe(2);
  expect(stopped.output).toMatch(
    new RegExp(
      `the state of ${STACK} is locked by another run \\(\\S+@\\S+, OperationTypeApply, 20`,
    ),
  );
  expect(stopped.output).not.toContain('secure-connectivity adopt');
  expect(stopped.output).not.toContain('Plan:');
  const unlooked = await deploy('--adopt', 'off', '--lock-timeout', '1s', '--output', other);
  expect(unlooked.status, unlooked.output).toBe(2);
  expect(unlooked.output).toContain(`the state of ${STACK} is locked by another run (`);
  goOn();
  const { status, output } = await running;
  expect(status, output).toBe(0);
  expect(subnets()).toHaveLength(2);
});
