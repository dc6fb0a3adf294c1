import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runWorkflow, type WorkflowRun } from '../ci-templates/github-runner.js';
import { run } from '../ci-templates/run.js';
import { temporaryFolder } from '../support/cleanup.js';
import { type Registry, startRegistry } from '../support/registry.js';

const NPM = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8'));
const DEPENDENCIES = Object.keys(MANIFEST.dependencies);

/**
 * npm without what other lanes run, without advisories, and without the provenance, which a service
 * of the forge signs; it publishes to the registry of the test.
 */
const npmFor = (registry: string) => `#!/usr/bin/env bash
case "$*" in
  audit*|'run lint'|'run typecheck'|test) exit 0 ;;
  publish*--provenance*) set -- "\${@/#--provenance/--registry=${registry}}" ;;
esac
exec ${NPM} "$@"
`;

/** The newer versions of Node.js, which are lanes of their own. */
const VERSIONS = {
  ...{ status: 0, stdout: '', stderr: '', outputs: {}, summary: '', temporary: '' },
  result: 'success',
} as const;

/** A repository as its owner has it before a release: this one, with `repository` of package.json as given. */
async function repositoryWith(repository: object): Promise<string> {
  const folder = join(await temporaryFolder(), 'repository');
  execFileSync('git', ['clone', '--quiet', '.', folder]);
  const manifest = JSON.stringify({ ...MANIFEST, ...repository }, undefined, 2);
  writeFileSync(join(folder, 'package.json'), `${manifest}\n`);
  const owner = ['-c', 'user.name=owner', '-c', 'user.email=owner@example.org'];
  const commit = ['commit', '--quiet', '--all', '--allow-empty', '--message', 'Release'];
  execFileSync('git', [...owner, ...commit], { cwd: folder });
  return folder;
}

async function release(repository: string, { url }: Registry): Promise<WorkflowRun> {
  const scratch = await temporaryFolder();
  writeFileSync(join(scratch, 'npm'), npmFor(url), { mode: 0o755 });
  writeFileSync(join(scratch, 'npmrc'), `//${new URL(url).host}/:_authToken=of-the-test\n`);
  return await runWorkflow('.github/workflows/publish.yml', {
    repository,
    env: {
      PATH: [scratch, process.env.PATH].join(delimiter),
      NPM_CONFIG_USERCONFIG: join(scratch, 'npmrc'),
      GITHUB_REF_NAME: `v${MANIFEST.version}`,
    },
    earlier: { jobs: { versions: VERSIONS }, artifacts: await temporaryFolder() },
  });
}

async function emptyRegistry(): Promise<Registry> {
  const registry = await startRegistry(await temporaryFolder(), DEPENDENCIES, []);
  onTestFinished(() => registry.stop());
  return registry;
}

test('a tag publishes what others install and run, with the action of its own commit', async () => {
  const registry = await emptyRegistry();
  const url = 'git+https://github.com/owner/name.git';
  const repository = await repositoryWith({ repository: { type: 'git', url } });
  const { jobs } = await release(repository, registry);
  expect(jobs.gates?.result, jobs.gates?.stderr).toBe('success');
  expect(jobs.publish?.result, jobs.publish?.stderr).toBe('success');
  const [published, ...others] = registry.published;
  expect(others).toEqual([]);
  expect(published).toMatchObject({
    manifest: { name: MANIFEST.name, version: MANIFEST.version, repository: { url } },
    authorization: 'Bearer of-the-test',
  });

  const project = join(await temporaryFolder(), 'project');
  mkdirSync(project);
  const env = { npm_config_registry: registry.url, npm_config_audit: 'false' };
  const npm = (...args: readonly string[]) => run(NPM, args, { cwd: project, env });
  // Its peers are for who writes stacks: npm would ask for each of them.
  const installed = await npm('install', MANIFEST.name, '--prefix', project, '--legacy-peer-deps');
  expect(installed.status, installed.stderr).toBe(0);
  const version = await npm('exec', '--offline', '--', 'secure-connectivity', '--version');
  expect(version.stdout.trim()).toBe(MANIFEST.version);
  const templates = join(project, 'node_modules', MANIFEST.name, 'shipped/ci-templates');
  const workflow = readFileSync(join(templates, 'github/connectivity-review.yml'), 'utf8');
  const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'], { cwd: repository });
  expect(workflow).toContain(`uses: owner/name@${commit.trim()} # v${MANIFEST.version}`);
}, 400_000);

test('without `repository` nothing is packed and nothing published', async () => {
  const registry = await emptyRegistry();
  const { jobs } = await release(await repositoryWith({ repository: undefined }), registry);
  expect(jobs.gates).toMatchObject({ result: 'failure' });
  expect(jobs.gates?.stderr).toContain('release: `repository` of package.json must be');
  expect(jobs.publish?.result).toBe('skipped');
  expect(registry.published).toEqual([]);
}, 100_000);
