import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

/** A project whose backend holds the state of another stack, and a record of what Terraform is asked. */
async function misled() {
  const project = await temporaryFolder();
  const stack = join(project, 'cdktf.out', 'stacks', 'api');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ output: { a: { value: 'x' } } }));
  const tags = [{ key: 'secure-connectivity:stack', value: 'payroll' }];
  const instances = [{ attributes: { id: 'vpc-1', tags } }];
  const resource = { mode: 'managed', type: 'volcenginecc_vpc_vpc', name: 'network', instances };
  const outputs = { connectivity: { value: '{}' } };
  writeFileSync(
    join(stack, 'state'),
    JSON.stringify({ version: 4, serial: 1, outputs, resources: [resource] }),
  );
  const terraform = join(project, 'terraform-for-test');
  writeFileSync(
    terraform,
    '#!/bin/sh\necho "$1 $2" >> calls\ncase "$1 $2" in "state pull") cat state;; init*) ;; *) exit 1;; esac\n',
  );
  chmodSync(terraform, 0o755);
  const run = (...args: readonly string[]) =>
    runHere(args, { cwd: project, env: { TERRAFORM_BINARY_NAME: terraform } });
  const calls = () => readFileSync(join(stack, 'calls'), 'utf8').trim().split('\n');
  return { run, calls };
}

test.each([
  'adopt api',
  'adopt api --dry-run',
  'verify --stack api',
  'reach --live',
])('%s refuses the state of another stack, and asks nothing further of it', async (line) => {
  const { run, calls } = await misled();
  const { exit, stdout, stderr } = await run(...line.split(' '));
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/the state of api must not contain another stack.*payroll/);
  expect(stderr).not.toContain('vpc-1');
  expect(calls().filter((call) => !call.startsWith('init'))).toEqual(['state pull']);
});

test('Terraform’s error is told before its warnings, without frames and colours', async () => {
  const project = await temporaryFolder();
  const stack = join(project, 'cdktf.out', 'stacks', 'api');
  mkdirSync(stack, { recursive: true });
  const backend = { local: { path: join(project, 'api.tfstate') } };
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ terraform: { backend } }));
  const env = { TF_CLI_CONFIG_FILE: join(project, 'no-such-file') };
  const { exit, stderr } = await runHere(['verify', '--stack', 'api'], { cwd: project, env });
  expect(exit).toBe(2);
  expect(stderr).toContain(
    'the state of api cannot be read: Error: Backend initialization required',
  );
  expect(stderr).not.toMatch(/Warning|[│╷╵]|\[\d+m/);
});
