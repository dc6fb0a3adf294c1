import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startForge } from '../../ci-templates/forge-server.js';
import { OPENER, REVIEWER } from '../../ci-templates/forge-state.js';
import { run } from '../../ci-templates/run.js';
import { cidrRule, modelOf } from '../../render/models.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { type Registry, startRegistry } from '../../support/registry.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
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

interface Action {
  readonly inputs: Record<string, { readonly default?: string }>;
  readonly runs: {
    readonly steps: readonly {
      readonly name: string;
      readonly if?: string;
      readonly run?: string;
      readonly uses?: string;
      readonly env?: Record<string, string>;
      readonly 'working-directory'?: string;
    }[];
  };
}

interface Outputs {
  readonly report?: string;
}

type Repository = Awaited<ReturnType<typeof repository>>;
type Job = 'synthesize' | 'review' | 'gate';

/** Runs the three jobs, each on a runner of its own, with the artifacts between them. */
async function runJobs(
  change: Repository,
  forge: Record<string, string>,
  inputs: Record<string, string> = {},
) {
  const runner = async (job: Job, artifact?: { from: string; name: string }, own = inputs) => {
    const temporary = await temporaryFolder();
    // A checkout of its own as well: nothing that the change has installed gets into another job.
    const folder = join(await temporaryFolder(), 'checkout');
    await change.git('clone', '--quiet', '--depth', '2', `file://${change.folder}`, folder);
    if (artifact !== undefined) {
      const [from, to] = [artifact.from, temporary].map((one) =>
        join(one, 'connectivity', artifact.name),
      );
      if (from !== undefined && to !== undefined) await cp(from, to, { recursive: true });
    }
    return {
      ...(await runAction(job, folder, change, { forge, temporary, inputs: own })),
      temporary,
    };
  };
  const result = ({ status }: { status: number | null }) => (status === 0 ? 'success' : 'failure');
  const synthesized = await runner('synthesize');
  const reviewed =
    synthesized.status === 0
      ? await runner('review', { from: synthesized.temporary, name: 'change' })
      : undefined;
  const results = `${result(synthesized)} ${reviewed === undefined ? 'skipped' : result(reviewed)}`;
  const report = reviewed?.status === 0 ? { from: reviewed.temporary, name: 'report' } : undefined;
  const gated = await runner('gate', report, {
    report: reviewed?.outputs.report ?? '',
    ...inputs,
    results,
  });
  return { synthesized, reviewed, ...gated, results };
}

/** Runs the action's own steps, in order, as a runner would; artifacts are left out. */
async function runAction(
  job: Job,
  folder: string,
  change: Pick<Repository, 'git' | 'folder'> | undefined,
  {
    forge = {},
    temporary,
    inputs: given = {},
  }: { forge?: Record<string, string>; temporary: string; inputs?: Record<string, string> },
) {
  const { inputs, runs } = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default])),
    job,
    environments: 'test',
    install: 'true',
    synth: 'node synth.mjs',
    plan: 'node plan.mjs',
    token: forge.GITHUB_TOKEN,
    ...given,
  };
  const expand = (text: string) =>
    text.replace(
      /\$\{\{ (?:inputs\.([\w-]+)|(github\.event\.pull_request\.number)) \}\}/g,
      (_, input) => (input !== undefined ? (values[input] ?? '') : (forge.PULL_REQUEST ?? '')),
    );
  const output = join(temporary, 'output');
  await writeFile(output, '');
  for (const step of runs.steps) {
    const [, is, isNot] = /^inputs\.job (?:== '(\w+)'|!= '(\w+)')/.exec(step.if ?? '') ?? [];
    if ((is ?? job) !== job || isNot === job) continue;
    if (step.uses?.startsWith('actions/checkout@') && change !== undefined) {
      const to = join(folder, '.connectivity-default-branch');
      await change.git('clone', '--quiet', '--branch', 'main', `file://${change.folder}`, to);
    }
    if (step.run === undefined) continue;
    const env = Object.entries(step.env ?? {}).map(([name, text]) => [name, expand(text)]);
    const ended = await run('bash', ['-eo', 'pipefail', '-c', step.run], {
      cwd: folder,
      env: {
        GITHUB_API_URL: forge.GITHUB_API_URL ?? '',
        GITHUB_GRAPHQL_URL: forge.GITHUB_GRAPHQL_URL ?? '',
        GITHUB_REPOSITORY: 'owner/name',
        GITHUB_EVENT_NAME: forge.GITHUB_EVENT_NAME ?? 'pull_request',
        GITHUB_REF: forge.GITHUB_REF ?? '',
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: temporary,
        npm_config_registry: registry.url,
        ...Object.fromEntries(env),
      },
    });
    if (ended.status !== 0) return { ...ended, outputs: {} as Outputs };
  }
  const lines = (await readFile(output, 'utf8')).split('\n').filter((line) => line !== '');
  const outputs: Outputs = Object.fromEntries(lines.map((line) => line.split('=')));
  return { status: 0, stdout: '', stderr: '', outputs };
}

const approval = async (report: string) =>
  `/approve-connectivity ${createHash('sha256')
    .update(await readFile(join(report, 'review.json')))
    .digest('hex')}`;

async function reviewed(
  base: Environments | undefined,
  head: Environments,
  inputs?: Record<string, string>,
) {
  const { state, github } = await startForge();
  const change = await repository(base, head);
  const again = () => runJobs(change, github, inputs);
  const ended = await again();
  const report = join(ended.reviewed?.temporary ?? '', 'connectivity', 'report');
  return { ended, state, github, change, again, report };
}

const A = '198.51.100.10';
const B = '198.51.100.20';

test('a change that opens an address waits for an approval, and passes with it', async () => {
  const { ended, state, report, again } = await reviewed({ test: [A] }, { test: [A, B] });
  expect(ended).toMatchObject({ status: 3, results: 'success success' });
  expect(state.comments).toHaveLength(1);
  expect(state.comments[0]?.body).toContain('## NEEDS APPROVAL: ');
  expect(state.comments[0]?.body).toContain(B);
  const files = ['review.json', 'review.md', 'statement.json', 'status'];
  expect((await readdir(report)).sort()).toEqual(files);
  const change = join(ended.synthesized.temporary, 'connectivity', 'change');
  expect(await readdir(join(change, 'plan'))).toEqual(['api-access-test.txt']);
  state.comment(REVIEWER, await approval(report));
  const approved = await again();
  expect(approved).toMatchObject({ status: 0 });
  expect(state.comments).toHaveLength(2);
  const statement = join(approved.temporary, 'connectivity', 'report', 'statement.json');
  expect(JSON.parse(await readFile(statement, 'utf8'))).toMatchObject({
    decision: 'needs-approval',
    approvedBy: ['reviewer'],
  });
});

test('a report that another job put in the place of the one that was made is no verdict', async () => {
  const { ended, change, state, github, report } = await reviewed({ test: [A] }, { test: [A, B] });
  const gate = async (status: string) => {
    const temporary = await temporaryFolder();
    const place = join(temporary, 'connectivity', 'report');
    await cp(report, place, { recursive: true });
    await writeFile(join(place, 'status'), `${status}\n`);
    const folder = join(await temporaryFolder(), 'checkout');
    await change.git('clone', '--quiet', '--depth', '2', `file://${change.folder}`, folder);
    const { report: digest = '' } = ended.reviewed?.outputs ?? {};
    const inputs = { results: 'success success', report: digest };
    return await runAction('gate', folder, change, { forge: github, temporary, inputs });
  };
  const forged = await gate('0');
  expect(forged.status).toBe(2);
  expect(forged.stdout).toContain('must be the output of the job review');
  expect(state.comments).toHaveLength(1);
  expect(await gate('3')).toMatchObject({ status: 3 });
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

test('a rebase with the same report keeps the approval, and one that opens more voids it', async () => {
  const { change, again, state, report } = await reviewed({ test: [A] }, { test: [A, B] });
  state.comment(REVIEWER, await approval(report));
  await change.git('checkout', '--quiet', 'main');
  await change.commit({ 'README.md': 'another commit' });
  await change.git('checkout', '--quiet', 'change');
  await change.git('rebase', '--quiet', 'main');
  state.push(OPENER);
  await change.merge();
  expect(await again()).toMatchObject({ status: 0 });
  await change.git('checkout', '--quiet', 'change');
  await change.put({ test: [A, B, '198.51.100.30'] });
  state.push(OPENER);
  await change.merge();
  expect(await again()).toMatchObject({ status: 3 });
});

test('a merge queue takes the approval of its pull request, and that of no other report', async () => {
  const { change, state, github, report } = await reviewed({ test: [A] }, { test: [A, B] });
  state.comment(REVIEWER, await approval(report));
  const { PULL_REQUEST: _, ...forge } = github;
  const queue = (number: number) => ({
    ...forge,
    GITHUB_EVENT_NAME: 'merge_group',
    GITHUB_REF: `refs/heads/gh-readonly-queue/main/pr-${number}-${'a'.repeat(40)}`,
  });
  // The queue squashes: no merge commit is checked out.
  await change.git('checkout', '--quiet', '--detach', 'main');
  await change.git('merge', '--quiet', '--squash', 'change');
  await change.git('commit', '--quiet', '--message', 'queued');
  const base = await change.git('rev-parse', 'main');
  const inQueue = { base };
  expect(await runJobs(change, queue(7), inQueue)).toMatchObject({ status: 0 });
  expect(await runJobs(change, { ...queue(7), GITHUB_EVENT_NAME: 'push' }, inQueue)).toMatchObject({
    status: 3,
  });
  await change.put({ test: [A, B, '198.51.100.30'] });
  await change.git('reset', '--quiet', '--soft', 'main');
  await change.git('commit', '--quiet', '--message', 'queued');
  expect(await runJobs(change, queue(7), inQueue)).toMatchObject({ status: 3 });
});

test('a change of a fork, whose token may not write, has its report in the log and is not let through', async () => {
  const { state, again } = await reviewed({ test: [A] }, { test: [A, B] });
  state.refusal = { status: 403 };
  const ended = await again();
  expect(ended).toMatchObject({ status: 3, results: 'success success' });
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
  const { ended, state } = await reviewed({ test: [A, B] }, { test: [B] });
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
  expect(ended).toMatchObject({ status: 3 });
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
    const ended = await runJobs(change, github);
    expect(ended).toMatchObject({ status: 2, results: 'success failure' });
    expect(ended.reviewed?.stderr).toContain(why);
  });

  test('is what the default branch names, and not the change', async () => {
    const change = await repository({ test: [A] }, { test: [A, B] });
    await change.git('checkout', '--quiet', 'change');
    await change.commit({ 'package-lock.json': lock({ version: '0.0.9' }) });
    await change.merge();
    const { github } = await startForge();
    expect(await runJobs(change, github)).toMatchObject({ status: 3, results: 'success success' });
  });
});

test('the first pull request has no project on the base, and always needs approval', async () => {
  const { ended, state } = await reviewed(undefined, { test: [] });
  expect(ended).toMatchObject({ status: 3 });
  expect(state.comments[0]?.body).toContain('**The base has no project for the review');
});

describe('an environment on one side only', () => {
  test('that is new is shown with all its access, and needs approval', async () => {
    const inputs = { environments: 'test next' };
    const { ended, state } = await reviewed({ test: [A] }, { test: [A], next: [B] }, inputs);
    expect(ended).toMatchObject({ status: 3, results: 'success success' });
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
    expect(ended).toMatchObject({ status: 3, results: 'success success' });
    expect(state.comments[0]?.body).toContain('stack api-access-old is removed: 1 access closes');
    expect(state.comments[0]?.body).toContain(`| ${B}, tcp`);
  });

  test('without a list of environments, all are compared', async () => {
    const inputs = { environments: '' };
    const { ended, state } = await reviewed({ test: [A] }, { test: [A], next: [B] }, inputs);
    expect(ended).toMatchObject({ status: 3, results: 'success success' });
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
  const temporary = await temporaryFolder();
  const ended = await runAction('other' as Job, ROOT, undefined, { temporary });
  expect(ended.status).toBe(2);
});
