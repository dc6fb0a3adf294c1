import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markTags } from '../../src/cloud/table/mark.js';
import { VPC } from '../sandbox/support.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';
const ADDRESS = 'volcenginecc_vpc_vpc.network';

let run: StackRun;
let left: string;
beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    settings.check = { mode: 'off' };
  });
  const tags = markTags({ stack: STACK, address: ADDRESS });
  left = run.sandbox.cloud.create(VPC, {
    CidrBlock: '10.20.0.0/16',
    // With the digits that the construct adds.
    VpcName: 'agents-005dbe',
    Tags: tags.map(({ key, value }) => ({ Key: key, Value: value })),
  });
});
afterAll(() => run.stop());

const deploy = (...args: readonly string[]) => {
  const main = resolve('dist/cli/main.js');
  const output = ['--output', join(run.folder, 'cdktf.out')];
  return run.run(
    process.execPath,
    [main, 'deploy', STACK, '--auto-approve', ...output, ...args],
    {},
  );
};

const networks = () => run.sandbox.cloud.list(VPC).map(({ identifier }) => identifier);

test('stops before it makes again what was left behind, and then adopts it when asked to', async () => {
  const stopped = await deploy();
  expect(stopped.status, stopped.output).toBe(22);
  expect(stopped.output).toContain(`${ADDRESS} is ${left}`);
  expect(stopped.output).toContain(`secure-connectivity adopt ${STACK}`);
  expect(run.sandbox.resources()).toHaveLength(1);

  const adopted = await deploy('--adopt', 'auto');
  expect(adopted.status, adopted.output).toBe(0);
  expect(adopted.output).toContain(`adopted: ${ADDRESS} is ${left}`);
  expect(networks()).toEqual([left]);

  const again = await run.terraform(STACK, ['plan', '-detailed-exitcode', '-input=false']);
  expect(again.status, again.output).toBe(0);
}, 240_000);
