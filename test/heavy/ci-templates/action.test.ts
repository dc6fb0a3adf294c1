import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startForge } from '../../ci-templates/forge-server.js';
import { runWorkflow, type World } from '../../ci-templates/github-runner.js';
import { run } from '../../ci-templates/run.js';
import { cidrRule, modelOf } from '../../render/models.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { type Registry, startRegistry } from '../../support/registry.js';

let registry: Registry;
let packed: string;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  registry = await startRegistry(packed, ['eventsource-parser', 'jose', 'undici']);
});
afterAll(async () => {
  await registry.stop();
  await rm(packed, { recursive: true });
});

const SYNTH = `
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
const environment = process.env.CONNECTIVITY_ENV;
const folder = process.argv[2] + '/stacks/api-access-' + environment;
mkdirSync(folder, { recursive: true });
cpSync('stacks/settings/' + environment + '.json', folder + '/access.json');
writeFileSync(folder + '/cdk.tf.json', '{"terraform":{}}');
const name = 'api-access-' + environment;
const stack = { name, workingDirectory: 'stacks/' + name };
writeFileSync(process.argv[2] + '/manifest.json', JSON.stringify({ stacks: { [name]: stack } }));
`;

const PLAN = `
import { writeFileSync } from 'node:fs';
writeFileSync(process.argv[2] + '/api-access-test.txt', 'No changes.');
`;

type Addresses = readonly string[];

/** Addresses that may be called, by environment. */
type Environments = Readonly<Record<string, Addresses>>;

const PROJECT = {
  '.gitignore': 'node_modules\n.connectivity-default-branch\n',
  'cdktf.json': '{}',
  'synth.mjs': SYNTH,
  'plan.mjs': PLAN,
};

/** The settings file of an environment is its access.json here. */
const settingsOf = (environments: Environments) =>
  Object.entries(environments).map(([name, addresses]) => [
    `stacks/settings/${name}.json`,
    JSON.stringify(
      modelOf(
        ...addresses.map((address) => ({
          ...cidrRule(`${address}/32`),
          enforcedElsewhere: 'the firewall of the office',
        })),
      ),
    ),
  ]);

/** A repository with a base and a change; undefined for a base without a project. */
async function repository(base: Environments | undefined, head: Environments) {
  const folder = await temporaryFolder();
  const git = async (...args: string[]) => {
    const name = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    const ended = await run('git', [...name, ...args], { cwd: folder });
    if (ended.status !== 0) throw new Error(ended.stderr);
    return ended.stdout.trim();
  };
  const commit = async (files: Record<string, string>, message = 'change') => {
    await mkdir(join(folder, 'stacks', 'settings'), { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
    return await git('rev-parse', 'HEAD');
  };
  const put = async (environments: Environments) => {
    await rm(join(folder, 'stacks'), { recursive: true, force: true });
    return await commit({ ...PROJECT, ...Object.fromEntries(settingsOf(environments)) });
  };
  await git('init', '--quiet', '--initial-branch', 'main');
  await (base === undefined ? commit({ 'README.md': 'empty' }) : put(base));
  await git('checkout', '--quiet', '-b', 'change');
  await put(head);
  /** The commit that a forge checks out for a pull request: the merge, whose first parent is the target branch. */
  const merge = async () => {
    await git('checkout', '--quiet', '--detach', 'main');
    await git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change');
  };
  await merge();
  return { folder, git, commit, put, merge };
}

type Repository = Awaited<ReturnType<typeof repository>>;

/** Runs the workflow of a pull request. */
async function review(
  { folder }: Pick<Repository, 'folder'>,
  forge: Record<string, string>,
  { inputs = {}, ...more }: Partial<World> = {},
) {
  const { jobs, artifacts } = await runWorkflow('connectivity-review', {
    repository: folder,
    env: { ...forge, npm_config_registry: registry.url },
    event: { pull_request: { number: forge.PULL_REQUEST } },
    inputs: {
      ...{ environments: 'test', install: 'true', synth: 'node synth.mjs' },
      ...{ plan: 'node plan.mjs', ...inputs },
    },
    ...more,
  });
  const { synthesize, review: reviewed, gate } = jobs;
  const { status, stdout = '', stderr = '' } = gate ?? {};
  const results = `${synthesize?.result} ${reviewed?.result}`;
  return { synthesize, reviewed, gate, artifacts, results, status, stdout, stderr };
}

async function reviewed(
  base: Environments | undefined,
  head: Environments,
  inputs?: Record<string, string>,
) {
  const { state, github } = await startForge();
  const change = await repository(base, head);
  const again = (more: Partial<World> = {}) =>
    review(change, github, { ...(inputs && { inputs }), ...more });
  return { ended: await again(), state, github, change, again };
}

const A = '198.51.100.10';
const B = '198.51.100.20';

const LABEL = 'connectivity: needs approval';

test('a change that opens an address passes, with its report as a comment, and a label', async () => {
  const { ended, state } = await reviewed({ test: [A] }, { test: [A, B] });
  expect(ended).toMatchObject({ status: 0, results: 'success success' });
  expect(state.comments).toHaveLength(1);
  expect(state.comments[0]?.body).toContain('## NEEDS APPROVAL: ');
  expect(state.comments[0]?.body).toContain(B);
  expect([...state.labels]).toEqual([LABEL]);
  expect(ended.gate?.summary).toContain(B);
  expect(ended.stdout).toContain('::warning title=connectivity review::NEEDS APPROVAL: ');
  const artifact = (name: string) => readdir(join(ended.artifacts, name));
  expect(await artifact('connectivity-review')).toEqual([
    'review.html',
    'review.json',
    'review.md',
    'status',
  ]);
  expect(await artifact('connectivity-change/plan')).toEqual(['api-access-test.txt']);
});

test.each([
  ['status', '0\n'],
  ['review.md', '## NO CHANGE\n'],
  ['review.html', '<h1>NO CHANGE</h1>'],
])('a %s that another job put in the place of the one that was made is no verdict', async (file, text) => {
  const { state, again } = await reviewed({ test: [A] }, { test: [A, B] });
  const forged = await again({
    between: async (next, artifacts) => {
      if (next === 'gate') await writeFile(join(artifacts, 'connectivity-review', file), text);
    },
  });
  expect(forged.status).toBe(2);
  expect(forged.stdout).toContain('must be the output of the job review');
  expect(state.comments[0]?.body).toContain(B);
});

test('the base is what the merge commit was made on, whatever the target branch was before', async () => {
  const { change, again, state } = await reviewed({ test: [A] }, { test: [A, B] });
  // The target branch gets B too, and the forge makes the merge commit anew.
  await change.git('checkout', '--quiet', 'main');
  await change.put({ test: [A, B] });
  await change.merge();
  expect(await again()).toMatchObject({ status: 0 });
  expect(state.comments[0]?.body).toContain('## NO CHANGE: ');
});

test('in a merge queue the base is that of the queue, and the report is in the log', async () => {
  const { change, state, github } = await reviewed({ test: [A] }, { test: [A, B] });
  const { PULL_REQUEST: _, ...forge } = github;
  // The queue squashes: no merge commit is checked out.
  await change.git('checkout', '--quiet', '--detach', 'main');
  await change.git('merge', '--quiet', '--squash', 'change');
  await change.git('commit', '--quiet', '--message', 'queued');
  const base = await change.git('rev-parse', 'main');
  const calls = state.requests.length;
  const queued = await review(change, forge, { event: { merge_group: { base_sha: base } } });
  expect(queued).toMatchObject({ status: 0, results: 'success success' });
  expect(queued.stdout).toContain('| ## NEEDS APPROVAL: ');
  expect(queued.stdout).toContain(B);
  expect(state.requests).toHaveLength(calls);
});

test('a change of a fork, whose token may not write, has its report in the log', async () => {
  const { state, again } = await reviewed({ test: [A] }, { test: [A, B] });
  state.refusal = { status: 403 };
  const ended = await again();
  expect(ended).toMatchObject({ status: 0, results: 'success success' });
  expect(`${ended.stdout}${ended.stderr}`).toContain(B);
  expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/\n\s+at /);
});

test('a squashed change is compared alike', async () => {
  const { change, again, state } = await reviewed({ test: [A] }, { test: [A, B] });
  await change.git('checkout', '--quiet', 'change');
  await change.put({ test: [A] });
  await change.git('reset', '--quiet', '--soft', 'main');
  await change.git('commit', '--quiet', '--allow-empty', '--message', 'squashed');
  await change.merge();
  expect(await again()).toMatchObject({ status: 0 });
  expect(state.comments[0]?.body).toContain('## NO CHANGE: ');
});

test('a checkout that is no merge commit is refused, and the gate comes to no verdict', async () => {
  const { change, again } = await reviewed({ test: [A, B] }, { test: [B] });
  await change.git('checkout', '--quiet', 'change');
  const ended = await again();
  expect(ended).toMatchObject({ status: 2, results: 'success failure' });
  expect(ended.reviewed?.stdout).toContain('`base` must be given unless a merge commit');
});

test('a change that opens nothing passes', async () => {
  // No more than a quarter of a list goes away.
  const others = [B, '198.51.100.30', '198.51.100.40', '198.51.100.50'];
  const { ended, state } = await reviewed({ test: [A, ...others] }, { test: others });
  expect(ended).toMatchObject({ status: 0 });
  expect(state.comments[0]?.body).toContain('## NARROWER: ');
});

test('the published program judges, whatever program the change or the base brings', async () => {
  const install = `node -e "const fs = require('node:fs');
fs.mkdirSync('node_modules/.bin', { recursive: true });
fs.writeFileSync('node_modules/.bin/secure-connectivity', '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });"`;
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'install.sh'), install);
  const inputs = { install: `bash ${join(folder, 'install.sh')}` };
  const { ended, state } = await reviewed({ test: [A] }, { test: [A, B] }, inputs);
  expect(ended).toMatchObject({ status: 0 });
  expect([...state.labels]).toEqual([LABEL]);
  expect(state.comments[0]?.body).toContain(B);
});

describe('the version that judges', () => {
  const lock = (entry: object) =>
    JSON.stringify({
      lockfileVersion: 3,
      packages: { 'node_modules/cdktf-secure-connectivity': entry },
    });

  test.each([
    [
      'from a folder',
      { version: '0.1.0', resolved: 'file:../mine', link: true },
      'published version',
    ],
    [
      'from a repository',
      { version: '0.1.0', resolved: 'git+ssh://x/y.git#1' },
      'published version',
    ],
    ['that is none', { version: '0.1.0 --registry=x' }, 'published version'],
    ['of another content', { version: '0.1.0', integrity: 'sha512-AAAA' }, 'integrity'],
  ])('is not one %s', async (_, entry, why) => {
    const change = await repository({ test: [A] }, { test: [A, B] });
    await change.git('checkout', '--quiet', 'main');
    await change.commit({ 'package-lock.json': lock(entry) });
    await change.merge();
    const { github } = await startForge();
    const ended = await review(change, github);
    expect(ended).toMatchObject({ status: 2, results: 'success failure' });
    expect(ended.reviewed?.stderr).toContain(why);
  });

  test('is what the default branch names, and not the change', async () => {
    const change = await repository({ test: [A] }, { test: [A, B] });
    await change.git('checkout', '--quiet', 'change');
    await change.commit({ 'package-lock.json': lock({ version: '0.0.9' }) });
    await change.merge();
    const { state, github } = await startForge();
    expect(await review(change, github)).toMatchObject({ results: 'success success' });
    expect([...state.labels]).toEqual([LABEL]);
  });
});

test('the first pull request has no project on the base, and always needs approval', async () => {
  const { ended, state } = await reviewed(undefined, { test: [] });
  expect(ended).toMatchObject({ status: 0 });
  expect([...state.labels]).toEqual([LABEL]);
  expect(state.comments[0]?.body).toContain('**The base has no project for the review');
});

describe('an environment on one side only', () => {
  test('that is new is shown with all its access, and needs approval', async () => {
    const inputs = { environments: 'test next' };
    const { ended, state } = await reviewed({ test: [A] }, { test: [A], next: [B] }, inputs);
    expect(ended).toMatchObject({ status: 0, results: 'success success' });
    expect([...state.labels]).toEqual([LABEL]);
    expect(state.comments[0]?.body).toContain(B);
    expect(state.comments[0]?.body).not.toContain(`| ${A}, tcp`);
  });

  test('that is removed is compared with nothing', async () => {
    const inputs = { environments: 'test old' };
    const { ended, state } = await reviewed({ test: [A], old: [B] }, { test: [A] }, inputs);
    expect(ended.results).toBe('success success');
    expect(state.comments[0]?.body).toContain('stack api-access-old is removed: 1 access closes');
  });

  test('that has another name is gone in one row, and new with all its access', async () => {
    const change = [
      { test: [A], old: [B] },
      { test: [A], next: [B] },
    ] as const;
    const { ended, state } = await reviewed(...change, { environments: '' });
    expect(ended).toMatchObject({ status: 0, results: 'success success' });
    expect([...state.labels]).toEqual([LABEL]);
    expect(state.comments[0]?.body).toContain('stack api-access-old is removed: 1 access closes');
    expect(state.comments[0]?.body).toContain(`| ${B}, tcp`);
  });

  test('without a list of environments, all are compared', async () => {
    const inputs = { environments: '' };
    const { ended, state } = await reviewed({ test: [A] }, { test: [A], next: [B] }, inputs);
    expect(ended).toMatchObject({ status: 0, results: 'success success' });
    expect([...state.labels]).toEqual([LABEL]);
    expect(state.comments[0]?.body).toContain(B);
  });

  test('a name that neither side has is a wrong usage, and no absence of change', async () => {
    const { ended } = await reviewed({ test: [A] }, { test: [A, B] }, { environments: 'tset' });
    expect(ended).toMatchObject({ status: 2, results: 'success failure' });
    expect(ended.reviewed?.stdout).toContain('got: tset');
  });

  test.each([
    'head',
    'base',
  ] as const)('a synthesis that fails in the %s is no removal, and no verdict', async (side) => {
    const broken = { [side]: { test: [A], broken: [B] } };
    const { base = { test: [A] }, head = { test: [A] } } = broken as Record<string, Environments>;
    const { ended } = await reviewed(base, head, {
      environments: 'test broken',
      synth: 'bash -c \'[ "$CONNECTIVITY_ENV" != broken ] && node synth.mjs "$0"\'',
    });
    expect(ended.status).toBe(2);
    expect(ended.results).toContain('failure');
  });
});

test('a job that the action does not know fails', async () => {
  const change = await repository({ test: [A] }, { test: [A, B] });
  const { github } = await startForge();
  const ended = await review(change, github, { inputs: { job: 'other' } });
  expect(ended.synthesize).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('`job` must be'),
  });
});
