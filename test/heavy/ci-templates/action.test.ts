import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startForge } from '../../ci-templates/forge-server.js';
import { run } from '../../ci-templates/run.js';
import { cidrRule, modelOf } from '../../render/models.js';
import { temporaryFolder } from '../../support/cleanup.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'dist', 'cli', 'main.js');

/** Installs a program that runs this package as it is built. */
const INSTALL = `mkdir -p node_modules/.bin
printf '#!/bin/sh\\nexec "${process.execPath}" "${MAIN}" "$@"\\n' > node_modules/.bin/secure-connectivity
chmod +x node_modules/.bin/secure-connectivity
`;

const SYNTH = `
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
const folder = process.argv[2] + '/stacks/api-access-test';
mkdirSync(folder, { recursive: true });
cpSync('access.json', folder + '/access.json');
writeFileSync(folder + '/cdk.tf.json', '{"terraform":{}}');
`;

const PLAN = `
import { writeFileSync } from 'node:fs';
writeFileSync(process.argv[2] + '/api-access-test.txt', 'No changes.');
`;

/** A repository with a base and a change, which let these addresses be called. */
async function repository(base: readonly string[] | undefined, head: readonly string[]) {
  const folder = await temporaryFolder();
  const git = async (...args: string[]) => {
    const name = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    const ended = await run('git', [...name, ...args], { cwd: folder });
    if (ended.status !== 0) throw new Error(ended.stderr);
    return ended.stdout.trim();
  };
  const commit = async (files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'change');
    return await git('rev-parse', 'HEAD');
  };
  const project = {
    '.gitignore': 'node_modules\n',
    'cdktf.json': '{}',
    'install.sh': INSTALL,
    'synth.mjs': SYNTH,
    'plan.mjs': PLAN,
  };
  const access = (addresses: readonly string[]) =>
    JSON.stringify(
      modelOf(
        ...addresses.map((address) => ({
          ...cidrRule(`${address}/32`),
          enforcedElsewhere: 'the firewall of the office',
        })),
      ),
    );
  await git('init', '--quiet');
  const first: Record<string, string> = base
    ? { ...project, 'access.json': access(base) }
    : { 'README.md': 'empty' };
  const baseCommit = await commit(first);
  await git('checkout', '--quiet', '-b', 'change');
  await commit({ ...project, 'access.json': access(head) });
  // What a forge checks out for a pull request: the merge, whose first parent is the target branch.
  await git('checkout', '--quiet', '--detach', baseCommit);
  await git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change');
  return { folder, git };
}

interface Action {
  readonly inputs: Record<string, { readonly default?: string }>;
  readonly runs: {
    readonly steps: readonly {
      readonly name: string;
      readonly if?: string;
      readonly run?: string;
      readonly env?: Record<string, string>;
      readonly 'working-directory'?: string;
    }[];
  };
}

type Repository = Awaited<ReturnType<typeof repository>>;

/** Runs both jobs, each on a runner of its own, with the artifact between them. */
async function runJobs(change: Repository, forge: Record<string, string>) {
  const [first, second] = [await temporaryFolder(), await temporaryFolder()];
  const synthesized = await runAction('synthesize', change, forge, first);
  if (synthesized.status !== 0) return { ...synthesized, temporary: second };
  const artifact = join('connectivity', 'change');
  // A checkout of its own as well: nothing that the change has installed gets into the second job.
  await change.git('worktree', 'prune');
  const folder = join(await temporaryFolder(), 'checkout');
  await change.git('clone', '--quiet', '--depth', '2', `file://${change.folder}`, folder);
  await cp(join(first, artifact), join(second, artifact), { recursive: true });
  const ended = await runAction('review', { ...change, folder }, forge, second);
  return { ...ended, temporary: second };
}

/** Runs the action's own steps, in order, as a runner would; artifacts are left out. */
async function runAction(
  job: 'synthesize' | 'review',
  { folder }: Pick<Repository, 'folder'>,
  forge: Record<string, string>,
  temporary: string,
) {
  const { inputs, runs } = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default])),
    job,
    environments: 'test',
    install: 'bash install.sh',
    synth: 'node synth.mjs',
    plan: 'node plan.mjs',
    token: forge.GITHUB_TOKEN,
  };
  const output = join(temporary, 'output');
  const expand = (text: string) =>
    text.replace(
      /\$\{\{ (?:inputs\.([\w-]+)|(github\.event\.pull_request\.number)|steps\.review\.outputs\.(status)) \}\}/g,
      (_, input, number) =>
        input !== undefined ? (values[input] ?? '') : number !== undefined ? '7' : (status ?? ''),
    );
  let status: string | undefined;
  for (const step of runs.steps) {
    const runsIn = /^inputs\.job == '(\w+)'/.exec(step.if ?? '')?.[1] ?? job;
    if (step.run === undefined || runsIn !== job) continue;
    const given = Object.entries(step.env ?? {}).map(([name, text]) => [name, expand(text)]);
    const ended = await run('bash', ['-eo', 'pipefail', '-c', step.run], {
      cwd: folder,
      env: {
        GITHUB_API_URL: forge.GITHUB_API_URL ?? '',
        GITHUB_REPOSITORY: 'owner/name',
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: temporary,
        ...Object.fromEntries(given),
      },
    });
    status ??= /^status=(\d+)$/m.exec(await readFile(output, 'utf8').catch(() => ''))?.[1];
    if (ended.status !== 0) return { ...ended, review: status };
  }
  return { status: 0, stdout: '', stderr: '', review: status };
}

async function reviewed(base: readonly string[] | undefined, head: readonly string[]) {
  const { state, github } = await startForge();
  const change = await repository(base, head);
  const again = () => runJobs(change, github);
  const ended = await again();
  return { ended, state, change, again, report: join(ended.temporary, 'connectivity', 'report') };
}

const A = '198.51.100.10';
const B = '198.51.100.20';

test('a change that opens an address waits for the label, and passes with it', async () => {
  const { ended, state, report, again } = await reviewed([A], [A, B]);
  expect(ended).toMatchObject({ status: 3, review: '3' });
  expect(state.comments).toHaveLength(1);
  expect(state.comments[0]?.body).toContain('## NEEDS APPROVAL: ');
  expect(state.comments[0]?.body).toContain(B);
  expect((await readdir(report)).sort()).toEqual(['review.json', 'review.md', 'status']);
  const change = join(report, '..', 'change');
  expect(await readdir(join(change, 'plan'))).toEqual(['api-access-test.txt']);
  state.setLabel('connectivity-approved');
  expect(await again()).toMatchObject({ status: 0, review: '3' });
  expect(state.comments).toHaveLength(1);
});

test('the base is what the merge commit was made on, whatever the target branch was before', async () => {
  const { change, again, state } = await reviewed([A], [A, B]);
  // The target branch gets B too, and the forge makes the merge commit anew.
  await change.git('checkout', '--quiet', 'HEAD^1');
  const access = await change.git('show', 'change:access.json');
  await writeFile(join(change.folder, 'access.json'), access);
  await change.git('commit', '--quiet', '--all', '--message', 'the same on the target branch');
  await change.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change');
  expect(await again()).toMatchObject({ status: 0, review: '0' });
  expect(state.comments[0]?.body).toContain('## NO CHANGE: ');
});

test('a checkout that is no merge commit is refused', async () => {
  const { change, again } = await reviewed([A, B], [B]);
  await change.git('checkout', '--quiet', 'change');
  const ended = await again();
  expect(ended).toMatchObject({ status: 2, review: undefined });
  expect(ended.stdout).toContain('`base` must be given unless a merge commit is checked out');
});

test('a change that opens nothing passes', async () => {
  const { ended, state } = await reviewed([A, B], [B]);
  expect(ended).toMatchObject({ status: 0, review: '0' });
  expect(state.comments[0]?.body).toContain('## NARROWER: ');
});

test('the base judges with its own program, whatever program the change brings', async () => {
  const { change, again, state } = await reviewed([A], [A, B]);
  await change.git('checkout', '--quiet', 'change');
  const install = INSTALL.replace(
    /exec .*\$@"/,
    'for a in "$@"; do case $a in *=*) echo same > ${a#*=};; esac; done; exit 0',
  );
  expect(install).not.toBe(INSTALL);
  await writeFile(join(change.folder, 'install.sh'), install);
  await change.git('commit', '--quiet', '--all', '--message', 'a program that finds nothing');
  await change.git('checkout', '--quiet', '--detach', 'change^^');
  await change.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change');
  expect(await again()).toMatchObject({ status: 3, review: '3' });
  expect(state.comments[0]?.body).toContain(B);
});

test('the first pull request has no program on the base, and always needs approval', async () => {
  const { ended, state } = await reviewed(undefined, []);
  expect(ended).toMatchObject({ status: 3, review: '3' });
  expect(state.comments[0]?.body).toContain(
    '**NEEDS APPROVAL: The base has no program for the review',
  );
});

test('a job that the action does not know fails', async () => {
  const ended = await runAction('other' as 'review', { folder: ROOT }, {}, await temporaryFolder());
  expect(ended.status).toBe(2);
});
