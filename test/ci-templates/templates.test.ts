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
const HCL_WORKFLOW = join(ROOT, 'shipped', 'ci-templates', 'hcl', 'github.yml');
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
  'working-directory': z.string().optional(),
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
  needs: z
    .array(z.union([z.string(), z.strictObject({ pipeline: z.string(), job: z.string() })]))
    .optional(),
  resource_group: z.string().optional(),
  environment: z
    .strictObject({ name: z.string(), action: z.literal('access').optional() })
    .optional(),
  rules: z.array(
    z.strictObject({
      if: z.string().optional(),
      when: z.enum(['always', 'manual', 'on_success']).optional(),
    }),
  ),
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

/** A job that starts the pipeline in an artifact of another. */
const gitlabTrigger = z.strictObject({
  stage: z.string(),
  needs: z.array(z.string()),
  rules: z.array(z.strictObject({ if: z.string() })),
  variables: z.record(z.string(), z.string()),
  trigger: z.strictObject({
    include: z.array(z.strictObject({ artifact: z.string(), job: z.string() })).length(1),
    strategy: z.literal('depend'),
  }),
});

/** Runs code of packages or of the project. */
const INSTALLS = /npm (ci|install|run)|(cdktf|secure-connectivity) synth|synthesize\.sh/;

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
    const withSecret = runs.filter((step) => /inputs\.token/.test(JSON.stringify(step.env ?? {})));
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
      ({ if: when = '' }) => !when.includes('inputs.job ==') || when.includes("'gate'"),
    );
    expect(ofGate.map(({ name }) => name)).toEqual([
      'Check the name of the job',
      'Install the program that judges',
      'Comment, and decide',
    ]);
    expect(ofGate.filter(({ run }) => INSTALLS.test(run))).toEqual([]);
  });

  test('a job that deploys takes the tree as it is', () => {
    const ofDeploy = runs.filter(
      ({ if: when = '' }) => !when.includes('inputs.job ==') || when.includes("'deploy'"),
    );
    expect(ofDeploy.map(({ name }) => name)).toEqual([
      'Check the name of the job',
      'Empty the working folder',
      'Refuse a run that is no longer the newest',
      'Install the program that judges',
      'Put the tree beside the program',
    ]);
    expect(ofDeploy.filter(({ run }) => INSTALLS.test(run))).toEqual([]);
  });

  test('the tree is handed on with its lock files, whose names are hidden', () => {
    const uploads = action.runs.steps.filter(
      (step) =>
        'with' in step && step.with.name === 'connectivity-change' && 'overwrite' in step.with,
    );
    expect(uploads).toMatchObject([{ with: { 'include-hidden-files': true } }]);
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

  test('a job has a secret, or runs code of the project, but not both', () => {
    for (const [job, { env: own = {}, environment, steps: all }] of Object.entries(workflow.jobs)) {
      expect(JSON.stringify(own)).not.toMatch(/secrets|token/i);
      const isSecret = /secrets\./.test(JSON.stringify(all));
      expect([job, environment !== undefined]).toEqual([job, isSecret]);
      const actions = all.filter(({ uses = '' }) => uses.includes('/cdktf-secure-connectivity@'));
      const kinds = actions.map(({ with: inputs }) => inputs?.job);
      expect(kinds).toHaveLength(1);
      if (!isSecret) continue;
      expect(['tree', 'deploy']).toContain(kinds[0]);
      expect(all.filter(({ run = '' }) => INSTALLS.test(run))).toEqual([]);
      // The installation has none either.
      const using = all.filter(({ uses }) => uses !== undefined);
      expect(JSON.stringify(using)).not.toMatch(/secrets|token/i);
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

describe('the workflow for HCL', () => {
  const text = read('shipped', 'ci-templates', 'hcl', 'github.yml');
  const { jobs, permissions, on } = parse(text);
  type Job = {
    permissions: object;
    steps: readonly { uses?: string; run?: string; with?: object }[];
  };
  const steps = Object.values<Job>(jobs).flatMap((job) => job.steps);

  test('pins its actions, and lets no expression into a script nor a credential into a checkout', () => {
    for (const line of text.split('\n').filter((one) => one.includes('uses:'))) {
      expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    for (const { run = '', uses, with: given } of steps) {
      expect(run).not.toContain('${{');
      expect(parsesAsBash(run)).toBe(true);
      if (uses?.startsWith('actions/checkout@') !== true) continue;
      expect(given).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('it installs this version of the package', () => {
    const { version } = JSON.parse(read('package.json'));
    const named = [...text.matchAll(/cdktf-secure-connectivity@(\d+\.[\w.-]+)/g)].map(
      ([, one]) => one,
    );
    expect(named).toEqual([version, version]);
  });

  test('only the gate may write, and only to pull requests; the apply waits for production', () => {
    expect([permissions, Object.keys(on)]).toEqual([{}, ['pull_request', 'push']]);
    expect(jobs).toMatchObject({
      plan: { environment: 'production-read-only', permissions: { contents: 'read' } },
      gate: { if: 'always()', permissions: { contents: 'read', 'pull-requests': 'write' } },
      apply: { environment: 'production', permissions: { contents: 'read' } },
    });
    expect(jobs.gate).not.toHaveProperty('environment');
    expect(jobs.apply.needs).toEqual(['plan', 'gate']);
  });
});

test('a deploy waits for the reviewers of production unless the review has said that nothing changes', () => {
  const { jobs } = workflowSchema.parse(
    parse(read('shipped', 'ci-templates', 'github', 'connectivity-deploy.yml')),
  );
  expect(Object.keys(jobs)).toEqual(['synthesize', 'review', 'deploy']);
  expect(jobs.review).toMatchObject({ needs: 'synthesize', environment: 'production-read-only' });
  expect(jobs.deploy).toMatchObject({
    needs: 'review',
    environment:
      "${{ needs.review.outputs.unchanged == 'true' && 'production-unchanged' || 'production' }}",
  });
  const deploying = jobs.deploy?.steps.find(({ run = '' }) => run.includes('/deploy.sh '));
  expect(deploying?.env).toMatchObject({ DIGEST: '${{ needs.review.outputs.digest }}' });
});

describe('the template for GitLab', () => {
  const { variables, stages, ...jobs } = parse(
    read('shipped', 'ci-templates', 'gitlab-secure-connectivity.yml'),
  );
  const own = Object.entries(jobs).filter(([name]) => name !== 'connectivity-deploy');
  const child = (when: string) => {
    const text = read('shipped', 'ci-templates', 'gitlab-deploy.yml');
    const { stages: ofChild, ...rest } = parse(
      text
        .replace('@DIGEST@', 'a'.repeat(64))
        .replace('@WHEN@', when)
        .replace('@ENVIRONMENT@', 'production'),
    );
    return { ofChild, job: gitlabJob.parse(rest['connectivity-deploy']), names: Object.keys(rest) };
  };

  test('is made of known keys, and its scripts are shell', () => {
    expect(Object.keys(variables).length).toBeGreaterThan(0);
    for (const [, job] of own) {
      const { stage, script, needs = [] } = gitlabJob.parse(job);
      expect(stages).toContain(stage);
      for (const needed of needs) expect(Object.keys(jobs)).toContain(needed);
      expect(parsesAsBash(script.join('\n')), script.join('\n')).toBe(true);
    }
  });

  test('reviews, judges before the deploy, and looks for drift', () => {
    expect(Object.keys(jobs)).toEqual([
      'connectivity-synthesize',
      'connectivity-compare',
      'connectivity-review',
      'connectivity-judge',
      'connectivity-deploy',
      'connectivity-drift',
    ]);
  });

  test('the pipeline that deploys is the one that the job which judged has written', () => {
    const { needs, trigger } = gitlabTrigger.parse(jobs['connectivity-deploy']);
    expect(needs).toEqual(['connectivity-judge']);
    expect(trigger.include).toEqual([
      { artifact: '.connectivity/report/deploy.yml', job: 'connectivity-judge' },
    ]);
    const { ofChild, names, job } = child('manual');
    expect([names, ofChild]).toEqual([['connectivity-deploy'], ['deploy']]);
    expect(job).toMatchObject({ environment: { name: 'production' }, rules: [{ when: 'manual' }] });
    // As a variable, whoever starts the job could set another.
    expect(job.script.join('\n')).toContain(`tree ${'a'.repeat(64)} `);
    expect(job.variables).toEqual({ GIT_STRATEGY: 'empty' });
    expect(parsesAsBash(job.script.join('\n'))).toBe(true);
  });

  test('names the environment to deploy, which has no default in the project', () => {
    expect(variables.CONNECTIVITY_ENVIRONMENTS.split(' ')).toContain(variables.CONNECTIVITY_ENV);
  });

  test('a job runs code of the project, or has secrets and an empty folder, but not both', () => {
    const all = [...own, ['connectivity-deploy', child('manual').job] as const];
    for (const [name, job] of all) {
      const { script, environment, variables: set } = gitlabJob.parse(job);
      const installs = script.some((line) => INSTALLS.test(line));
      expect([name, installs], name).toEqual([name, environment === undefined]);
      expect([name, set?.GIT_STRATEGY === 'empty']).toEqual([name, !installs]);
    }
  });

  test('the job with the token runs the gate of its image, and nothing that another job has left', () => {
    const { script, rules, variables: set } = gitlabJob.parse(jobs['connectivity-review']);
    // In a folder that is used again, a job of the change could have left a report.
    expect(set).toEqual({ GIT_STRATEGY: 'empty' });
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
    cpSync(HCL_WORKFLOW, join(workflows, 'connectivity-hcl.yml'));
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
    cpSync(HCL_WORKFLOW, join(workflows, 'connectivity-hcl.yml'));
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
