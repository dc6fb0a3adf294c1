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
const QUIET = { say: () => undefined, note: () => undefined };
const CAUTIOUS = { chosen: [], withDifferences: false, forgetGone: false, waitMs: -1, ...QUIET };

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
    code: 'adopt.left-behind',
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
      code: 'adopt.ambiguous',
      message: expect.stringMatching(
        new RegExp(`2 objects carry its mark: ${ids[0]} .*; ${ids[1]} `),
      ),
    });
  });

  test('an object that is still being created when the wait is over', async () => {
    const id = cloud.create(VPC, OBJECT);
    Object.assign(cloud.state.resources[VPC]?.[id] ?? {}, { Status: 'Creating' });
    await expect(adoptStack(await stackWith(), CAUTIOUS)).rejects.toMatchObject({
      code: 'adopt.unsettled',
      message: expect.stringContaining(`the cloud is still creating ${id}`),
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
