import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { adoptStack, stopOrAdoptLeftBehind } from '../../src/adopt/adopt-stack.js';
import { planStack } from '../../src/adopt/plan-stack.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { startCloudServer } from '../../src/sandbox/cloud/cloud-server.js';
import { ACCESS_KEY, cloudEnvironment } from '../../src/sandbox/environment.js';
import { REGION } from '../../src/sandbox/surroundings.js';
import type { ChangingStack, Ended } from '../../src/terraform/terraform-folder.js';
import { temporaryFolder } from '../support/cleanup.js';

const STACK = 'api-blue';
const VPC = 'Volcengine::VPC::VPC';
const ADDRESS = 'volcenginecc_vpc_vpc.network';
const TAGS = [
  { key: 'secure-connectivity:address', value: ADDRESS },
  { key: 'secure-connectivity:stack', value: STACK },
];
const OBJECT = {
  CidrBlock: '10.40.0.0/16',
  Tags: TAGS.map(({ key, value }) => ({ Key: key, Value: value })),
};
/** A plan that makes the VPC, which an interrupted deploy has made already. */
const PLAN = {
  resource_changes: [
    {
      address: ADDRESS,
      mode: 'managed',
      type: 'volcenginecc_vpc_vpc',
      change: { actions: ['create'], after: { cidr_block: OBJECT.CidrBlock, tags: TAGS } },
    },
  ],
  configuration: {
    provider_config: { volcenginecc: {} },
    root_module: { resources: [{ address: ADDRESS, provider_config_key: 'volcenginecc' }] },
  },
};
const CAUTIOUS = { chosen: [], waitMs: -1, say: () => undefined };

let cloud: Cloud;

beforeEach(async () => {
  cloud = new Cloud({ taskPolls: 0 });
  const server = await startCloudServer(cloud, ACCESS_KEY);
  for (const [name, value] of Object.entries(cloudEnvironment(server.port, REGION))) {
    vi.stubEnv(name, value);
  }
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });
});

/** @param ended how every run of Terraform ends; by default it answers the plan */
async function stackWith(ended: Partial<Ended> = {}): Promise<ChangingStack> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'cdk.tf.json'), '{}');
  return {
    name: STACK,
    folder,
    program: 'terraform',
    lockTimeout: '1m',
    isInitialized: true,
    command: 'apply',
    context: { project: folder, lockTimeout: '1m', adopt: 'stop' },
    terraform: async () => ({ status: 0, stdout: JSON.stringify(PLAN), stderr: '', ...ended }),
    say: () => undefined,
  };
}

test('a deploy stops where it would make an object again', async () => {
  const id = cloud.create(VPC, OBJECT);
  await expect(stopOrAdoptLeftBehind(await stackWith())).rejects.toMatchObject({
    code: 'adopt.needed',
    message: expect.stringContaining(`${ADDRESS} is ${id} (Available`),
  });
});

test('a deploy goes on where nothing was left', async () => {
  cloud.create(VPC, { ...OBJECT, Tags: [] });
  await expect(stopOrAdoptLeftBehind(await stackWith())).resolves.toBeUndefined();
});

describe('what is not certain is not adopted', () => {
  test('two objects for one resource', async () => {
    const ids = [cloud.create(VPC, OBJECT), cloud.create(VPC, OBJECT)];
    await expect(adoptStack(await stackWith(), CAUTIOUS)).rejects.toMatchObject({
      code: 'adopt.needed',
      message: expect.stringMatching(
        new RegExp(`2 objects carry its mark: ${ids[0]} .*; ${ids[1]} `),
      ),
    });
  });

  test('an object that is still being created when the wait is over', async () => {
    const id = cloud.create(VPC, OBJECT);
    Object.assign(cloud.state.resources[VPC]?.[id] ?? {}, { Status: 'Creating' });
    await expect(adoptStack(await stackWith(), CAUTIOUS)).rejects.toMatchObject({
      code: 'adopt.needed',
      message: expect.stringContaining(`the cloud is still creating ${id}`),
    });
  });
});

describe('what the cloud has no more', () => {
  const deleted = { ...PLAN.resource_changes[0], change: { actions: ['delete'] } };

  /** @param ids of what the state has, all but the first deposed @param deposed the keys of what the plan deletes */
  async function adopting(
    ids: readonly string[],
    deposed: readonly (string | undefined)[],
    others: readonly object[] = [],
  ) {
    const resources = ids.map((id, index) => ({
      ...{ address: ADDRESS, type: 'volcenginecc_vpc_vpc', values: { id } },
      ...(index > 0 && { deposed_key: `key-${index}` }),
    }));
    const changes = deposed.map((key) => ({ ...deleted, deposed: key }));
    const prior = { values: { root_module: { resources: [...resources, ...others] } } };
    const runs: string[] = [];
    let plan: object = { ...PLAN, resource_changes: changes, prior_state: prior };
    const terraform = async (args: readonly string[]) => {
      runs.push(args.join(' '));
      if (args[1] === 'rm') plan = { ...PLAN, resource_changes: [] };
      return { status: 0, stdout: JSON.stringify(plan), stderr: '' };
    };
    const stack = await stackWith();
    const done = adoptStack({ ...stack, terraform }, CAUTIOUS).catch((error) => error);
    return { done: await done, removals: runs.filter((run) => run.startsWith('state rm')) };
  }

  test('is forgotten by Terraform, once for an address', async () => {
    const kept = { address: 'volcenginecc_vpc_vpc.other', type: 'volcenginecc_vpc_vpc' };
    const other = { ...kept, values: { id: cloud.create(VPC, OBJECT) } };
    const { done, removals } = await adopting(
      ['vpc-gone', 'vpc-too'],
      ['key-1', undefined],
      [other],
    );
    expect(removals).toEqual([`state rm -no-color -lock-timeout=1m ${ADDRESS}`]);
    expect(done).toEqual({ adopted: 0, forgotten: 2 });
  });

  test('stays where Terraform would forget what is there as well, with the commands for it', async () => {
    const id = cloud.create(VPC, OBJECT);
    const { done, removals } = await adopting([id, 'vpc-gone'], ['key-1']);
    expect(removals).toEqual([]);
    expect(done).toMatchObject({
      code: 'adopt.needed',
      message: expect.stringMatching(
        new RegExp(
          `was vpc-gone, which no longer .* state rm ${ADDRESS} && terraform .* import ${ADDRESS} ${id}, because`,
        ),
      ),
    });
  });
});

test('a run of Terraform that fails is told with its own words', async () => {
  const stack = await stackWith({ status: 1, stderr: 'Error: no such provider' });
  await expect(planStack(stack)).rejects.toMatchObject({
    code: 'terraform.failed',
    message: expect.stringMatching(/terraform plan of api-blue ended with 1: .*no such provider/),
  });
});
