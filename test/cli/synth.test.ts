import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { temporaryFolder } from '../support/cleanup.js';
import { apart } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';

const TODAY = '2030-06-15';
const SETTINGS = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
const BY_NAME = { ...SETTINGS, check: { ...SETTINGS.check, program: 'secure-connectivity' } };

/** A folder with nothing but a settings file. */
async function folderWith(settings: object): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'agents.json'), JSON.stringify(settings));
  return folder;
}

function synth(cwd: string, out = 'tf', env: Record<string, string> = {}) {
  return runHere(['synth', '--settings', 'agents.json', '--out', out], { cwd, env });
}

function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}

test('a settings file becomes a folder of Terraform JSON for each stack', async () => {
  const folder = await folderWith(BY_NAME);
  expect(await synth(folder)).toMatchObject({
    exit: 0,
    stdout: 'tf/stacks/api-access-agents\ntf/stacks/plugin-access-agents\n',
    stderr: '',
  });
  const texts = textsIn(join(folder, 'tf'));
  expect(Object.keys(texts)).toEqual([
    'manifest.json',
    'stacks/api-access-agents/access.json',
    'stacks/api-access-agents/cdk.tf.json',
    'stacks/plugin-access-agents/access.json',
    'stacks/plugin-access-agents/cdk.tf.json',
  ]);
  for (const text of Object.values(texts)) {
    expect(text).not.toContain(folder);
    expect(text.match(/"\/[^"/]+\/[^"]*"/g)).toBeNull();
  }
  expect(readdirSync(folder).sort()).toEqual(['agents.json', 'tf']);
});

test('it is the same to the byte again, elsewhere and whatever the environment says', async () => {
  const [first, second] = [await folderWith(BY_NAME), await folderWith(BY_NAME)];
  await synth(first);
  const texts = textsIn(join(first, 'tf'));
  const env = {
    CONNECTIVITY_ENV: 'other',
    CONNECTIVITY_STATE_FOLDER: '/nowhere',
    CDKTF_OUTDIR: '/nowhere',
    CDKTF_CONTEXT_JSON: '{"excludeStackIdFromLogicalIds":"false"}',
  };
  expect(await synth(first, 'tf', env)).toMatchObject({ exit: 0, stderr: '' });
  expect(textsIn(join(first, 'tf'))).toEqual(texts);
  await synth(second);
  expect(textsIn(join(second, 'tf'))).toEqual(texts);
});

test('a second run changes its own files, and leaves what Terraform keeps beside them', async () => {
  const folder = await folderWith(BY_NAME);
  await synth(folder);
  const lock = join(folder, 'tf/stacks/api-access-agents/.terraform.lock.hcl');
  await writeFile(lock, '# lock');
  await writeFile(join(folder, 'agents.json'), JSON.stringify({ ...BY_NAME, tags: { a: 'b' } }));
  expect(await synth(folder)).toMatchObject({ exit: 0 });
  const texts = textsIn(join(folder, 'tf'));
  expect(texts['stacks/api-access-agents/.terraform.lock.hcl']).toBe('# lock');
  expect(texts['stacks/api-access-agents/cdk.tf.json']).toContain('"value": "b"');
});

test.each([
  ['other.txt', 'which holds other.txt'],
  ['stacks/api-access-agents/own.tf', 'which holds stacks/api-access-agents/own.tf'],
  ['stacks/file', 'which holds stacks/file'],
])('a folder with %s that belongs to others is refused and left unchanged', async (file, why) => {
  const folder = await folderWith(BY_NAME);
  await synth(folder);
  await writeFile(join(folder, 'tf', file), '');
  await writeFile(join(folder, 'agents.json'), JSON.stringify({ ...BY_NAME, tags: { a: 'b' } }));
  const before = textsIn(folder);
  const { exit, stdout, stderr } = await synth(folder);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`\`--out\` must be a new folder, or one that this command wrote`);
  expect(stderr).toContain(why);
  expect(textsIn(folder)).toEqual(before);
});

test('a stack that the settings no longer name is not left behind, nor taken away', async () => {
  const folder = await folderWith(BY_NAME);
  await synth(folder);
  const { pluginEndpointService: _, fixedIpIngress: __, userIdHeader: ___, ...fewer } = BY_NAME;
  await writeFile(join(folder, 'agents.json'), JSON.stringify(fewer));
  const before = textsIn(folder);
  const { exit, stderr } = await synth(folder);
  expect(exit).toBe(2);
  expect(stderr).toContain('terraform -chdir=tf/stacks/plugin-access-agents destroy');
  expect(textsIn(folder)).toEqual(before);
});

test.each([
  ['settings with a mistake', { ...BY_NAME, apiHost: 'https://x' }, 'deep/tf', '`apiHost`'],
  [
    'options that do not fit together',
    { ...BY_NAME, network: { ...BY_NAME.network, subnets: { 'cn-beijing-b': '10.20.1.0/24' } } },
    'deep/tf',
    'cn-beijing-a',
  ],
  ['the working folder itself', BY_NAME, '.', 'which holds agents.json'],
  ['the folder that has it', BY_NAME, '..', 'which holds '],
  ['a check out of reach', SETTINGS, 'deep/tf', '`check.program` is required unless this package'],
])('%s: one error, and nothing is written', async (_, settings, out, message) => {
  const folder = await folderWith(settings);
  const { exit, stdout, stderr } = await synth(folder, out);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(readdirSync(folder)).toEqual(['agents.json']);
});

/** Runs the command in a shell whose files may have so many blocks of 512 bytes, as on a disk that is full. */
function withBlocks(blocks: number, cwd: string, ...args: readonly string[]) {
  const words = [process.execPath, resolve('dist/cli/main.js'), ...args];
  // Without the trap the signal would end the program.
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`;
  return spawnSync('sh', ['-c', script, 'sh', ...words], { cwd, encoding: 'utf8' });
}

test('a disk that is full is an error of its own, and what was there before stays', async () => {
  const folder = await folderWith(BY_NAME);
  const args = ['synth', '--settings', 'agents.json', '--out', 'deep/tf'];
  const full = withBlocks(8, folder, ...args);
  expect([full.status, full.stdout]).toEqual([74, '']);
  expect(full.stderr.trimEnd()).toBe(
    'secure-connectivity: deep/tf must take the whole output, got: EFBIG',
  );
  expect(readdirSync(folder)).toEqual(['agents.json']);

  await synth(folder, 'deep/tf');
  const before = textsIn(folder);
  expect(withBlocks(8, folder, ...args).status).toBe(74);
  expect(textsIn(folder)).toEqual(before);
});

test('what a killed run left is taken away later, and nothing else is', async () => {
  const folder = await folderWith(BY_NAME);
  const [old, young, other] = ['tf.0123456789ab.part', 'tf.ba9876543210.part', 'tf.mine.part'];
  for (const name of [old, young, other]) {
    mkdirSync(join(folder, name));
    const minutes = name === young ? 1 : 60;
    const then = Date.now() / 1_000 - minutes * 60;
    utimesSync(join(folder, name), then, then);
  }
  expect((await synth(folder)).exit).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['agents.json', 'tf', young, other].sort());
});

test.runIf(existsSync('/proc/self'))('a place where nobody can write is refused', async () => {
  const settings = join(await folderWith(BY_NAME), 'agents.json');
  const args = ['synth', '--settings', settings, '--out', 'tf'];
  const { exit, stderr } = await runHere(args, { cwd: '/proc' });
  expect(stderr).toBe(
    'secure-connectivity: `--out` must be where this command can write, got: tf (ENOENT)\n',
  );
  expect(exit).toBe(2);
});

test.runIf(existsSync('/proc/self'))('nor a folder in one', async () => {
  const settings = join(await folderWith(BY_NAME), 'agents.json');
  const args = ['synth', '--settings', settings, '--out', 'deep/er/tf'];
  const { exit, stderr } = await runHere(args, { cwd: '/proc' });
  expect(stderr).toBe(
    'secure-connectivity: `--out` must be where this command can write, got: deep/er/tf (ENOENT)\n',
  );
  expect(exit).toBe(2);
});

test.each(['', 'deep/', 'deep/er/'])('%s and a name too long for any folder', async (above) => {
  const folder = await folderWith(BY_NAME);
  const out = `${above}${'x'.repeat(3_000)}`;
  const { exit, stderr } = await synth(folder, out);
  expect(stderr).toBe(
    `secure-connectivity: \`--out\` must be where this command can write, got: ${out} (ENAMETOOLONG)\n`,
  );
  expect(exit).toBe(2);
  expect(readdirSync(folder)).toEqual(['agents.json']);
});

test('a settings file that names no environment is refused', async () => {
  const folder = await folderWith(BY_NAME);
  const args = ['synth', '--settings', 'our agents.json', '--out', 'tf'];
  const { exit, stderr } = await runHere(args, { cwd: folder });
  expect(exit).toBe(2);
  expect(stderr).toContain('`--settings` must be named for its environment');
});

/** The built package alone, with other packages beside it. */
function install(folder: string, packages: readonly string[]): string {
  const own = join(folder, 'node_modules', 'cdktf-secure-connectivity');
  mkdirSync(join(own, 'dist'), { recursive: true });
  cpSync('package.json', join(own, 'package.json'));
  for (const part of readdirSync('dist')) {
    cpSync(join('dist', part), join(own, 'dist', part), { recursive: true });
  }
  for (const name of packages)
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  return join(own, 'dist', 'cli', 'main.js');
}

async function runInstalled(packages: readonly string[], out = 'tf') {
  const folder = join(await folderWith(SETTINGS), 'project');
  cpSync(join(folder, '..', 'agents.json'), join(folder, 'agents.json'));
  const { promisify } = await import('node:util');
  const { execFile } = await import('node:child_process');
  const args = [install(folder, packages), 'synth', '--settings', 'agents.json', '--out', out];
  const ended = await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    ({ stderr }) => ({ status: 0, ...apart(stderr) }),
    ({ code, stderr }) => ({ status: code, ...apart(stderr) }),
  );
  return { folder, ...ended };
}

test.each([
  'tf',
  'deep/tf',
  '../outside',
])('the check of an installed package is named by a path that leads there from %s', async (out) => {
  const { folder, status, stderr } = await runInstalled(['cdktf', 'constructs', '@cdktf'], out);
  expect([status, stderr]).toEqual([0, '']);
  const stack = join(folder, out, 'stacks/api-access-agents');
  const { null_resource } = JSON.parse(readFileSync(join(stack, 'cdk.tf.json'), 'utf8')).resource;
  const [{ 'local-exec': step }] = null_resource.check.provisioner;
  const program = 'node_modules/cdktf-secure-connectivity/dist/cli/main.js';
  expect(step.interpreter[0]).toBe('node');
  expect(join(stack, step.interpreter[1])).toBe(join(folder, program));
});

test('where cdktf is not installed, one line says what to install', async () => {
  const { folder, status, stderr } = await runInstalled(['constructs']);
  expect(status).toBe(2);
  expect(stderr).toBe(
    'secure-connectivity: `synth` needs cdktn beside this package, got: not installed; run: npm install cdktn@0.24 constructs@10\n',
  );
  expect(existsSync(join(folder, 'tf'))).toBe(false);
});

test('a review reads two such trees, and knows the check by its name', async () => {
  const folder = await folderWith(BY_NAME);
  await synth(folder, 'base');
  const { serviceEndpoint } = BY_NAME;
  const wider = { ...serviceEndpoint, allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] };
  await writeFile(
    join(folder, 'agents.json'),
    JSON.stringify({ ...BY_NAME, serviceEndpoint: wider }),
  );
  await synth(folder, 'head');
  const [base, head] = ['base', 'head'].map((name) => readTree(join(folder, name), `--${name}`));
  const report = review(base ?? new Map(), head ?? new Map(), TODAY);
  expect(report.decision).toBe('needs-approval');
  expect(JSON.stringify(report.findings)).toContain('10.30.0.0/16');
  expect(report.findings.filter(({ kind }) => kind === 'unread')).toEqual([]);
});

const APP = `
const { mkdirSync, writeFileSync } = require('node:fs');
const stack = process.env.CDKTF_OUTDIR + '/stacks/api';
mkdirSync(stack, { recursive: true });
writeFileSync(stack + '/cdk.tf.json', '{"terraform":{}}');
writeFileSync(stack + '/own_override.tf.json', '{"terraform":{}}');
const api = { name: 'api', workingDirectory: 'stacks/api' };
writeFileSync(process.env.CDKTF_OUTDIR + '/manifest.json', JSON.stringify({ stacks: { api } }));
`;

test('what a commit has put beside the stacks of a project is refused, and not deployed', async () => {
  const project = await temporaryFolder();
  await writeFile(join(project, 'app.cjs'), APP);
  await writeFile(join(project, 'cdktf.json'), '{"app":"node app.cjs"}');
  const synthesized = () => runHere(['synth'], { cwd: project });
  const other = ['synth', '--app', 'false'];
  expect(await runHere(other, { cwd: project })).toMatchObject({ exit: 1, stdout: '' });
  expect(await runHere([...other, '--settings', 'x'], { cwd: project })).toMatchObject({ exit: 2 });
  expect(await synthesized()).toMatchObject({ exit: 0 });
  // The app writes its own each time.
  expect(await synthesized()).toMatchObject({ exit: 0 });
  for (const name of ['x_override.tf.json', 'x.tf', 'x.auto.tfvars']) {
    const file = join(project, 'cdktf.out', 'stacks', 'api', name);
    await writeFile(file, '{}');
    expect(await synthesized()).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`got: cdktf.out/stacks/api/${name}; remove it`),
    });
    rmSync(file);
  }
  expect(await synthesized()).toMatchObject({ exit: 0 });
});
