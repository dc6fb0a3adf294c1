import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { temporaryFolder } from '../support/cleanup.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORKFLOWS = join(ROOT, 'shipped', 'ci-templates', 'github');
/** Those of the repository itself. */
const OWN_WORKFLOWS = join(ROOT, '.github', 'workflows');
const read = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8');

/** A tag can be moved to another commit. */
const pinned = z.string().regex(/^[\w./-]+@[0-9a-f]{40}$/);

const env = z.record(z.string(), z.string()).optional();

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z.union([
        z.strictObject({
          name: z.string(),
          id: z.string().optional(),
          if: z.string().optional(),
          shell: z.literal('bash'),
          'working-directory': z.string().optional(),
          env,
          run: z.string(),
        }),
        z.strictObject({
          name: z.string(),
          if: z.string().optional(),
          uses: pinned,
          with: z.record(z.string(), z.unknown()),
        }),
      ]),
    ),
  }),
});

const stepSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.string().optional(),
  uses: pinned.optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env,
  run: z.string().optional(),
});

const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  concurrency: z.strictObject({ group: z.string() }).optional(),
  jobs: z.record(
    z.string(),
    z.strictObject({
      'runs-on': z.union([z.string(), z.array(z.string())]),
      environment: z.string().optional(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      if: z.literal('always()').optional(),
      permissions: z.record(z.string(), z.enum(['read', 'write'])),
      outputs: z.record(z.string(), z.string()).optional(),
      env,
      steps: z.array(stepSchema),
    }),
  ),
});

const gitlabJob = z.strictObject({
  stage: z.string(),
  image: z.string(),
  tags: z.array(z.string()).optional(),
  needs: z.array(z.string()).optional(),
  resource_group: z.string().optional(),
  environment: z
    .strictObject({ name: z.string(), action: z.enum(['access', 'verify']).optional() })
    .optional(),
  rules: z.array(z.strictObject({ if: z.string(), when: z.literal('always').optional() })),
  variables: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  script: z.array(z.string()),
  artifacts: z
    .strictObject({
      when: z.enum(['always', 'on_failure']).optional(),
      expire_in: z.string().optional(),
      paths: z.array(z.string()).optional(),
      reports: z.strictObject({ junit: z.string() }).optional(),
    })
    .optional(),
});

/** Runs code of packages or of the project. */
const INSTALLS = /npm ci|npm run|(cdktf|secure-connectivity) synth|synthesize\.sh/;

function parsesAsBash(script: string): boolean {
  return spawnSync('bash', ['-n'], { input: script }).status === 0;
}

describe('action.yml', () => {
  const text = read('action.yml');
  const action = actionSchema.parse(parse(text));
  const runs = action.runs.steps.flatMap((step) => ('run' in step ? [step] : []));

  test('uses each input that it declares, and no other', () => {
    const used = new Set([...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  test('no value of a pull request gets into a script but by the environment', () => {
    for (const { run } of runs) {
      expect(run).not.toContain('${{');
      expect(parsesAsBash(run)).toBe(true);
    }
  });

  test('only the gate has the token, and the change is installed in a job of its own', () => {
    const withSecret = runs.filter((step) =>
      /inputs\.(token|statement-key)/.test(JSON.stringify(step.env ?? {})),
    );
    expect(withSecret.map(({ name, if: when }) => [name, when])).toEqual([
      ['Comment, and decide', "inputs.job == 'gate'"],
    ]);
    const installing = runs.filter(({ run }) => run.includes('synthesize.sh'));
    expect(installing.map((step) => [step.name, step.if])).toEqual([
      ['Synthesize the change', "inputs.job == 'synthesize'"],
      ['Synthesize the base', "inputs.job == 'review'"],
    ]);
    expect(action.inputs.install?.default).toContain('--ignore-scripts');
  });

  test('its scripts and outputs exist', () => {
    for (const [, name = ''] of text.matchAll(
      /GITHUB_ACTION_PATH\/(shipped\/ci-templates\/[\w.-]+)/g,
    )) {
      expect(read(name)).not.toBe('');
    }
    const ids = runs.map(({ id }) => id);
    for (const [, id] of text.matchAll(/steps\.(\w+)\./g)) expect(ids).toContain(id);
  });

  test('the job that decides installs and synthesizes nothing of the repository', () => {
    const ofGate = runs.filter(
      ({ if: when = '' }) => !/== '(synthesize|review)'/.test(when) || when.includes("'gate'"),
    );
    expect(ofGate.map(({ name }) => name)).toEqual([
      'Check the name of the job',
      'Install the program that judges',
      'Comment, and decide',
    ]);
    expect(ofGate.filter(({ run }) => INSTALLS.test(run))).toEqual([]);
  });
});

describe.each(readdirSync(WORKFLOWS))('%s', (name) => {
  const workflow = workflowSchema.parse(parse(read('shipped', 'ci-templates', 'github', name)));
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test('no expression gets into a script, and no credential stays in the checkout', () => {
    for (const { run = '' } of steps) {
      expect(run).not.toContain('${{');
      expect(parsesAsBash(run)).toBe(true);
    }
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const checkout of checkouts) {
      expect(checkout.with).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('only the gate may write, and only to pull requests', () => {
    const writing = Object.entries(workflow.jobs).flatMap(([job, { permissions }]) =>
      Object.entries(permissions).flatMap(([scope, value]) =>
        value === 'write' ? [[job, scope]] : [],
      ),
    );
    expect(writing).toEqual(name === 'connectivity-review.yml' ? [['gate', 'pull-requests']] : []);
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });

  test('no step that installs or synthesizes has a secret', () => {
    for (const [job, { env: own = {}, steps: all }] of Object.entries(workflow.jobs)) {
      expect(JSON.stringify(own)).not.toMatch(/secrets|token/i);
      for (const { uses, run = '', env: given = {}, with: inputs = {} } of all) {
        const isSafe = uses === undefined && !INSTALLS.test(run);
        if (isSafe || job === 'gate') continue;
        expect(JSON.stringify([given, inputs])).not.toMatch(/secrets|token/i);
      }
    }
  });

  test('the gate runs whatever became of the jobs before it, and is told', () => {
    const { gate } = workflow.jobs;
    if (gate === undefined) return;
    expect(gate).toMatchObject({ needs: ['synthesize', 'review'], if: 'always()' });
    expect(gate.steps.at(-1)?.with).toMatchObject({
      job: 'gate',
      results: "${{ join(needs.*.result, ' ') }}",
      report: '${{ needs.review.outputs.report }}',
    });
  });

  test('the version of each pinned action is beside its hash', () => {
    for (const line of read('shipped', 'ci-templates', 'github', name).split('\n')) {
      if (line.includes('uses:')) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('every script of the package that it calls exists', () => {
    const scripts = steps.map(({ run = '' }) => run).join('\n');
    for (const [, path = ''] of scripts.matchAll(
      /cdktf-secure-connectivity\/(shipped\/ci-templates\/\S+)/g,
    )) {
      expect(read(path)).not.toBe('');
    }
  });
});

describe('the template for GitLab', () => {
  const { variables, stages, ...jobs } = parse(
    read('shipped', 'ci-templates', 'gitlab-secure-connectivity.yml'),
  );

  test('is made of known keys, and its scripts are shell', () => {
    expect(Object.keys(variables).length).toBeGreaterThan(0);
    for (const job of Object.values(jobs)) {
      const { stage, script, needs = [] } = gitlabJob.parse(job);
      expect(stages).toContain(stage);
      for (const needed of needs) expect(Object.keys(jobs)).toContain(needed);
      expect(parsesAsBash(script.join('\n')), script.join('\n')).toBe(true);
    }
  });

  test('reviews, verifies after the deploy, and looks for drift', () => {
    expect(Object.keys(jobs)).toEqual([
      'connectivity-synthesize',
      'connectivity-compare',
      'connectivity-review',
      'connectivity-install',
      'connectivity-deploy',
      'connectivity-verify',
      'connectivity-drift',
    ]);
  });

  test('names the environment to deploy, which has no default in the project', () => {
    expect(variables.CONNECTIVITY_ENVIRONMENTS.split(' ')).toContain(variables.CONNECTIVITY_ENV);
  });

  test('a job has packages installed, or secrets, but not both', () => {
    for (const [name, job] of Object.entries(jobs)) {
      const { script, environment } = gitlabJob.parse(job);
      const installs = script.some((line) => INSTALLS.test(line));
      expect([name, installs], name).toEqual([name, environment === undefined]);
    }
  });

  test('the job with the token runs the gate of its image, and nothing that another job has left', () => {
    const { script, rules, variables: own } = gitlabJob.parse(jobs['connectivity-review']);
    // In a folder that is used again, a job of the change could have left a report.
    expect(own).toEqual({ GIT_STRATEGY: 'empty' });
    expect(rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"', when: 'always' }]);
    const runs = script.filter((line) => /\b(node|bash|sh|npx)\b/.test(line));
    expect(runs).toEqual(['node "$gate" .connectivity/report']);
    expect(script[0]).toContain('$(cd / && npm root --global)/cdktf-secure-connectivity/');
  });
});

/** Looked for on the path, and where `go install` puts it. */
function actionlint(): string | undefined {
  const go = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' });
  const places = ['actionlint', ...(go.status === 0 ? [`${go.stdout.trim()}/bin/actionlint`] : [])];
  return places.find((place) => spawnSync(place, ['-version']).status === 0);
}

const LINTER = actionlint();

test.skipIf(LINTER === undefined)(
  `actionlint has nothing to say${LINTER ? '' : ' (skipped: needs actionlint)'}`,
  async () => {
    const project = await temporaryFolder();
    const workflows = join(project, '.github', 'workflows');
    mkdirSync(join(project, '.git'), { recursive: true });
    cpSync(WORKFLOWS, workflows, { recursive: true });
    cpSync(OWN_WORKFLOWS, workflows, { recursive: true });
    writeFileSync(
      join(project, '.github', 'actionlint.yaml'),
      'self-hosted-runner:\n  labels: [private-network]\n',
    );
    cpSync(join(ROOT, 'action.yml'), join(project, 'action.yml'));
    // By its path in the project, so that its inputs are looked at as well.
    const review = join(workflows, 'connectivity-review.yml');
    const local = readFileSync(review, 'utf8').replaceAll(/uses: your-organization.*/g, 'uses: ./');
    writeFileSync(review, local);
    const linted = spawnSync(LINTER ?? '', ['-no-color'], { cwd: project, encoding: 'utf8' });
    expect(linted.stdout).toBe('');
    expect(linted.status).toBe(0);
    writeFileSync(review, local.replaceAll('environments:', 'environment:'));
    const broken = spawnSync(LINTER ?? '', ['-no-color'], { cwd: project, encoding: 'utf8' });
    expect(broken.stdout).toContain('environments');
  },
);

/** Looked for on the path, and where `.ci/tools` puts it. */
const ZIZMOR = [
  'zizmor',
  join(homedir(), '.cache', 'cdktf-secure-connectivity', 'zizmor', 'bin', 'zizmor'),
].find((place) => spawnSync(place, ['--version']).status === 0);

test.skipIf(ZIZMOR === undefined)(
  `zizmor has no finding${ZIZMOR ? '' : ' (skipped: needs zizmor)'}`,
  async () => {
    const project = await temporaryFolder();
    const workflows = join(project, '.github', 'workflows');
    cpSync(WORKFLOWS, workflows, { recursive: true });
    cpSync(OWN_WORKFLOWS, workflows, { recursive: true });
    cpSync(join(ROOT, 'action.yml'), join(project, 'action.yml'));
    const lint = () =>
      spawnSync(ZIZMOR ?? '', ['--offline', '--no-progress', '--format=plain', project], {
        encoding: 'utf8',
      });
    expect(lint()).toMatchObject({ status: 0, stdout: expect.stringContaining('No findings') });
    const review = join(workflows, 'connectivity-review.yml');
    writeFileSync(review, readFileSync(review, 'utf8').replace(/@[0-9a-f]{40} # /, '@'));
    expect(lint().stdout).toContain('unpinned-uses');
  },
);
