import { cpSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';
const GROUP = 'Volcengine::VPC::SecurityGroup';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    settings.check = { ...(settings.check as object), runOn: 'every-deploy' };
  });
  const deployed = await run.apply(STACK);
  expect(deployed.status, deployed.output).toBe(0);
});
afterAll(() => run.stop());

/** On a copy, as a plan leaves files beside the stack. */
function drift() {
  const tree = mkdtempSync(join(run.folder, 'tree-'));
  cpSync(join(run.folder, 'cdktf.out'), tree, { recursive: true });
  return run.run('bash', [resolve('shipped/ci-templates/drift.sh'), tree], {});
}

test('a check at every deploy is no drift', async () => {
  const ended = await drift();
  expect(ended.output).toContain(`drift: ${STACK} is as the code says`);
  expect(ended.status).toBe(0);
});

test('an opened group is shown as the access that the cloud has and the code does not give', async () => {
  const [group] = run.sandbox.cloud.list(GROUP);
  const rules = group?.properties.IngressPermissions as { Policy?: string }[];
  const accepting = rules.find(({ Policy }) => Policy === 'accept');
  const opened = { ...accepting, CidrIp: '203.0.113.0/24' };
  run.sandbox.cloud.startUpdate(
    GROUP,
    group?.identifier ?? '',
    [{ op: 'replace', path: '/IngressPermissions', value: [...rules, opened] }],
    '',
  );
  const ended = await drift();
  expect(ended.output).toContain('203.0.113.0/24');
  expect(ended.output).toContain('drift: the review of the code (base) against the cloud (head):');
  expect(ended.output).toContain('FORBIDDEN: ');
  expect(ended.output).toContain('ingress from 203.0.113.0/24, tcp 443');
  expect(ended.output).toContain(`drift: ${STACK} differs from the code`);
  expect(ended.status).toBe(2);
});

test('an endpoint and groups that were deleted behind Terraform are a difference', async () => {
  for (const { typeName, identifier } of run.sandbox.resources()) {
    if (/PrivateLink::VpcEndpoint$|SecurityGroup$/.test(typeName))
      delete run.sandbox.cloud.state.resources[typeName]?.[identifier];
  }
  const ended = await drift();
  expect(ended.output).toMatch(/vpc_endpoint\S* is gone from the cloud and still in the state/);
  expect(ended.output).toMatch(/security_group\S* is gone from the cloud/);
  expect(ended.status).toBe(2);
});
