import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFlags } from '../../../src/cli/deploy/deploy.js';
import { DEPLOY, TerraformProject, valueStack } from '../../support/terraform-project.js';

const variableStack = (more: object = {}) =>
  valueStack('one', '${var.size}', { variable: { size: { type: 'string' } }, ...more });

test('--var and --var-file set variables, of files in the working folder', async () => {
  const project = new TerraformProject({ one: variableStack() });
  project.write('values.tfvars', 'size = "of the file"\n');
  expect((await project.deploy(['--var-file', 'values.tfvars'])).status).toBe(0);
  expect(project.outputs('one')).toEqual({ value: 'of the file' });
  const { status, output } = await project.deploy(['--var', 'size=of the flag']);
  expect(status, output).toBe(0);
  expect(project.outputs('one')).toEqual({ value: 'of the flag' });
  expect((await project.destroy(['--var', 'size='])).status).toBe(0);
});

test('values of TF_VAR_ reach Terraform, and not the app', async () => {
  const project = new TerraformProject({ one: variableStack() });
  expect((await project.deploy([], { TF_VAR_size: 'of the environment' })).status).toBe(0);
  expect(project.outputs('one')).toEqual({ value: 'of the environment' });
  expect(project.read('app-environment')).not.toContain('TF_VAR_size');
});

test('the context and output folder of cdktf.json are the app’s', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const { app } = JSON.parse(project.read('cdktf.json')) as { app: string };
  project.write('cdktf.json', JSON.stringify({ app, output: 'made', context: { excluded: 'x' } }));
  expect((await project.deploy()).status).toBe(0);
  expect(project.has('made/stacks/one/cdk.tf.json')).toBe(true);
  const [, context = ''] = /^CDKTF_CONTEXT_JSON=(.*)$/m.exec(project.read('app-environment')) ?? [];
  expect(JSON.parse(context)).toEqual({
    excluded: 'x',
    cdktfRelativeModules: [],
  });
});

describe('--outputs-file', () => {
  const outputs = {
    output: { shown: { value: 'a' }, secret: { value: 'b', sensitive: true } },
    '//': { outputs: { one: { part: { name: 'shown', key: 'secret' } } } },
  };

  test('is replaced whole, without sensitive values unless they are asked for', async () => {
    const project = new TerraformProject({ one: valueStack('one', 1, outputs) });
    project.write('outputs.json', JSON.stringify({ former: { value: 'x'.repeat(1000) } }));
    const args = ['--outputs-file', 'outputs.json'];
    const first = await project.deploy(args);
    expect(first.status, first.output).toBe(0);
    expect(first.output).toContain('secret = <sensitive>');
    expect(JSON.parse(project.read('outputs.json'))).toEqual({ one: { part: { name: 'a' } } });
    await project.deploy([...args, '--outputs-file-include-sensitive-outputs']);
    expect(JSON.parse(project.read('outputs.json'))).toEqual({
      one: { part: { name: 'a', key: 'b' } },
    });
  });

  test('in a folder that is not there is refused before anything is done', async () => {
    const project = new TerraformProject({ one: valueStack('one', 1) });
    const { status, stderr } = await project.deploy(['--outputs-file', 'none/outputs.json']);
    expect(status).toBe(2);
    expect(stderr).toContain('`--outputs-file` must be in a folder that can be written');
    expect(project.has('cdktf.out')).toBe(false);
  });
});

test.each([
  ['--skip-synth', ['--skip-synth', '--output', 'reviewed']],
  ['--tree', ['--tree', 'reviewed']],
])('%s deploys what is there, as it is', async (_, args) => {
  const project = new TerraformProject({ one: valueStack('one', 'reviewed') });
  await project.deploy(['--output', 'reviewed']);
  expect((await project.destroy(args)).status).toBe(0);
  project.change({ stacks: { one: valueStack('one', 'changed later') }, exit: 9 });
  const { status, output } = await project.deploy(args);
  expect(status, output).toBe(0);
  expect(project.outputs('one')).toEqual({ value: 'reviewed' });
});

test.each([
  [
    ['--tree', 'none'],
    '`--tree` must be a tree that was synthesized, with a manifest.json, got: "none"',
  ],
  [['--tree', 'x', '--skip-synth'], '`--tree` must be given without --skip-synth, got: both'],
  [
    ['--parallelism', '0'],
    '`--parallelism` must be a whole number from 1, or -1 for no limit, got: "0"',
  ],
  [['--lock-timeout', 'soon'], '`--lock-timeout` must be a duration such as 500ms, 10s or 5m'],
])('%j is refused', async (args, message) => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  expect(await project.deploy(args)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(message),
  });
});

test('--parallelism says how many stacks are changed at once', async () => {
  const waiting = (own: string, other: string) => ({
    resource: {
      terraform_data: {
        value: {
          input: own,
          provisioner: [
            {
              'local-exec': {
                command: `touch ../../../${own}; for i in $(seq 100); do test -e ../../../${other} && exit 0; sleep 0.1; done; exit 1`,
              },
            },
          ],
        },
      },
    },
  });
  const stacks = {
    a: valueStack('a', 'a', waiting('one', 'two')),
    b: valueStack('b', 'b', waiting('two', 'one')),
  };
  const together = await new TerraformProject(stacks).deploy(['*']);
  expect(together.status, together.output).toBe(0);
  expect(together.output).toMatch(/^a {2}Apply complete!/m);
  expect(together.output).toMatch(/^b {2}Apply complete!/m);
  const first = { a: valueStack('a', 'a', { ...waiting('one', 'two') }), b: valueStack('b', 1) };
  first.a = JSON.parse(JSON.stringify(first.a).replace('seq 100', 'seq 5'));
  const alone = await new TerraformProject(first).deploy(['*', '--parallelism', '1']);
  expect(alone.status, alone.output).toBe(1);
  expect(alone.output.indexOf('b: Deploy complete!')).toBeGreaterThan(
    alone.output.indexOf('a: failed'),
  );
});

test('--refresh-only changes nothing but the state', async () => {
  const project = new TerraformProject({ one: valueStack('one', 'first') });
  await project.deploy();
  project.change({ stacks: { one: valueStack('one', 'second') } });
  const { status, output } = await project.deploy(['--refresh-only']);
  expect(status, output).toBe(0);
  expect(project.outputs('one')).toEqual({ value: 'first' });
});

/** A program that writes down how it is called, and then becomes Terraform. */
const RECORDER = '#!/bin/sh\necho "$*" >> "$CALLS"\nexec terraform "$@"\n';

async function callsOf(
  project: TerraformProject,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
) {
  project.write('recorder', RECORDER, 0o755);
  const { status, output } = await project.deploy(args, {
    TERRAFORM_BINARY_NAME: './recorder',
    CALLS: join(project.folder, 'calls'),
    ...env,
  });
  expect(status, output).toBe(0);
  return project.read('calls').trim().split('\n');
}

test('--terraform-parallelism and --no-color reach each run of Terraform that takes them', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const calls = await callsOf(project, ['--terraform-parallelism', '3', '--no-color']);
  const changing = calls.filter((call) => /^(plan|apply) /.test(call));
  // The last is the plan after the apply.
  expect(changing).toHaveLength(3);
  for (const call of changing) expect(call).toMatch(/ -no-color .*-parallelism=3/);
});

test('a lock timeout of the user’s own stands, wherever it is set', async () => {
  const own = '-lock-timeout=7s';
  for (const name of ['TF_CLI_ARGS_apply', 'TF_CLI_ARGS_plan']) {
    const project = new TerraformProject({ one: valueStack('one', 1) });
    const calls = await callsOf(project, [], { [name]: own });
    expect(calls.find((call) => call.startsWith('plan '))).not.toContain('-lock-timeout=1m');
  }
});

test('options of a plan in TF_CLI_ARGS_apply are the plan’s', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  await project.deploy();
  const { status, output } = await project.deploy([], {
    TF_CLI_ARGS_apply: '-replace=terraform_data.value',
  });
  expect(status, output).toBe(0);
  expect(output).toContain('1 added, 0 changed, 1 destroyed');
});

test.each([
  ['TF_CLI_ARGS', '-no-color -target=terraform_data.value', '-target'],
  ['TF_CLI_ARGS_plan', '-destroy', '-destroy'],
  ['TF_CLI_ARGS_apply', '-state=other.tfstate', '-state'],
  ['TF_CLI_ARGS_plan', "-var 'size=1'", '-var'],
])('%s with %s is refused', async (name, value, option) => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const { status, stderr } = await project.deploy([], { [name]: value });
  expect(status).toBe(2);
  expect(stderr).toContain(`\`${name}\` must not have ${option}, because`);
  expect(project.has('cdktf.out')).toBe(false);
});

test('TF_WORKSPACE has a state of its own', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const { status, output } = await project.deploy([], { TF_WORKSPACE: 'blue' });
  expect(status, output).toBe(0);
  expect(project.has('one.tfstate')).toBe(false);
  expect(project.has('cdktf.out/stacks/one/terraform.tfstate.d/blue')).toBe(true);
});

test.each(['cloud', 'remote'])('the backend %s is refused', async (backend) => {
  const own = { organization: 'one', workspaces: { name: 'one' } };
  const terraform = backend === 'cloud' ? { cloud: own } : { backend: { remote: own } };
  const project = new TerraformProject({ one: valueStack('one', 1, { terraform }) });
  const { status, stderr } = await project.deploy();
  expect(status).toBe(2);
  expect(stderr).toContain(
    `the backend of one must let Terraform run here, got: ${backend}; use cdktf deploy`,
  );
});

test('providers are cached in the user’s own folder, unless that is not wanted', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const home = { HOME: project.folder, CDKTF_DISABLE_PLUGIN_CACHE_ENV: '' };
  // The home of a process is that of its start.
  await project.run([...DEPLOY, '--disable-plugin-cache-env'], home);
  expect(project.has('.terraform.d')).toBe(false);
  await project.run(DEPLOY, home);
  expect(readdirSync(join(project.folder, '.terraform.d'))).toEqual(['plugin-cache']);
});

test('assets of a stack are there for Terraform', async () => {
  const project = new TerraformProject({ one: valueStack('one', '${file("assets/text/HASH/a")}') });
  const { app } = JSON.parse(project.read('cdktf.json')) as { app: string };
  const asset = 'cdktf.out/stacks/one/assets/text/HASH';
  project.write(
    'cdktf.json',
    JSON.stringify({ app: `${app} && mkdir -p ${asset} && printf here > ${asset}/a` }),
  );
  const { status, output } = await project.deploy();
  expect(status, output).toBe(0);
  expect(project.outputs('one')).toEqual({ value: 'here' });
});

test('an import without a resource shows the resource, and changes nothing', async () => {
  const project = new TerraformProject({
    one: valueStack('one', 1, { import: [{ to: 'terraform_data.other', id: 'an-id' }] }),
  });
  const { status, stderr, output } = await project.deploy();
  expect(status, output).toBe(2);
  expect(stderr).toContain('usage.invalid: one must have the resources that it imports');
  expect(stderr).toContain('resource "terraform_data" "other" {');
  expect(project.has('one.tfstate')).toBe(false);
});

test('a changed backend needs --migrate-state', async () => {
  const project = new TerraformProject({ one: valueStack('one', 'kept') });
  await project.deploy();
  const moved = { terraform: { backend: { local: { path: '../../../moved.tfstate' } } } };
  project.change({ stacks: { one: valueStack('one', 'kept', moved) } });
  const refused = await project.deploy();
  expect(refused.status, refused.output).toBe(2);
  expect(refused.stderr).toContain('deploy.state: the state of one must be where');
  expect(project.has('moved.tfstate')).toBe(false);
  const { status, output } = await project.deploy(['--migrate-state']);
  expect(status, output).toBe(0);
  expect(output).toContain('0 added, 0 changed, 0 destroyed');
  expect(project.outputs('moved')).toEqual({ value: 'kept' });
});

/** A mirror with a program that Terraform finds, and has no reason to run. */
function mirrorOf(project: TerraformProject, ...versions: readonly string[]): NodeJS.ProcessEnv {
  for (const version of versions) {
    const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const place = `mirror/registry.terraform.io/example/fake/${version}/${platform}`;
    mkdirSync(join(project.folder, place), { recursive: true });
    project.write(
      `${place}/terraform-provider-fake_v${version}`,
      `#!/bin/sh\n# ${version}\n`,
      0o755,
    );
  }
  const path = JSON.stringify(join(project.folder, 'mirror'));
  project.write(
    'terraform.rc',
    `provider_installation {\n  filesystem_mirror {\n    path = ${path}\n  }\n}\n`,
  );
  return { TF_CLI_CONFIG_FILE: join(project.folder, 'terraform.rc') };
}

test('a lock file that no longer fits is upgraded', async () => {
  const needing = (version: string) =>
    valueStack('one', 1, {
      terraform: { required_providers: { fake: { source: 'example/fake', version } } },
    });
  const project = new TerraformProject({ one: needing('1.0.0') });
  const env = mirrorOf(project, '1.0.0', '2.0.0');
  const lock = 'cdktf.out/stacks/one/.terraform.lock.hcl';
  await project.deploy([], env);
  expect(project.read(lock)).toContain('version     = "1.0.0"');
  project.change({ stacks: { one: needing('2.0.0') } });
  await project.deploy([], env);
  expect(project.read(lock)).toContain('version     = "2.0.0"');
});

test("the project's own lock file decides which version of a range is used", async () => {
  const required = { fake: { source: 'example/fake', version: '>= 1.0.0, < 3.0.0' } };
  const project = new TerraformProject({
    one: valueStack('one', 1, { terraform: { required_providers: required } }),
  });
  const lock = 'cdktf.out/stacks/one/.terraform.lock.hcl';
  await project.deploy([], mirrorOf(project, '1.0.0'));
  project.write('.terraform.lock.hcl', project.read(lock));
  rmSync(join(project.folder, lock));
  const env = mirrorOf(project, '2.0.0');
  await project.deploy([], env);
  expect(project.read(lock)).toContain('version     = "1.0.0"');
  for (const file of [lock, '.terraform.lock.hcl']) rmSync(join(project.folder, file));
  await project.deploy([], env);
  expect(project.read(lock)).toContain('version     = "2.0.0"');
});

test.each([
  ['10', '10s'],
  ['90s', '90s'],
  ['2m', '2m'],
])('--lock-timeout %s reaches Terraform as %s', (given, expected) => {
  expect(readFlags('deploy', ['--lock-timeout', given]).flags.lockTimeout).toBe(expected);
});
