import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODULE_SETTINGS, ROOT_FOLDER, writeRepository } from '../../support/hcl-root.js';
import { runCli } from '../../support/run-cli.js';

// One root of HCL from its first plan to its end: each test goes on where the one before it ended.

/** `tofu` runs all of it on OpenTofu. */
const TERRAFORM = process.env.TERRAFORM_BINARY_NAME ?? 'terraform';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hcl-root-'));
  writeRepository(folder);
  await synth();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]) =>
  runCli(args, { cwd: folder, env: { TF_CLI_CONFIG_FILE: '/dev/null', NO_COLOR: '1' } });

const synth = () =>
  run('synth', '--settings', 'production.json', '--module', 'modules/connectivity');

const FLAGS = ['-input=false', '-no-color'];

/** Runs Terraform on the root in the sandbox. */
const terraform = (command: string, ...args: string[]) =>
  inSandbox([], command, ...(command === 'show' ? [] : FLAGS), ...args);

const inSandbox = (flags: readonly string[], ...args: string[]) =>
  run('sandbox', '--own', ...flags, '--', TERRAFORM, `-chdir=${ROOT_FOLDER}`, ...args);

/** Plans, and writes what Terraform shows of the plan. */
async function plan(...args: string[]): Promise<string> {
  const made = await terraform('plan', '-out=plan', ...args);
  expect(made.exit, made.stderr).toBe(0);
  return shown('plan');
}

async function shown(...args: string[]): Promise<string> {
  const { stdout } = await terraform('show', '-json', ...args);
  const file = join(folder, `${args[0] ?? 'state'}.json`);
  writeFileSync(file, stdout);
  return file;
}

const rowOf = (team: string) =>
  expect.stringMatching(
    new RegExp(`^10\\.20\\.0\\.0/16  .*module\\.agent_service\\["${team}"\\]`, 'm'),
  );

test('a module with a check is called twice, in networks of the same root', async () => {
  const started = await terraform('init');
  expect(started.exit, started.stderr).toBe(0);
  expect(started.stderr).toMatch(
    /^sandbox: the cloud and the service are emulated; everything else in the root is your own and runs\n/,
  );
  const first = await plan();
  const table = await run('reach', '--plan', first);
  expect([table.exit, table.stdout]).toEqual([0, rowOf('orders')]);
  expect(table.stdout).toEqual(rowOf('ops/night'));
  const review = await run('review', '--plan', first);
  expect([review.exit, review.stdout]).toEqual([
    3,
    expect.stringContaining('NEEDS APPROVAL: 10.20.0.0/16 can now reach agents-'),
  ]);
  expect(review.stdout).not.toContain('a program runs at the deploy');

  const applied = await terraform('apply', '-auto-approve');
  expect(applied.exit, applied.stderr).toBe(0);
  expect(applied.stdout.match(/\(local-exec\): .*reachable in /g)).toHaveLength(2);
});

test('nothing is left to change, and the state answers as the plan did', async () => {
  const again = await terraform('plan', '-detailed-exitcode');
  expect([again.exit, again.stderr]).toEqual([0, expect.anything()]);
  const state = await shown();
  const answer = await run(
    ...['reach', '--state', state, '--from', '10.20.7.7', '--expect', 'reachable'],
    ...[
      '--to',
      'module.agent_service["orders"].volcenginecc_privatelink_vpc_endpoint.service_endpoint:443',
    ],
  );
  expect([answer.exit, answer.stdout]).toEqual([0, expect.stringMatching(/^YES: /)]);
});

test('a review asks for approval where a module checks other links than before', async () => {
  const same = await run('review', '--plan', await plan());
  expect([same.exit, same.stdout]).toEqual([0, expect.stringMatching(/^NO CHANGE: /)]);
  const main = join(folder, 'modules/connectivity/main.tf.json');
  const own = readFileSync(main, 'utf8');
  writeFileSync(main, own.replaceAll('api.sandbox.example', 'api.elsewhere.example'));
  const other = await run('review', '--plan', await plan());
  writeFileSync(main, own);
  expect([other.exit, other.stdout]).toEqual([3, expect.stringMatching(/^NEEDS APPROVAL: /)]);
  for (const team of ['orders', 'ops/night']) {
    expect(other.stdout).toMatch(
      new RegExp(
        `links of the check\\n +through: module\\.agent_service\\["${team}"\\]\\.null_resource\\.check`,
      ),
    );
  }
});

test('a review says which packets no longer pass, in each call', async () => {
  const { serviceEndpoint } = MODULE_SETTINGS;
  const narrower = { ...serviceEndpoint, allowedNetworks: ['10.20.0.0/17'] };
  writeRepository(folder, { ...MODULE_SETTINGS, serviceEndpoint: narrower });
  await synth();
  const review = await run('review', '--plan', await plan());
  expect([review.exit, review.stdout]).toEqual([
    0,
    expect.stringContaining('NARROWER: 10.20.128.0/17 can no longer reach agents-'),
  ]);
  for (const team of ['orders', 'ops-night']) {
    expect(review.stdout).toContain(`  - 10.20.128.0/17: agents-${team}-`);
  }
});

test('a check that fails fails the apply; without the check it passes', async () => {
  const closed = ['--fault', 'security-group-closed'];
  const failed = await inSandbox(closed, 'apply', ...FLAGS, '-auto-approve');
  expect([failed.exit, failed.stdout]).toEqual([1, expect.stringContaining('tcp.timeout')]);
  expect(failed.stderr).toContain('module.agent_service["orders"].null_resource.check[0]');

  const main = join(folder, ROOT_FOLDER, 'off_override.tf');
  writeFileSync(main, 'module "agent_service" {\n  run_check = false\n}\n');
  const passed = await inSandbox(closed, 'apply', ...FLAGS, '-auto-approve');
  expect([passed.exit, passed.stdout]).toEqual([0, expect.not.stringContaining('local-exec')]);
});

test('everything is destroyed, and the repository is as its owners wrote it', async () => {
  const destroyed = await terraform('destroy', '-auto-approve');
  expect(destroyed.exit, destroyed.stderr).toBe(0);
  expect(destroyed.stdout).toContain('Destroy complete!');
  expect(readdirSync(join(folder, ROOT_FOLDER)).sort()).toEqual([
    'main.tf',
    'note.txt',
    'off_override.tf',
  ]);
  expect(existsSync(join(folder, 'modules/network/.terraform'))).toBe(false);
});
