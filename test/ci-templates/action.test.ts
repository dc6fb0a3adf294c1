import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { cidrRule, modelOf } from '../render/models.js';
import { temporaryFolder } from '../support/cleanup.js';
import { startForge } from './forge-server.js';
import { run } from './run.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
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
writeFileSync(folder + '/cdk.tf.json', '{}');
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
    JSON.stringify(modelOf(...addresses.map((address) => cidrRule(`${address}/32`))));
  await git('init', '--quiet');
  const first: Record<string, string> = base
    ? { ...project, 'access.json': access(base) }
    : { 'README.md': 'empty' };
  const baseCommit = await commit(first);
  await commit({ ...project, 'access.json': access(head) });
  return { folder, baseCommit };
}

interface Action {
  readonly inputs: Record<string, { readonly default?: string }>;
  readonly runs: {
    readonly steps: readonly {
      readonly run?: string;
      readonly env?: Record<string, string>;
      readonly 'working-directory'?: string;
    }[];
  };
}

/** Runs the action's own steps, in order, as a runner would; uploads are left out. */
async function runAction(
  { folder, baseCommit }: Awaited<ReturnType<typeof repository>>,
  forge: Record<string, string>,
  temporary: string,
) {
  const { inputs, runs } = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default])),
    environments: 'test',
    base: baseCommit,
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
    if (step.run === undefined) continue;
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
  return { status: 0, stderr: '', review: status };
}

async function reviewed(base: readonly string[] | undefined, head: readonly string[]) {
  const { state, github } = await startForge();
  const temporary = await temporaryFolder();
  const change = await repository(base, head);
  const ended = await runAction(change, github, temporary);
  const again = async () => runAction(change, github, await temporaryFolder());
  return { ended, state, report: join(temporary, 'connectivity', 'report'), again };
}

const A = '198.51.100.10';
const B = '198.51.100.20';

test('a change that opens an address waits for the label, and goes on with it', async () => {
  const { ended, state, report, again } = await reviewed([A], [A, B]);
  expect(ended).toMatchObject({ status: 3, review: '3' });
  expect(state.comments).toHaveLength(1);
  expect(state.comments[0]?.body).toContain('WIDENS 1');
  expect(state.comments[0]?.body).toContain(B);
  expect((await readdir(report)).sort()).toEqual(['plan', 'review.json', 'review.md']);
  expect(await readdir(join(report, 'plan'))).toEqual(['api-access-test.txt']);
  state.setLabel('connectivity-approved');
  expect(await again()).toMatchObject({ status: 0, review: '3' });
  expect(state.comments).toHaveLength(1);
});

test('a change that opens nothing goes on', async () => {
  const { ended, state } = await reviewed([A, B], [B]);
  expect(ended).toMatchObject({ status: 0, review: '0' });
  expect(state.comments[0]?.body).toContain('WIDENS 0');
});

test('the first pull request has an empty base, and is judged by its own program', async () => {
  const { ended, state } = await reviewed(undefined, [A]);
  expect(ended).toMatchObject({ status: 3, review: '3' });
  expect(state.comments[0]?.body).toContain('WIDENS 1');
});
