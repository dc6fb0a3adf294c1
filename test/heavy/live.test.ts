import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReachReport, reachSchema } from '../../src/reach/report-schema.js';
import { GROUP } from '../sandbox/support.js';
import { deployableStack } from '../support/deployable-stacks.js';
import { InterruptibleDeploy } from '../support/interruptible-deploy.js';
import { runCli } from '../support/run-cli.js';

/** What is compared of a table: names of resources and reasons differ by where it is read. */
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
