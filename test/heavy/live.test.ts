import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ReachReport, reachSchema } from '../../src/reach/report-schema.js';
import { requestedConnection } from '../../src/sandbox/cloud/types/endpoint-connection.js';
import { CONNECTION, GROUP, SERVICE } from '../sandbox/support.js';
import { recordCalls } from '../support/cloud-recorder.js';
import { deployableStack } from '../support/deployable-stacks.js';
import { InterruptibleDeploy } from '../support/interruptible-deploy.js';
import { runCli } from '../support/run-cli.js';

/** The part of a table that is compared: names of resources and reasons differ by where it is read. */
const told = ({ rows }: ReachReport) =>
  rows.map(({ direction, peer, services }) => `${direction} ${peer} ${services}`).sort();

describe.each(['api-access', 'plugin-access'] as const)('%s, deployed', (stack) => {
  let deploy: InterruptibleDeploy;
  beforeAll(async () => {
    deploy = await InterruptibleDeploy.start({
      name: `${stack}-test`,
      stack: deployableStack(stack),
      taskPolls: 1,
    });
    const { status, output } = await deploy.apply();
    expect(status, output).toBe(0);
  }, 120_000);
  afterAll(() => deploy.stop());

  /** Runs the program on the deployed cloud, every call of which is recorded. */
  async function runRecorded(...args: readonly string[]) {
    const env = { ...deploy.sandbox.env } as Record<string, string>;
    const recorder = await recordCalls(env.VOLCENGINE_CC_ENDPOINT ?? '');
    const { endpoint } = recorder;
    const own = { ...env, VOLCENGINE_CC_ENDPOINT: endpoint };
    return { recorder, ...(await runCli(args, { cwd: deploy.root, env: own })) };
  }

  async function ask(...args: readonly string[]) {
    const { exit, stdout, stderr } = await runCli(['reach', '--format', 'json', ...args], {
      cwd: deploy.root,
      env: { ...deploy.sandbox.env } as Record<string, string>,
    });
    expect(exit, stderr).toBe(0);
    return reachSchema.parse(JSON.parse(stdout));
  }

  test('the cloud opens what the tree opens', async () => {
    const [live, tree] = [await ask('--live'), await ask()];
    expect(told(live)).toEqual(told(tree));
    expect(live.rows.length).toBeGreaterThan(0);
    expect(live.unread).toEqual([]);
  });

  test.each([
    { args: ['reach', '--live'], status: 0 },
    // The stack that is deployed here has no access rules, which is forbidden.
    { args: ['review', '--base', 'live', '--head', 'cdktf.out'], status: 4 },
  ])('$args sends nothing but reads, and finds no drift', async ({ args, status }) => {
    const before = structuredClone(deploy.sandbox.cloud.state.resources);
    const { recorder, exit, stdout, stderr } = await runRecorded(...args);
    expect(exit, stdout + stderr).toBe(status);
    expect(stdout).not.toMatch(/last deploy|not read:|not judged/);
    expect(recorder.calls.length).toBeGreaterThan(10);
    expect(recorder.writes()).toEqual([]);
    expect(deploy.sandbox.cloud.state.resources).toEqual(before);
  });

  test('a rule that somebody added is in the table, and the tree does not have it', async () => {
    const [id = ''] = Object.keys(deploy.sandbox.cloud.state.resources[GROUP] ?? {});
    const { IngressPermissions: before } = deploy.sandbox.cloud.get(GROUP, id);
    const rule = {
      CidrIp: '203.0.113.0/24',
      Description: 'opened in the console',
      Direction: 'ingress',
      Policy: 'accept',
      PortStart: 8081,
      PortEnd: 8081,
      Priority: 1,
      Protocol: 'tcp',
    };
    const change = (value: unknown) =>
      deploy.sandbox.cloud.startUpdate(
        GROUP,
        id,
        [{ op: 'replace', path: '/IngressPermissions', value }],
        `edit-${Math.random()}`,
      );
    change([...(before as object[]), rule]);
    const live = await ask('--live');
    expect(told(live)).toContain('ingress 203.0.113.0/24 tcp 8081');
    expect(told(await ask())).not.toContain('ingress 203.0.113.0/24 tcp 8081');
    change(before);
  });
});

test('a deploy ends with the connections that wait, and with those of strangers as that', async () => {
  const deploy = await InterruptibleDeploy.start({
    name: 'plugin-access-test',
    stack: deployableStack('plugin-access'),
    taskPolls: 1,
  });
  onTestFinished(() => deploy.stop());
  const { name } = deploy;
  writeFileSync(
    join(deploy.root, 'cdktf.out', 'manifest.json'),
    JSON.stringify({ stacks: { [name]: { name, workingDirectory: `stacks/${name}` } } }),
  );
  const env = { ...deploy.sandbox.env } as Record<string, string>;
  const run = (...args: readonly string[]) => runCli(args, { cwd: deploy.root, env });
  const change = () => run('deploy', '--tree', 'cdktf.out', '--auto-approve', name);

  const first = await change();
  expect(first.exit, first.stderr).toBe(0);
  expect(first.stderr).not.toContain('asks to be connected');

  const { cloud } = deploy.sandbox;
  const [service = ''] = Object.keys(cloud.state.resources[SERVICE] ?? {});
  const ask = (endpointId: string, accountId: string) =>
    cloud.receive(CONNECTION, (scope) =>
      requestedConnection(
        cloud.get(SERVICE, service),
        { endpointId, accountId, vpcId: 'vpc-x', zoneId: 'cn-beijing-a' },
        scope,
      ),
    );
  const [account = ''] = [cloud.get(SERVICE, service).PermitAccountIds].flat().map(String);
  ask('ep-asked', account);
  ask('ep-stranger', '2100000666');
  const second = await change();
  expect(second.exit, second.stderr).toBe(0);
  expect(second.stderr).toContain(
    `ep-asked of account ${account} asks to be connected to ${service}; to accept it, add "ep-asked" to`,
  );
  expect(second.stderr).toMatch(/ep-stranger of account 2100000666 .* a stranger's/);
}, 120_000);
