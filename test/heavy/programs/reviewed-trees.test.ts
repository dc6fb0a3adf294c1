import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { copyReviewedTree } from '../../../src/cli/deploy/tree/reviewed-tree.js';
import { ownerMark } from '../../../src/files/owner.js';
import { readTreeFiles, treeDigest } from '../../../src/terraform/tree-digest.js';
import type { Run } from '../../support/stack-run.js';
import { TerraformProject, valueStack } from '../../support/terraform-project.js';

const VARIABLE = { reviewed_files: { type: 'string', default: '' } };
const stack = (value: unknown = 1, more: object = {}) =>
  valueStack('one', value, {
    variable: VARIABLE,
    output: {
      value: { value: '${terraform_data.value.output}' },
      reviewed: { value: '${var.reviewed_files}' },
    },
    ...more,
  });

const EMPTY_LOCK = 'tree/stacks/one/.terraform.lock.hcl';

function project(one = stack()): TerraformProject {
  const made = new TerraformProject({ one });
  made.write(EMPTY_LOCK, '');
  return made;
}

const digestOf = (made: TerraformProject) =>
  treeDigest(readTreeFiles(realpathSync(join(made.folder, 'tree'))));
const reviewedTree = (made: TerraformProject) => ['--tree', 'tree', '--reviewed', digestOf(made)];
const copies = ({ folder }: TerraformProject) =>
  readdirSync(folder).filter((name) => name.includes('-reviewed.'));

function expectRefused(made: TerraformProject, { status, output }: Run, why: string): void {
  expect([status, output]).toEqual([2, expect.stringContaining(why)]);
  expect(output).toContain('nothing was changed');
  expect(made.has('one.tfstate')).toBe(false);
  expect(copies(made)).toEqual([]);
}

test('a tree with another digest is refused by its code, and no copy of it is left', () => {
  const made = project();
  expect(() => copyReviewedTree(join(made.folder, 'tree'), '0'.repeat(64))).toThrow(
    expect.objectContaining({ code: 'deploy.not-reviewed' }),
  );
  expect(copies(made)).toEqual([]);
});

test('the files of the digest are deployed, twice, and destroyed', async () => {
  const made = project();
  const { status, output } = await made.deploy(reviewedTree(made));
  expect(status, output).toBe(0);
  const { reviewed } = made.outputs('one');
  const own = readTreeFiles(join(made.folder, 'tree')).filter(({ path }) =>
    path.startsWith('stacks/one/'),
  );
  expect(reviewed).toBe(treeDigest(own));
  const second = await made.deploy(reviewedTree(made));
  expect([second.status, second.output]).toEqual([0, expect.stringContaining('No changes.')]);
  expect(readdirSync(join(made.folder, 'tree/stacks/one')).sort()).toEqual([
    '.terraform.lock.hcl',
    'cdk.tf.json',
  ]);
  const ended = await made.destroy(reviewedTree(made));
  expect([ended.status, copies(made)]).toEqual([0, []]);
  expect(made.outputs('one')).toEqual({});
});

test('the digest of a stack stays when another stack of the tree changes', async () => {
  const made = new TerraformProject({ one: stack(), two: valueStack('two', 1) });
  for (const name of ['one', 'two']) made.write(`tree/stacks/${name}/.terraform.lock.hcl`, '');
  await made.deploy(['*', ...reviewedTree(made)]);
  const { reviewed } = made.outputs('one');
  made.write('tree/stacks/two/notes', 'another');
  const { status } = await made.deploy(['*', ...reviewedTree(made)]);
  expect([status, made.outputs('one').reviewed]).toEqual([0, reviewed]);
});

test('what lies in the tree and is no part of the digest is not read', async () => {
  const made = project();
  const reviewed = reviewedTree(made);
  mkdirSync(join(made.folder, 'tree/stacks/one/.terraform'));
  const elsewhere = { backend: { type: 'local', config: { path: '/nowhere/x.tfstate' } } };
  made.write('tree/stacks/one/.terraform/terraform.tfstate', JSON.stringify(elsewhere));
  made.write('tree/stacks/one/errored.tfstate', '{}');
  made.write('tree/stacks/one/plan', 'x');
  const { status, output } = await made.deploy(reviewed);
  expect(status, output).toBe(0);
  expect(made.outputs('one').value).toBe(1);
});

test('a program in the tree is not run in the place of one on the PATH', async () => {
  const made = project();
  const names = ['terraform', 'setpriv', 'sh'];
  const text = '#!/bin/sh\necho ran >> ../../../ran\nexit 1\n';
  for (const name of names) made.write(`tree/stacks/one/${name}`, text, 0o755);
  const env = { PATH: `:.:${process.env.PATH}` };
  const { status, output } = await made.deploy(reviewedTree(made), env);
  expect([status, made.has('ran')], output).toEqual([0, false]);
});

test('the data folder of another run is not used', async () => {
  const made = project();
  const { status, output } = await made.deploy(reviewedTree(made), { TF_DATA_DIR: 'elsewhere' });
  expect(status, output).toBe(0);
  expect(existsSync(join(made.folder, 'elsewhere'))).toBe(false);
});

test.each<[string, (made: TerraformProject) => void, string]>([
  [
    'whose manifest changed',
    (made) => made.write('tree/manifest.json', `${made.read('tree/manifest.json')} `),
    'must be the tree with the digest',
  ],
  [
    'with an override that came',
    (made) => made.write('tree/stacks/one/x_override.tf.json', '{"output":{}}'),
    'must be the tree with the digest',
  ],
  [
    'with variables that came',
    (made) => made.write('tree/stacks/one/terraform.tfvars', 'reviewed_files = "x"'),
    'must be the tree with the digest',
  ],
  [
    'whose lock went',
    (made) => rmSync(join(made.folder, EMPTY_LOCK)),
    '"stacks/one/.terraform.lock.hcl" must be there',
  ],
  [
    'with a link in the place of a file',
    (made) => {
      const file = join(made.folder, 'tree/stacks/one/cdk.tf.json');
      renameSync(file, join(made.folder, 'other.json'));
      symlinkSync('../../../other.json', file);
    },
    '"stacks/one/cdk.tf.json" must not be a link',
  ],
])('a tree %s is refused', async (_, change, why) => {
  const made = project();
  const reviewed = reviewedTree(made);
  change(made);
  expectRefused(made, await made.deploy(reviewed), why);
});

test.each<[string, string[], NodeJS.ProcessEnv]>([
  ['TF_VAR_reviewed_files', [], { TF_VAR_reviewed_files: 'x' }],
  ['TF_VAR_reviewed_files', [], { TF_VAR_reviewed_files: '' }],
  ['TF_CLI_ARGS_plan', [], { TF_CLI_ARGS_plan: '-parallelism=2' }],
  ['TF_CLI_ARGS', [], { TF_CLI_ARGS: '-no-color' }],
  ['--var', ['--var', 'reviewed_files=x'], {}],
  ['--var', [], { CDKTF_VAR: 'reviewed_files=x' }],
  ['--var-file', ['--var-file', 'x.tfvars'], {}],
  ['--migrate-state', ['--migrate-state'], {}],
])('%s beside the tree is refused', async (name, args, env) => {
  const made = project();
  const ended = await made.deploy([...reviewedTree(made), ...args], env);
  expectRefused(made, ended, `must be without ${name}, which is no part of the tree`);
});

test.each<[string, object, NodeJS.ProcessEnv]>([
  ['in the tree', { path: '../../one.tfstate' }, {}],
  ['in the folder of the stack, as none is named', { path: null }, {}],
  [
    'of a workspace, in the folder of the stack',
    { path: '../../../one.tfstate' },
    { TF_WORKSPACE: 'blue' },
  ],
])('a state %s is refused', async (_, local, env) => {
  const made = project(stack(1, { terraform: { backend: { local } } }));
  const ended = await made.deploy(reviewedTree(made), env);
  expectRefused(made, ended, 'the state of one must not be in the tree');
});

test('a state of a stack that names no backend is refused', async () => {
  const made = project(stack(1, { terraform: {} }));
  expectRefused(made, await made.deploy(reviewedTree(made)), 'must not be in the tree');
});

test('a module is read in the tree, and refused outside of it', async () => {
  const made = project(stack(1, { module: { more: { source: './module' } } }));
  mkdirSync(join(made.folder, 'tree/stacks/one/module'));
  made.write('tree/stacks/one/module/main.tf', 'output "x" {\n  value = 1\n}\n');
  const outside = new TerraformProject({
    one: stack(1, { module: { more: { source: '../../../module' } } }),
  });
  outside.write(EMPTY_LOCK, '');
  cpSync(join(made.folder, 'tree/stacks/one/module'), join(outside.folder, 'module'), {
    recursive: true,
  });
  const { status, output } = await made.deploy(reviewedTree(made));
  expect(status, output).toBe(0);
  expectRefused(
    outside,
    await outside.deploy(reviewedTree(outside)),
    'the modules of one must be files of the tree, got: ../../../module',
  );
});

test.each(['1', 'true', 'yes'])('a runner that says %s requires a digest', async (value) => {
  const made = project();
  const env = { SECURE_CONNECTIVITY_REQUIRE_REVIEWED: value };
  for (const run of [made.deploy([], env), made.destroy([], env)]) {
    expectRefused(made, await run, 'pass the digest of a reviewed tree');
  }
  expect((await made.deploy(reviewedTree(made), env)).status).toBe(0);
});

test.each([
  [['--tree', 'tree', '--reviewed', 'abc'], '`--reviewed` must be a tree digest'],
  [['--reviewed', 'a'.repeat(64)], '`--reviewed` must be given with --tree'],
  [['--tree', 'none', '--reviewed', 'a'.repeat(64)], '`--tree` must be a folder'],
])('%j is a mistake', async (args, why) => {
  const made = project();
  const { status, output } = await made.deploy(args);
  expect([status, output]).toEqual([2, expect.stringContaining(why)]);
});

test.skipIf(process.getuid?.() === 0)(
  'a tree beside which nothing can be written is refused',
  async () => {
    const made = project();
    mkdirSync(join(made.folder, 'closed'));
    renameSync(join(made.folder, 'tree'), join(made.folder, 'closed/tree'));
    const digest = treeDigest(readTreeFiles(join(made.folder, 'closed/tree')));
    chmodSync(join(made.folder, 'closed'), 0o500);
    const ended = await made.deploy(['--tree', 'closed/tree', '--reviewed', digest]);
    chmodSync(join(made.folder, 'closed'), 0o700);
    expect(ended.output).toContain('`--tree` must be in a folder that can be written');
    expect(ended.status).toBe(2);
  },
);

test('the result of the check is handed back to the tree', async () => {
  const provisioner = [{ 'local-exec': { command: 'echo seen > connectivity-check.json' } }];
  const resource = { terraform_data: { value: { input: 1, provisioner } } };
  const made = project(stack(1, { resource }));
  const reviewed = reviewedTree(made);
  const secret = join(made.folder, 'secret');
  writeFileSync(secret, 'kept');
  symlinkSync(secret, join(made.folder, 'tree/stacks/one/connectivity-check.json'));
  const { status, output } = await made.deploy(reviewed);
  expect(status, output).toBe(0);
  expect(made.read('tree/stacks/one/connectivity-check.json')).toBe('seen\n');
  expect(made.read('secret')).toBe('kept');
  expect(reviewedTree(made)).toEqual(reviewed);
});

test('what a killed deploy could not save is not passed over in the copy that it left', async () => {
  const made = project();
  // No process started at the boot's first tick with this number.
  const copy = `secure-connectivity-reviewed.${ownerMark().replace(/\w+$/, '1')}.killed`;
  const leave = (stack: string) => {
    const file = `${copy}/stacks/${stack}/errored.tfstate`;
    mkdirSync(dirname(join(made.folder, file)), { recursive: true });
    made.write(file, '{}');
    return join(made.folder, file);
  };
  const ofAnother = leave('others');
  expect((await made.deploy(reviewedTree(made))).status).toBe(0);
  const file = leave('one');
  for (const verb of ['deploy', 'destroy'] as const) {
    const { status, output } = await made[verb](reviewedTree(made));
    expect([status, output]).toEqual([2, expect.stringContaining(`could not save, got: ${file}`)]);
  }
  expect(made.outputs('one').value).toBe(1);
  expect([file, ofAnother].map((path) => existsSync(path))).toEqual([true, true]);
  expect(copies(made)).toEqual([copy]);
});
