import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { terraformsIn, until } from '../support/deploying.js';
import { startHttpStates } from '../support/http-states.js';
import { type Run, StackRun } from '../support/stack-run.js';
import type { StateServer } from '../support/state-server.js';
import { HAS_POSTGRES, startPostgres } from './support/postgres.js';
import { HAS_S3, startS3 } from './support/s3.js';

const API = 'api-access-sandbox';
/** All that the stack makes in the cloud, its preflight and check, and what it remembers of the subnet. */
const API_RESOURCES = 8;
const PLUGIN = 'plugin-access-sandbox';

const PRIVATE_PLUGIN = {
  name: 'order-lookup',
  backend: 'orders',
  serviceAccountId: '2100000001',
  payer: 'EndpointService',
  preventDestroy: false,
  loadBalancer: {
    network: { name: 'plugins', cidr: '10.40.0.0/16', subnets: { 'cn-beijing-a': '10.40.1.0/24' } },
    protocol: 'HTTP',
    port: 80,
    healthCheckPath: '/health',
    servers: [{ type: 'ip', ip: '10.40.1.10', port: 8080 }],
  },
};

interface Backend {
  readonly name: string;
  readonly isHere: boolean;
  readonly start: () => Promise<StateServer>;
  /** True if a Terraform that is killed leaves its lock behind. */
  readonly keepsLocks: boolean;
}

const BACKENDS: readonly Backend[] = [
  { name: 'PostgreSQL', isHere: HAS_POSTGRES, start: startPostgres, keepsLocks: false },
  { name: 'http with locks', isHere: true, start: startHttpStates, keepsLocks: true },
  { name: 'S3 (moto)', isHere: HAS_S3, start: startS3, keepsLocks: true },
];

describe.each(BACKENDS)('state in $name', ({ isHere, start, keepsLocks }) => {
  let run: StackRun;
  let server: StateServer;

  beforeAll(async () => {
    if (!isHere) return;
    run = await StackRun.start();
    server = await start();
    run.change('sandbox', (settings) => {
      Object.assign(settings, { pluginEndpointService: PRIVATE_PLUGIN, state: server.state });
    });
  });
  afterAll(async () => {
    await server?.stop();
    await run?.stop();
  });

  const stackFolder = (stack: string, output = 'cdktf.out') =>
    join(run.folder, output, 'stacks', stack);

  /** The sandbox's own state folder is put aside, so that the remote state is used. */
  const env = () => ({ ...server.env, CONNECTIVITY_STATE_FOLDER: '' });
  const change = (
    verb: 'deploy' | 'destroy',
    args: readonly string[],
    output = 'cdktf.out',
    onStart?: Parameters<StackRun['cli']>[2],
  ) =>
    run.cli(
      [verb, ...args, '--auto-approve', '--output', join(run.folder, output)],
      env(),
      onStart,
    );

  async function resourcesOf(stack: string, output = 'cdktf.out'): Promise<string[]> {
    const { status, stdout, stderr } = await run.terraform(stack, ['state', 'list'], env(), output);
    expect(status, stderr).toBe(0);
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('data.'));
  }

  async function expectBothDeployed(output = 'cdktf.out'): Promise<void> {
    const [api, plugin] = [await resourcesOf(API, output), await resourcesOf(PLUGIN, output)];
    expect(api).toContain('volcenginecc_privatelink_vpc_endpoint.service-endpoint');
    expect(plugin).toContain('volcenginecc_privatelink_endpoint_service.plugin-endpoint-service');
    expect(api).not.toContain('volcenginecc_privatelink_endpoint_service.plugin-endpoint-service');
    expect(plugin).not.toContain('volcenginecc_privatelink_vpc_endpoint.service-endpoint');
  }

  /** A plan of what is deployed finds nothing to do. */
  async function expectSettled(stack: string): Promise<void> {
    const args = ['plan', '-detailed-exitcode', '-input=false'];
    const { status, output } = await run.terraform(stack, args, env());
    expect(status, output).toBe(0);
  }

  /** By Terraform alone, between two tests. */
  async function empty(...stacks: readonly string[]): Promise<void> {
    for (const stack of stacks) expectDone(await run.destroy(stack, env()), 'Destroy complete!');
  }

  function expectDone({ status, output }: Run, text: string): void {
    expect(status, output).toBe(0);
    expect(output).toContain(text);
  }

  test.skipIf(!isHere)('two stacks one after the other keep what they have', async () => {
    expectDone(await change('deploy', [API]), `${API_RESOURCES} added, 0 changed, 0 destroyed`);
    expectDone(await change('deploy', [PLUGIN]), '0 changed, 0 destroyed');
    await expectBothDeployed();
    await expectSettled(API);
  });

  test.skipIf(!isHere)('all stacks are destroyed and deployed with one command', async () => {
    expectDone(await change('destroy', ['*']), 'Destroy complete!');
    expect([...(await resourcesOf(API)), ...(await resourcesOf(PLUGIN))]).toEqual([]);
    expectDone(await change('deploy', ['*']), `${API_RESOURCES} added, 0 changed, 0 destroyed`);
    await expectBothDeployed();
  });

  test.skipIf(!isHere)(
    'two stacks deployed at once do not wait for each other in vain',
    async () => {
      await empty(API, PLUGIN);
      const runs = await Promise.all([
        change('deploy', [API], 'one'),
        change('deploy', [PLUGIN], 'two'),
      ]);
      for (const one of runs) expectDone(one, '0 changed, 0 destroyed');
      expect(await resourcesOf(API, 'one')).toHaveLength(API_RESOURCES);
      expect(await resourcesOf(PLUGIN, 'two')).not.toEqual([]);
    },
  );

  test.skipIf(!isHere)('a deploy that is killed in mid-apply fails, and is recovered', async () => {
    await empty(API);
    const killed = await change('deploy', [API], 'cdktf.out', ({ output }) => {
      until(() => output().includes('network: Creating...')).then(() => {
        for (const pid of terraformsIn(stackFolder(API))) process.kill(pid, 'SIGKILL');
      });
    });
    expect(killed.status, killed.output).toBe(137);
    expect(killed.output).toContain(`Terraform was killed while it changed ${API}`);
    if (keepsLocks) {
      const locked = await change('deploy', [API, '--lock-timeout', '1s']);
      expect(locked.status, locked.output).toBe(2);
      const id = /force-unlock ([\w-]+)$/m.exec(locked.output)?.[1] ?? '';
      const unlocked = await run.terraform(API, ['force-unlock', '-force', id], env());
      expect(unlocked.status, unlocked.output).toBe(0);
    }
    expectDone(await change('deploy', [API, '--adopt', 'auto']), 'Apply complete!');
    await expectSettled(API);
  });

  test.skipIf(!isHere)('a state of another stack is refused before the plan', async () => {
    const pulled = await run.terraform(PLUGIN, ['state', 'pull'], env());
    await empty(API);
    await run.pushState(API, pulled.stdout, env());
    const { status, output } = await change('deploy', [API]);
    expect(status, output).toBe(2);
    expect(output).toContain(
      `deploy.state: the state of ${API} must not contain another stack, got: resources of ${PLUGIN}`,
    );
    expect(output).not.toMatch(/Plan:|Destroying/);
  });
});
