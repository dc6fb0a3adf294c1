import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runWorkflow, type WorkflowRun } from '../../ci-templates/github-runner.js';
import { runPipeline } from '../../ci-templates/gitlab-runner.js';
import { type Registry, startRegistry } from '../../support/registry.js';
import { StackRun } from '../../support/stack-run.js';
import { CHANGES, madeProject, networks } from './project.js';

const GROUP = 'Volcengine::VPC::SecurityGroup';

const NOT_REVIEWED = '`--tree` must be the tree with the digest ';

let registry: Registry;
let packed: string;
let cloud: StackRun;
let project: Awaited<ReturnType<typeof madeProject>>;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  registry = await startRegistry(packed, ['eventsource-parser', 'jose', 'undici']);
});
afterAll(async () => {
  await registry.stop();
  await rm(packed, { recursive: true });
});

/** The networks that the cloud lets to the service. */
const open = () =>
  cloud.sandbox.cloud
    .list(GROUP)
    .flatMap(({ properties }) => properties.IngressPermissions as Record<string, string>[])
    .flatMap(({ Policy, CidrIp }) => (Policy === 'accept' ? [CidrIp] : []));

const tree = (artifacts: string) =>
  join(artifacts, 'connectivity-change', 'tree', 'stacks', 'api-access-sandbox');

interface Given {
  readonly approve?: boolean;
  readonly attempt?: number;
  readonly earlier?: WorkflowRun;
  readonly between?: (next: string, artifacts: string) => Promise<void>;
}

/** Runs the workflow of a merge, and keeps the names of environments that were asked for. */
async function onGitHub({ approve = false, ...more }: Given = {}) {
  const asked: string[] = [];
  const run = await runWorkflow('connectivity-deploy', {
    repository: project.folder,
    env: environment(),
    ...ofRepository(),
    inputs: { environments: 'sandbox', install: project.install },
    approve: (name) => {
      asked.push(name);
      return name !== 'production' || approve;
    },
    ...more,
  });
  const { review, deploy } = run.jobs;
  const log = Object.values(run.jobs).map(({ stdout, stderr }) => stdout + stderr);
  return { run, review, deploy, asked, log: log.join('\n') };
}

/** The secrets and variables that the workflow reads: they lead to the sandbox. */
function ofRepository() {
  const { env } = cloud.sandbox;
  const [key = '', secret = ''] = [env.VOLCENGINE_ACCESS_KEY, env.VOLCENGINE_SECRET_KEY];
  const [id = '', app = ''] = [
    env.SECURE_CONNECTIVITY_ENTERPRISE_ID,
    env.SECURE_CONNECTIVITY_APP_ID,
  ];
  return {
    secrets: {
      VOLCENGINE_ACCESS_KEY: key,
      VOLCENGINE_SECRET_KEY: secret,
      VOLCENGINE_READ_ONLY_ACCESS_KEY: key,
      VOLCENGINE_READ_ONLY_SECRET_KEY: secret,
    },
    vars: {
      CONNECTIVITY_ENTERPRISE_ID: id,
      CONNECTIVITY_APP_ID: app,
      CONNECTIVITY_KEY_ID: env.SECURE_CONNECTIVITY_KEY_ID ?? '',
      CONNECTIVITY_STATE_FOLDER: env.CONNECTIVITY_STATE_FOLDER ?? '',
    },
  };
}

const environment = () => ({
  ...cloud.sandbox.env,
  PATH: process.env.PATH ?? '',
  npm_config_registry: registry.url,
  TERRAFORM_BINARY_NAME: project.terraform,
  CONNECTIVITY_ENV: 'sandbox',
});

async function start(): Promise<void> {
  const scratch = await mkdtemp(join(packed, 'project-'));
  [cloud, project] = await Promise.all([StackRun.start(), madeProject(scratch)]);
}

const stop = () => cloud.stop();

describe('on GitHub', () => {
  beforeAll(start);
  afterAll(stop);

  test('a first deploy waits for the reviewers of production, who see its report', async () => {
    const waiting = await onGitHub();
    expect(waiting.deploy?.result, waiting.log).toBe('waiting');
    expect(waiting.asked).toEqual(['production-read-only', 'production']);
    expect(waiting.review?.summary).toContain('10.20.1.0/24');
    expect(open()).toEqual([]);
    const deployed = await onGitHub({ approve: true });
    expect(deployed.deploy, deployed.log).toMatchObject({ result: 'success' });
    expect(open()).toEqual(['10.20.1.0/24']);
  });

  test('what changes nothing is deployed without them', async () => {
    await project.commit(CHANGES.harmless.change);
    const { deploy, asked, log } = await onGitHub();
    expect(asked).toEqual(['production-read-only', 'production-unchanged']);
    expect(deploy, log).toMatchObject({ result: 'success', environment: 'production-unchanged' });
  });

  test.each([
    [
      'a configuration that another job put in its place',
      (artifacts: string) =>
        appendFile(join(tree(artifacts), 'cdk.tf.json'), '\n').then(() => undefined),
    ],
    [
      'a file that came after the review',
      (artifacts: string) => writeFile(join(tree(artifacts), 'x_override.tf.json'), '{}'),
    ],
  ])('%s is not deployed', async (_, change) => {
    const { deploy, log } = await onGitHub({
      between: async (next, artifacts) => {
        if (next === 'deploy') await change(artifacts);
      },
    });
    expect([deploy?.status, log]).toEqual([2, expect.stringContaining(NOT_REVIEWED)]);
    // Nothing else reads a tree that was refused.
    expect(log).not.toContain('verify.sh');
  });

  test('a deploy that is run again without its review, or after another merge, is refused', async () => {
    const { run } = await onGitHub();
    const { deploy: _, ...jobs } = run.jobs;
    const earlier = { ...run, jobs };
    const again = await onGitHub({ attempt: 2, earlier });
    expect([again.deploy?.status, again.log]).toEqual([
      2,
      expect.stringContaining('the review must be of this attempt, 2, got: 1'),
    ]);
    const old = await onGitHub({
      between: async (next) => {
        if (next !== 'deploy') return;
        await project.git('checkout', '--quiet', '--detach');
        await project.git('branch', '--force', 'main', 'HEAD~1');
      },
    });
    expect([old.deploy?.status, old.log]).toEqual([
      2,
      expect.stringContaining('the default branch has moved on to'),
    ]);
    await project.git('branch', '--force', 'main', 'HEAD');
    await project.git('checkout', '--quiet', 'main');
  });

  test('what narrows waits as well, and what breaks an intent is not deployed, with its report', async () => {
    await project.commit(CHANGES.narrowing.change);
    const narrower = await onGitHub();
    expect(narrower.deploy, narrower.log).toMatchObject({ result: 'waiting' });
    await project.commit(CHANGES['intent-breaking'].change);
    const broken = await onGitHub({ approve: true });
    expect(broken.review, broken.log).toMatchObject({ status: 4, result: 'failure' });
    expect(broken.review?.summary).toContain('## FORBIDDEN');
    expect(broken.deploy).toMatchObject({ result: 'skipped' });
    expect(await readdir(join(broken.run.artifacts, 'connectivity-deploy-review'))).toEqual(
      expect.arrayContaining(['review.html', 'review.md']),
    );
    expect(open()).toEqual(['10.20.1.0/24']);
  });
});

describe('on GitLab', () => {
  beforeAll(start);
  afterAll(stop);

  async function onGitLab(
    isStarted = false,
    unpacked?: (job: string, folder: string) => Promise<void>,
  ) {
    const jobs = await runPipeline({
      repository: project.folder,
      source: 'push',
      variables: { ...environment(), INSTALL: project.install },
      start: () => isStarted,
      ...(unpacked && { unpacked }),
    });
    const log = Object.values(jobs).map(({ stdout, stderr }) => stdout + stderr);
    const { 'connectivity-judge': judge, 'connectivity-deploy': deploy } = jobs;
    return { judge, deploy, log: log.join('\n') };
  }

  test('a first deploy waits until somebody starts it, and deploys what was reviewed', async () => {
    const waiting = await onGitLab();
    expect(waiting.deploy, waiting.log).toMatchObject({
      result: 'manual',
      environment: 'production',
    });
    expect(waiting.judge?.stdout).toContain('10.20.1.0/24');
    const deployed = await onGitLab(true);
    expect(deployed.deploy, deployed.log).toMatchObject({ result: 'success' });
    expect(open()).toEqual(['10.20.1.0/24']);
  });

  test('what changes nothing is deployed at once, and no other tree in its place', async () => {
    await project.commit(CHANGES.harmless.change);
    const forged = await onGitLab(false, async (job, folder) => {
      if (job !== 'connectivity-deploy') return;
      const stack = join(folder, '.connectivity/change/tree/stacks/api-access-sandbox');
      await appendFile(join(stack, 'cdk.tf.json'), '\n');
    });
    expect([forged.deploy?.status, forged.log]).toEqual([2, expect.stringContaining(NOT_REVIEWED)]);
    const { deploy, log } = await onGitLab();
    expect(deploy, log).toMatchObject({ result: 'success', environment: 'production-unchanged' });
  });

  test('what widens waits, and what breaks an intent is not deployed, with its report', async () => {
    await project.commit(networks('10.20.0.0/16'));
    expect((await onGitLab()).deploy).toMatchObject({ result: 'manual' });
    await project.commit(CHANGES['intent-breaking'].change);
    const { judge, deploy, log } = await onGitLab(true);
    expect(judge, log).toMatchObject({ status: 4 });
    expect(judge?.stdout).toContain('| ## FORBIDDEN');
    expect(deploy).toBeUndefined();
    expect(open()).toEqual(['10.20.1.0/24']);
  });
});
