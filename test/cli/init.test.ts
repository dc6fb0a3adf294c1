import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectFiles } from '../../src/cli/init/project-files.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const FILES = [
  '.github/workflows/connectivity-deploy.yml',
  '.github/workflows/connectivity-drift.yml',
  '.github/workflows/connectivity-review.yml',
  '.gitignore',
  'README.md',
  'cdktf.json',
  'package.json',
  'stacks/api-access.ts',
  'stacks/environment.ts',
  'stacks/intents.json',
  'stacks/main.ts',
  'stacks/plugin-access.ts',
  'stacks/settings/production.json',
  'stacks/settings/sandbox.json',
  'test/access.test.ts',
  'tsconfig.json',
];

/** Without its override the command of cdktf does not start on Node.js 24 and newer. */
const TERMINAL = '@cdktf/node-pty-prebuilt-multiarch';

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

async function readJson(folder: string, file: string) {
  return JSON.parse(await readFile(join(folder, file), 'utf8'));
}

test('a project has its files, its name and versions that were tested', async () => {
  const folder = join(await temporaryFolder(), 'new', 'Our Agents');
  const made = await runHere(['init', '--cdktf', folder]);
  expect(made).toMatchObject({ exit: 0, stderr: '' });
  expect(made.stdout).toContain(`${folder}: ${FILES.length} files`);
  expect(await filesIn(folder)).toEqual(FILES);
  const own = await readJson('.', 'package.json');
  expect(await readJson(folder, 'package.json')).toMatchObject({
    name: 'our-agents',
    dependencies: { 'cdktf-secure-connectivity': `^${own.version}`, cdktf: '^0.21.0' },
    devDependencies: { typescript: own.devDependencies.typescript },
  });
  expect(await readFile(join(folder, 'package.json'), 'utf8')).not.toContain('"*"');
  expect(await readJson(folder, 'package.json')).toMatchObject({
    overrides: { [TERMINAL]: own.devDependencies[TERMINAL] },
  });
  expect(await readJson(folder, 'cdktf.json')).toMatchObject({ projectId: 'our-agents' });
});

test('its settings have a schema in the installed package, its review an environment that it has', async () => {
  const folder = join(await temporaryFolder(), 'agents');
  await runHere(['init', folder]);
  for (const environment of ['production', 'sandbox']) {
    const { $schema } = await readJson(folder, `stacks/settings/${environment}.json`);
    expect(join('stacks/settings', $schema)).toBe(
      'node_modules/cdktf-secure-connectivity/dist/settings/settings.schema.json',
    );
  }
  const review = await readFile(join(folder, FILES[2] ?? ''), 'utf8');
  const { jobs } = parse(review) as { jobs: Record<string, { steps: { with?: object }[] }> };
  const named = Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap((step) => step.with ?? []),
  );
  const environments = named.flatMap((inputs) =>
    'environments' in inputs ? inputs.environments : [],
  );
  expect(environments).toEqual(['production', 'production']);
});

const OF_GITHUB = /^\.github/;

test('a project for GitLab has the pipeline of the template, and no workflows', async () => {
  const folder = join(await temporaryFolder(), 'agents');
  expect(await runHere(['init', folder, '--ci', 'gitlab'])).toMatchObject({ exit: 0 });
  const others = FILES.filter((file) => !OF_GITHUB.test(file));
  expect(await filesIn(folder)).toEqual(['.gitignore', '.gitlab-ci.yml', ...others.slice(1)]);
  const pipeline = await readFile(join(folder, '.gitlab-ci.yml'), 'utf8');
  expect(pipeline).not.toMatch(/^include:/m);
  const template = await readFile('shipped/ci-templates/gitlab-secure-connectivity.yml', 'utf8');
  expect(parse(pipeline)).toEqual(parse(template));
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  expect(readme).toContain('`.gitlab-ci.yml` reviews');
  expect(readme).not.toContain('.github');
});

test('a project without CI names no forge', async () => {
  const folder = join(await temporaryFolder(), 'agents');
  expect(await runHere(['init', folder, '--ci', 'none'])).toMatchObject({ exit: 0 });
  expect(await filesIn(folder)).toEqual(FILES.filter((file) => !OF_GITHUB.test(file)));
  expect(await readFile(join(folder, 'README.md'), 'utf8')).not.toMatch(/\.github|gitlab/);
});

test('without --cdktf a project installs, imports and runs nothing of it', async () => {
  const folder = join(await temporaryFolder(), 'agents');
  const made = await runHere(['init', folder]);
  expect(made).toMatchObject({ exit: 0 });
  expect(await filesIn(folder)).toEqual(FILES);
  const { dependencies, overrides } = await readJson(folder, 'package.json');
  const own = await readJson('.', 'package.json');
  expect(dependencies).toEqual({
    'cdktf-secure-connectivity': `^${own.version}`,
    cdktn: own.devDependencies.cdktn,
    constructs: '>=10.6.0 <10.8.0',
  });
  expect(overrides).toBeUndefined();
  for (const file of FILES.filter((name) => name !== 'package.json')) {
    const text = await readFile(join(folder, file), 'utf8');
    expect(text, file).not.toMatch(/'cdktf'|'cdktf-secure-connectivity'|npx cdktf synth/);
  }
});

test.each([
  { tsx: false, node: '>=22.18', app: 'node stacks/main.ts', loader: [] },
  { tsx: true, node: '>=20.19', app: 'node --import tsx stacks/main.ts', loader: ['tsx'] },
])('the app of a project that needs Node.js $node is run by `$app`', (variant) => {
  const { tsx, node, app, loader } = variant;
  const files = projectFiles('agents', { ci: 'none', tsx });
  const read = (file: string) => JSON.parse(files.get(file) ?? '');
  expect(read('cdktf.json')).toMatchObject({ app });
  const { engines, scripts, devDependencies } = read('package.json');
  expect(engines).toEqual({ node });
  expect(scripts.test).toContain(app.replace('stacks/main.ts', '--test test/access.test.ts'));
  expect(Object.keys(devDependencies).filter((name) => name === 'tsx')).toEqual(loader);
});

test('an empty folder is taken, also one that git has just made', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.git'));
  expect(await runHere(['init', '.'], { cwd: folder })).toMatchObject({ exit: 0 });
  expect(await filesIn(folder)).toEqual(FILES);
});

test('a folder that is not empty is refused and left alone', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'notes.txt'), 'ours');
  const { exit, stdout, stderr } = await runHere(['init', folder]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /`DIR` must be a new or an empty folder, got: ".*", which holds notes\.txt/,
  );
  expect(await filesIn(folder)).toEqual(['notes.txt']);
});

test.each<[string, (folder: string) => string[], RegExp]>([
  ['no folder', () => [], /missing required argument 'dir'/],
  ['an empty name', () => [''], /`DIR` must be .*which is not a name/],
  ['an unknown forge', (folder) => [`${folder}/a`, '--ci', 'svn'], /--ci.*github, gitlab, none/],
  ['two folders', (folder) => [`${folder}/a`, `${folder}/b`], /too many arguments/],
  ['a file', (folder) => [`${folder}/file`], /`DIR` must be .*which is not a folder/],
  [
    'a folder below a file',
    (folder) => [`${folder}/file/a`],
    /`DIR` must be .*which is not a folder/,
  ],
])('%s is a wrong usage, and nothing is made', async (_, args, message) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const { exit, stderr } = await runHere(['init', ...args(folder)]);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(exit).toBe(2);
  expect(await filesIn(folder)).toEqual(['file']);
});

test('where a file cannot be written, nothing is left', async () => {
  const folder = await temporaryFolder();
  // Short enough for the first files, too long for those in folders.
  const name = `${'x.'.repeat(99)}x/`;
  const long = `${folder}/${name.repeat(21)}`.slice(0, 4070).replace(/\/$/, 'x');
  const { exit, stderr } = await runHere(['init', long]);
  expect(stderr).toMatch(/which cannot be written \(ENAMETOOLONG\)/);
  expect(exit).toBe(2);
  expect(await readdir(folder)).toEqual([]);
});

test('where a name is too long, nothing of the folders above it is left', async () => {
  const folder = await temporaryFolder();
  const { exit, stderr } = await runHere(['init', join(folder, 'new', 'er', 'x.'.repeat(150))]);
  expect(stderr).toMatch(/which cannot be written \(ENAMETOOLONG\)/);
  expect(exit).toBe(2);
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(existsSync('/proc/self')).each(['/proc/x', '/proc/x/y'])(
  '%s, where nobody can make a folder, is refused',
  async (folder) => {
    const { exit, stderr } = await runHere(['init', folder]);
    expect(stderr).toBe(
      `secure-connectivity: \`DIR\` must be a new or an empty folder, got: "${folder}", which cannot be written (ENOENT)\n`,
    );
    expect(exit).toBe(2);
  },
);

test('on a disk that is full, nothing is left, and what was there before stays', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.git'));
  const words = [process.execPath, resolve('dist/cli/main.js'), 'init', folder];
  // Without the trap the signal would end the program.
  const script = `trap '' XFSZ; ulimit -f 2; exec "$@"`;
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', ...words], { encoding: 'utf8' });
  expect(stderr).toBe(`secure-connectivity: ${folder} must take the whole output, got: EFBIG\n`);
  expect(status).toBe(74);
  expect(await readdir(folder)).toEqual(['.git']);
});
