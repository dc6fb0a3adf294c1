import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readOwnState } from '../../../src/adopt/own-state.js';
import {
  refuseKeptResources,
  refuseStateInCheckout,
} from '../../../src/cli/deploy/approval/plan-checks.js';
import { factsOf } from '../../../src/codes/codes.js';
import type { ChangingStack, Ended } from '../../../src/terraform/terraform-folder.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { runHere } from '../../support/run-here.js';

const VPC = 'volcenginecc_vpc_vpc';

interface Held {
  readonly type?: string;
  readonly name: string;
  readonly stack?: string;
}

/** A state as Terraform pulls it. */
function state(...resources: readonly Held[]): string {
  return JSON.stringify({
    version: 4,
    resources: resources.map(({ type = VPC, name, stack }) => ({
      mode: 'managed',
      type,
      name,
      instances: [
        {
          attributes: {
            tags: stack === undefined ? null : [{ key: 'secure-connectivity:stack', value: stack }],
          },
        },
      ],
    })),
  });
}

async function stackWith(
  pulled: Partial<Ended>,
  { stateOf, terraform = {} }: { stateOf?: string; terraform?: object } = {},
): Promise<ChangingStack> {
  const folder = await temporaryFolder();
  const resource = { [VPC]: { network: {}, renamed: {} } };
  const moved = [{ from: `${VPC}.former`, to: `${VPC}.renamed` }];
  await writeFile(join(folder, 'cdk.tf.json'), JSON.stringify({ resource, moved, terraform }));
  return {
    name: 'api-blue',
    folder,
    program: 'terraform',
    lockTimeout: '1m',
    command: 'apply',
    context: {
      project: folder,
      lockTimeout: '1m',
      stateOf,
      adopt: 'off',
    },
    terraform: async () => ({ status: 0, stdout: '', stderr: '', ...pulled }),
    say: () => undefined,
  };
}

describe('a state is let through', () => {
  test.each<[string, string]>([
    ['where there is none yet', ''],
    ['without resources', state()],
    ['with resources of the stack', state({ name: 'network', stack: 'api-blue' })],
    [
      'from before the marks, with a resource of the stack',
      state({ name: 'x' }, { name: 'network' }),
    ],
    ['from before the marks, with a resource that the stack has moved', state({ name: 'former' })],
  ])('%s', async (_, stdout) => {
    await expect(readOwnState(await stackWith({ stdout }))).resolves.toBeTypeOf('object');
  });

  test('of the stack that --state-of names', async () => {
    const stdout = state({ name: 'other', stack: 'api-green' });
    const stack = await stackWith({ stdout }, { stateOf: 'api-green' });
    await expect(readOwnState(stack)).resolves.toEqual(JSON.parse(stdout));
  });
});

describe('a state is refused', () => {
  test.each<[string, string, string]>([
    [
      'with resources of another stack, also beside its own',
      state({ name: 'network', stack: 'api-blue' }, { name: 'network', stack: 'api-green' }),
      'the state of api-blue must not contain another stack, got: resources of api-green; nothing was changed. Give each stack its own state, or take this one over with: secure-connectivity deploy api-blue --state-of api-green',
    ],
    [
      'from before the marks, with nothing that the stack has',
      state({ type: 'volcenginecc_clb_clb', name: 'balancer' }),
      'got: volcenginecc_clb_clb.balancer, and nothing that this stack has',
    ],
  ])('%s', async (_, stdout, message) => {
    await expect(readOwnState(await stackWith({ stdout }))).rejects.toMatchObject({
      code: 'deploy.state',
      message: expect.stringContaining(message),
    });
  });

  test.each<[string, Partial<Ended>]>([
    ['that Terraform cannot read', { status: 1, stderr: 'Error: no route to the backend' }],
    ['that is no state', { stdout: '<html>', stderr: '' }],
  ])('%s', async (_, ended) => {
    await expect(readOwnState(await stackWith(ended))).rejects.toMatchObject({
      code: 'deploy.state',
    });
    expect(factsOf('deploy.state').exit).toBe(2);
  });

  test('of a third stack, whatever --state-of names', async () => {
    const stdout = state({ name: 'other', stack: 'api-red' });
    const stack = await stackWith({ stdout }, { stateOf: 'api-green' });
    await expect(readOwnState(stack)).rejects.toThrow('resources of api-red');
  });
});

describe('a state in the checkout of a CI job', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const local = (path: string) => ({ terraform: { backend: { local: { path } } } });

  test.each(['GITHUB_ACTIONS', 'GITLAB_CI'])('is refused, as %s says', async (variable) => {
    vi.stubEnv(variable, 'true');
    vi.stubEnv('CONNECTIVITY_STATE_FOLDER', '');
    const stack = await stackWith({}, local('states/api-blue.tfstate'));
    await expect(refuseStateInCheckout(stack)).rejects.toMatchObject({
      code: 'deploy.state',
      message: expect.stringContaining(
        'the state must not be in the checkout, which the next job cleans, got: states/api-blue.tfstate',
      ),
    });
  });

  test.each<[string, object, Record<string, string>]>([
    ['outside the checkout', local('../states/api-blue.tfstate'), {}],
    ['in a remote backend', { terraform: { backend: { pg: {} } } }, {}],
    ['where the job has named the folder', local('x'), { CONNECTIVITY_STATE_FOLDER: '/states' }],
    ['on a machine that is no runner', local('x'), { GITHUB_ACTIONS: '', GITLAB_CI: '' }],
  ])('is no matter %s', async (_, configured, env) => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('CONNECTIVITY_STATE_FOLDER', '');
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const stack = await stackWith({}, configured);
    await expect(refuseStateInCheckout(stack)).resolves.toBeUndefined();
  });
});

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint.service-endpoint';
const SERVICE = 'volcenginecc_privatelink_endpoint_service.order-lookup';

const facts = {
  backend: '',
  backendType: 'local',
  reads: [],
  hasImports: false,
  checks: [],
  kept: [ENDPOINT, SERVICE],
  outputs: undefined,
};

const refused = (address: string) => `
│ Error: Instance cannot be destroyed
│
│   on cdk.tf.json line 12, in resource:
│
│ Resource ${address} has
│ lifecycle.prevent_destroy set, but the plan calls for this resource to be
│ destroyed.
`;

test.each([
  [ENDPOINT, 'serviceEndpoint.preventDestroy'],
  [SERVICE, 'pluginEndpointService.preventDestroy'],
])('the refusal for %s names it alone, and its setting', (address, setting) => {
  const refuse = () => refuseKeptResources('deploy', { name: 'api' }, facts, refused(address));
  expect(refuse).toThrow(
    `${address} of api must not be destroyed or replaced while \`preventDestroy\` is true, got: a plan that does so; nothing was changed. To allow it, set \`${setting}\` to false in the settings, and run this again`,
  );
});

test('another failure is left to Terraform', () => {
  expect(() => refuseKeptResources('destroy', { name: 'api' }, facts, 'Error: no')).not.toThrow();
});

test('a reviewed deploy runs on a copy, whatever names its tree', async () => {
  const flags = ['--tree', '', '--reviewed', '0'.repeat(64), '--auto-approve'];
  const env = { TERRAFORM_BINARY_NAME: process.execPath };
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'manifest.json'), '{"stacks":{}}');
  const { exit, output } = await runHere(['deploy', ...flags], { env, cwd });
  expect(exit).toBe(2);
  expect(output).toContain('must be the tree with the digest 000');
});
