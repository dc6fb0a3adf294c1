import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { run } from '../../ci-templates/run.js';
import { temporaryFolder } from '../../support/cleanup.js';

const script = (name: string) =>
  fileURLToPath(new URL(`../../../shipped/ci-templates/${name}`, import.meta.url));

const SYNTH = `
import { mkdirSync, writeFileSync } from 'node:fs';
const folder = process.argv[2] + '/stacks/api-' + process.env.CONNECTIVITY_ENV;
mkdirSync(folder, { recursive: true });
writeFileSync(folder + '/access.json', '{}');
writeFileSync(folder + '/cdk.tf.json', '{"resource":{"terraform_data":{"a":{}}}}');
const name = 'api-' + process.env.CONNECTIVITY_ENV;
const stack = { name, workingDirectory: 'stacks/' + name, dependencies: [] };
const manifest = { version: 'x', stacks: { [name]: stack } };
writeFileSync(process.argv[2] + '/manifest.json', JSON.stringify(manifest));
`;

const PROJECT = {
  'cdktf.json': '{}',
  'stacks/settings/staging.json': '{}',
  'stacks/settings/production.json': '{}',
};

describe('synthesize.sh', () => {
  async function checkout(files: Record<string, string>): Promise<string> {
    const folder = await temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return folder;
  }

  test('puts the stacks of every environment into one tree with one manifest', async () => {
    const folder = await checkout({ ...PROJECT, 'synth.mjs': SYNTH });
    const tree = join(await temporaryFolder(), 'tree');
    const env = { INSTALL: 'touch installed', SYNTH: 'node synth.mjs' };
    const ended = await run(
      'bash',
      [script('synthesize.sh'), folder, tree, 'staging', 'production'],
      { env },
    );
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect((await readdir(join(tree, 'stacks'))).sort()).toEqual(['api-production', 'api-staging']);
    expect(await readdir(folder)).toContain('installed');
    const manifest = JSON.parse(await readFile(join(tree, 'manifest.json'), 'utf8'));
    const stack = (name: string) => [
      name,
      { name, workingDirectory: `stacks/${name}`, dependencies: [] },
    ];
    const stacks = ['api-staging', 'api-production'].map(stack);
    expect(manifest).toEqual({ version: 'x', stacks: Object.fromEntries(stacks) });
  });

  test('makes the lock file of a stack, of providers that stay out of the tree', async () => {
    const stack = await temporaryFolder();
    const folder = await checkout({ ...PROJECT, 'synth.mjs': SYNTH });
    // The builtin provider alone needs no lock.
    const init =
      '[ "$1" = -chdir=$2 ] || true; touch "${1#-chdir=}.terraform.lock.hcl"; mkdir -p "$TF_DATA_DIR"; echo "$@"; echo "$TF_DATA_DIR" >&2';
    await writeFile(join(stack, 'terraform'), `#!/bin/bash\n${init}\n`, { mode: 0o755 });
    const tree = join(await temporaryFolder(), 'tree');
    const env = {
      ...{ INSTALL: 'true', SYNTH: 'node synth.mjs' },
      TERRAFORM_BINARY_NAME: join(stack, 'terraform'),
    };
    const ended = await run('bash', [script('synthesize.sh'), folder, tree, 'staging'], { env });
    expect(ended).toMatchObject({ status: 0, stdout: '' });
    const files = ['.terraform.lock.hcl', 'access.json', 'cdk.tf.json'];
    expect((await readdir(join(tree, 'stacks', 'api-staging'))).sort()).toEqual(files);
    expect(existsSync(dirname(ended.stderr.trim()))).toBe(false);
    const without = { ...env, TERRAFORM_BINARY_NAME: '/nowhere/terraform' };
    const other = join(await temporaryFolder(), 'tree');
    const args = [script('synthesize.sh'), folder, other, 'staging'];
    const missing = await run('bash', args, { env: without });
    expect([missing.status, missing.stderr]).toEqual([
      0,
      expect.stringContaining('no /nowhere/terraform on the PATH: the stacks have no lock files'),
    ]);
    expect(await readdir(join(other, 'stacks', 'api-staging'))).toEqual(files.slice(1));
  });

  test('makes an empty lock file where Terraform has no provider to install', async () => {
    const folder = await checkout({ ...PROJECT, 'synth.mjs': SYNTH });
    const program = join(await temporaryFolder(), 'terraform');
    await writeFile(program, '#!/bin/bash\nexit 0\n', { mode: 0o755 });
    const tree = join(await temporaryFolder(), 'tree');
    const env = { INSTALL: 'true', SYNTH: 'node synth.mjs', TERRAFORM_BINARY_NAME: program };
    const ended = await run('bash', [script('synthesize.sh'), folder, tree, 'staging'], { env });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    const lock = join(tree, 'stacks', 'api-staging', '.terraform.lock.hcl');
    expect(await readFile(lock, 'utf8')).toBe('');
  });

  test("keeps the versions of the checkout's own lock file", async () => {
    const folder = await checkout({
      ...{ ...PROJECT, 'synth.mjs': SYNTH },
      '.terraform.lock.hcl': '# of the checkout\n',
    });
    const program = join(await temporaryFolder(), 'terraform');
    const init = 'echo "# of init" >> "${1#-chdir=}.terraform.lock.hcl"';
    await writeFile(program, `#!/bin/bash\n${init}\n`, { mode: 0o755 });
    const tree = join(await temporaryFolder(), 'tree');
    const env = { INSTALL: 'true', SYNTH: 'node synth.mjs', TERRAFORM_BINARY_NAME: program };
    const ended = await run('bash', [script('synthesize.sh'), folder, tree, 'staging'], { env });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    const lock = join(tree, 'stacks', 'api-staging', '.terraform.lock.hcl');
    expect(await readFile(lock, 'utf8')).toBe('# of the checkout\n# of init\n');
    expect(await readFile(join(folder, '.terraform.lock.hcl'), 'utf8')).toBe('# of the checkout\n');
  });

  test.each([
    ['no manifest', "fs.rmSync(out + '/manifest.json')", 'must write a manifest.json'],
    [
      'the same stack for two environments',
      "fs.writeFileSync(out + '/manifest.json', JSON.stringify({ stacks: { a: {} } }))",
      'must have stacks of different names, got in two: "a"',
    ],
  ])('%s is no tree', async (_, change, why) => {
    const more = `import fs from 'node:fs';\nconst out = process.argv[2];\n${change};\n`;
    const folder = await checkout({ ...PROJECT, 'synth.mjs': `${SYNTH}${more}` });
    const tree = join(await temporaryFolder(), 'tree');
    const env = { INSTALL: 'true', SYNTH: 'node synth.mjs' };
    const ended = await run('bash', [script('synthesize.sh'), folder, tree], { env });
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  test('a name of a settings file that begins a line of the log is refused, and none is begun', async () => {
    const folder = await checkout({ ...PROJECT, 'stacks/settings/a\n::add-mask::b.json': '{}' });
    const tree = join(await temporaryFolder(), 'tree');
    const ended = await run('bash', [script('synthesize.sh'), folder, tree]);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('must be made of')]);
    expect(ended.stderr).not.toMatch(/^::/m);
  });

  test('synthesizes with cdktn where the project has no cdktf', async () => {
    const program = `#!/usr/bin/env node\nprocess.argv.splice(2, 2);\n${SYNTH}`;
    const folder = await checkout(PROJECT);
    const programs = join(folder, 'node_modules', '.bin');
    await mkdir(programs, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'cdktn.mjs'), program, { mode: 0o755 });
    await symlink(join(folder, 'cdktn.mjs'), join(programs, 'cdktn'));
    const tree = join(await temporaryFolder(), 'tree');
    const env = { INSTALL: 'true' };
    const ended = await run('bash', [script('synthesize.sh'), folder, tree, 'staging'], { env });
    expect(ended.status, ended.stderr).toBe(0);
    expect(await readdir(join(tree, 'stacks'))).toEqual(['api-staging']);
  });

  test('a checkout without a project gives an empty tree', async () => {
    const tree = join(await temporaryFolder(), 'tree');
    const ended = await run('bash', [
      script('synthesize.sh'),
      await checkout({}),
      tree,
      'production',
    ]);
    expect(ended.status).toBe(0);
    expect(await readdir(tree)).toEqual([]);
  });

  test('leaves out an environment without a settings file, and takes all where none is named', async () => {
    const folder = await checkout({ ...PROJECT, 'synth.mjs': SYNTH });
    const synthesized = async (...environments: string[]) => {
      const tree = join(await temporaryFolder(), 'tree');
      const env = { INSTALL: 'true', SYNTH: 'node synth.mjs' };
      const args = [script('synthesize.sh'), folder, tree, ...environments];
      const { status, stderr } = await run('bash', args, { env });
      expect(status, stderr).toBe(0);
      const stacks = await readdir(join(tree, 'stacks')).catch(() => []);
      return { stderr, stacks: stacks.sort() };
    };
    const one = await synthesized('staging', 'other');
    expect(one.stacks).toEqual(['api-staging']);
    expect(one.stderr).toContain('no stacks of other');
    expect((await synthesized()).stacks).toEqual(['api-production', 'api-staging']);
    expect((await synthesized('other')).stacks).toEqual([]);
  });

  test('a tree in which something lies already is refused: a commit could have put it there', async () => {
    const folder = await checkout({
      ...PROJECT,
      'synth.mjs': SYNTH,
      'tree/stacks/x.tf.json': '{}',
    });
    const args = [script('synthesize.sh'), folder, join(folder, 'tree'), 'production'];
    const env = { INSTALL: 'true', SYNTH: 'node synth.mjs' };
    expect(await run('bash', args, { env })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('TREE must be new or empty'),
    });
  });

  test('a failed synthesis fails, and so does a project without any settings file', async () => {
    const tree = join(await temporaryFolder(), 'tree');
    const env = { INSTALL: 'true', SYNTH: 'false' };
    const args = [script('synthesize.sh'), await checkout(PROJECT), tree, 'production'];
    expect((await run('bash', args, { env })).status).toBe(1);
    const empty = await checkout({ 'cdktf.json': '{}' });
    expect((await run('bash', [script('synthesize.sh'), empty, tree])).status).toBe(2);
  });
});

describe('review.sh', () => {
  async function reviewed(plan: string, name = 'api.json') {
    const folder = await temporaryFolder();
    const stack = join(folder, 'head', 'stacks', 'api');
    const [plans, report] = [join(folder, 'plans'), join(folder, 'report')];
    for (const path of [stack, plans]) await mkdir(path, { recursive: true });
    await writeFile(join(stack, 'cdk.tf.json'), '{"terraform":{}}');
    await writeFile(join(plans, name), plan);
    const trees = [join(folder, 'head'), join(folder, 'head')];
    const args = [script('review.sh'), resolve('.'), ...trees, report];
    return { report, stack, args, ...(await run('bash', args, { env: { PLANS: plans } })) };
  }

  test('hands the plans of a folder to the review', async () => {
    const { report, stderr } = await reviewed('{"configuration":{"root_module":{}}}');
    expect([stderr, await readFile(join(report, 'status'), 'utf8')]).toEqual(['', '0\n']);
    expect(JSON.parse(await readFile(join(report, 'review.json'), 'utf8')).plans).toHaveLength(1);
  });

  test('a plan that cannot be read is no success, nor is a folder without plans', async () => {
    const { report, stderr, status } = await reviewed('null');
    expect(stderr).toContain('`--plan` must be what `terraform show -json PLAN` prints');
    expect([status, await readdir(report)]).toEqual([2, []]);
    const other = await reviewed('null', 'api.txt');
    expect(other).toMatchObject({ status: 2 });
    expect(other.stderr).toContain('`PLANS` must hold STACK.json');
  });

  test('adds to the comment what clients notice during the deploy, and changes no status', async () => {
    const { report, stack, args } = await reviewed('{"configuration":{"root_module":{}}}');
    const rehearsed = async () => {
      const ended = await run('bash', args, { env: { REHEARSE: 'true' } });
      expect(ended.status, ended.stderr).toBe(0);
      expect(await readFile(join(report, 'status'), 'utf8')).toBe('0\n');
      return await readFile(join(report, 'review.md'), 'utf8');
    };
    expect(await rehearsed()).toMatch(/^## NO CHANGE: [\s\S]+^## CLEAN: /m);
    expect(await readFile(join(report, 'rehearsal.html'), 'utf8')).toContain('CLEAN');
    await writeFile(join(stack, 'cdk.tf.json'), '{"module":{"other":{"source":"./other"}}}');
    expect(await rehearsed()).toContain('`secure-connectivity rehearse` ended with 2');
  });
});

describe('review.sh with what is deployed as the base', () => {
  /** A program that prints what it finds in the tree, and how it would initialize it. */
  const PROGRAM = `
import { readdirSync, writeFileSync } from 'node:fs';
const { argv, env } = process;
const files = readdirSync(argv[argv.indexOf('--head') + 1] + '/stacks/.api');
writeFileSync('seen', [...files.sort(), env.TF_CLI_ARGS_init.trim()].join(' '));
`;

  async function reviewed(change: (stack: string) => Promise<void>) {
    const folder = await temporaryFolder();
    const stack = join(folder, 'head', 'stacks', '.api');
    await mkdir(join(stack, '.terraform'), { recursive: true });
    await writeFile(join(stack, '.terraform', 'terraform.tfstate'), '{}');
    await mkdir(join(folder, 'dist', 'cli'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'dist', 'cli', 'main.js'), PROGRAM);
    await change(stack);
    const args = [script('review.sh'), folder, 'live', 'head', 'report'];
    return { folder, stack, ...(await run('bash', args, { cwd: folder })) };
  }

  test('a tree brings no data folder along, and its lock file stays as it is', async () => {
    const { folder, stack, status, stderr } = await reviewed(async (path) => {
      await writeFile(join(path, '.terraform.lock.hcl'), '');
    });
    expect(status, stderr).toBe(0);
    const seen = await readFile(join(folder, 'seen'), 'utf8');
    expect(seen).toBe('.terraform.lock.hcl -lockfile=readonly');
    expect(existsSync(join(stack, '.terraform'))).toBe(true);
  });

  test('a link in the tree is refused before Terraform follows it', async () => {
    const { folder, status, stderr } = await reviewed((path) => symlink('.api', `${path}2`));
    expect([status, stderr]).toEqual([2, expect.stringContaining('must have no links')]);
    expect(existsSync(join(folder, 'seen'))).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith('.reviewed'))).toEqual([]);
  });
});

describe('verify.sh', () => {
  const stack = (command: string) =>
    JSON.stringify({
      terraform: { backend: { local: { path: '../../../own.tfstate' } } },
      resource: {
        terraform_data: {
          link: { input: 'the links' },
          check: {
            depends_on: ['terraform_data.link'],
            provisioner: [{ 'local-exec': { command } }],
          },
        },
      },
      output: { connectivity: { value: '${terraform_data.link.output}' } },
    });

  /** A tree of two stacks, of which the second was never deployed, and a verifier that prints its options. */
  async function project(command: string) {
    const folder = await temporaryFolder();
    const program = join(folder, 'dist', 'cli', 'main.js');
    await mkdir(dirname(program), { recursive: true });
    await writeFile(program, "console.log(process.argv.slice(2).join(' '));\nprocess.exit(12);\n");
    const env = { CHECKPOINT_DISABLE: '1' };
    for (const name of ['deployed', 'tree/stacks/a', 'tree/stacks/b']) {
      await mkdir(join(folder, name), { recursive: true });
      const text = stack(command).replace('own', name.endsWith('b') ? 'other' : 'own');
      const ofDeploy = text.replace('../../../', '../');
      await writeFile(join(folder, name, 'cdk.tf.json'), name === 'deployed' ? ofDeploy : text);
    }
    // A deploy runs in a folder of its own, and leaves the tree as it is.
    const terraform = (...args: string[]) =>
      run('terraform', [`-chdir=${join(folder, 'deployed')}`, ...args], { env });
    await terraform('init', '-input=false');
    const applied = await terraform('apply', '-auto-approve', '-input=false');
    const args = [script('verify.sh'), folder, 'outputs.json', 'tree', '--format', 'github'];
    const verify = () => run('bash', args, { cwd: folder, env });
    return { folder, applied, verify };
  }

  test('verifies what a failed deploy has made, from its state', async () => {
    const { applied, verify } = await project('exit 12');
    expect(applied.status).toBe(1);
    const ended = await verify();
    expect(ended).toMatchObject({
      status: 12,
      stdout: 'verify --stack tree/stacks/a --format github\n',
    });
    expect(ended.stderr).toContain('b has no outputs to verify');
  });

  test('reads no state that a data folder in the tree chooses', async () => {
    const { folder, verify } = await project('exit 12');
    const data = join(folder, 'tree', 'stacks', 'a', '.terraform');
    await mkdir(data);
    const config = { path: '../../../elsewhere.tfstate', workspace_dir: null };
    const backend = { type: 'local', config, hash: 1 };
    await writeFile(join(data, 'terraform.tfstate'), JSON.stringify({ version: 3, backend }));
    expect((await verify()).stdout).toBe('verify --stack tree/stacks/a --format github\n');
  });

  test('takes the outputs file where there is one', async () => {
    const { folder, verify } = await project('true');
    await writeFile(join(folder, 'outputs.json'), '{}');
    expect((await verify()).stdout).toContain('verify --outputs-file outputs.json --format github');
  });

  test('nothing to verify is no success', async () => {
    const folder = await temporaryFolder();
    const args = [script('verify.sh'), folder, 'outputs.json', 'tree'];
    const ended = await run('bash', args, { cwd: folder });
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('nothing to verify')]);
  });
});

test('every script passes the parser of its interpreter', async () => {
  const names = await readdir(script('.'));
  const shell = names.filter((name) => name.endsWith('.sh'));
  const node = names.filter((name) => name.endsWith('.mjs'));
  expect([shell.length, node.length]).toEqual([6, 2]);
  for (const name of shell)
    expect(await run('bash', ['-n', script(name)])).toMatchObject({ status: 0 });
  for (const name of node) {
    expect(await run(process.execPath, ['--check', script(name)])).toMatchObject({ status: 0 });
  }
});
