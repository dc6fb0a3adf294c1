import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/cleanup.js';
import { type Contexts, expand, isDue } from './expressions.js';
import { type Ended, run } from './run.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly 'working-directory'?: string;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What GitHub and its runners are for a workflow. */
export interface World {
  /** Where the repository is; its HEAD is the commit of the event. */
  readonly repository: string;
  /** Variables of every job, such as the address of a registry. */
  readonly env: Readonly<Record<string, string>>;
  readonly event?: object;
  readonly attempt?: number;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  /** Inputs of this package's action in place of the workflow's. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Tells whether the reviewers of an environment let a job start; none has reviewers unless given. */
  readonly approve?: (environment: string) => boolean;
  /** Jobs of an earlier attempt, and their artifacts, that are not run again. */
  readonly earlier?: Pick<WorkflowRun, 'jobs' | 'artifacts'>;
  /** The work of somebody between two jobs. */
  readonly between?: (next: string, artifacts: string) => Promise<void>;
}

export interface JobRun extends Ended {
  readonly result: 'success' | 'failure' | 'skipped' | 'waiting';
  readonly outputs: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly summary: string;
  /** RUNNER_TEMP. */
  readonly temporary: string;
}

export interface WorkflowRun {
  readonly jobs: Readonly<Record<string, JobRun>>;
  /** A folder with one folder for each artifact. */
  readonly artifacts: string;
}

const NOTHING = { status: null, stdout: '', stderr: '', outputs: {}, summary: '', temporary: '' };

/**
 * Runs a workflow, each job on a runner of its own, with the artifacts between them.
 *
 * @param name of a shipped one, or the path of another from the root
 */
export async function runWorkflow(name: string, world: World): Promise<WorkflowRun> {
  const path = name.endsWith('.yml') ? name : `shipped/ci-templates/github/${name}.yml`;
  const file = join(ROOT, path);
  const workflow = parse(await readFile(file, 'utf8')) as { jobs: Record<string, Job> };
  const artifacts = world.earlier?.artifacts ?? (await temporaryFolder());
  const jobs: Record<string, JobRun> = { ...world.earlier?.jobs };
  for (const [id, job] of Object.entries(workflow.jobs)) {
    if (jobs[id]?.result === 'success') continue;
    const needed = [job.needs ?? []].flat();
    const needs = Object.fromEntries(needed.map((one) => [one, jobs[one]]));
    const before = { failed: needed.some((one) => jobs[one]?.result !== 'success') };
    const contexts = contextsOf(world, { needs });
    if (!isDue(job.if, contexts, before)) {
      jobs[id] = { ...NOTHING, result: 'skipped' };
      continue;
    }
    await world.between?.(id, artifacts);
    const environment = job.environment && expand(job.environment, contexts, before);
    if (environment && world.approve?.(environment) === false) {
      jobs[id] = { ...NOTHING, result: 'waiting', environment };
      continue;
    }
    const ended = await new Runner(world, artifacts, contexts).run(job);
    jobs[id] = { ...ended, ...(environment && { environment }) };
  }
  return { jobs, artifacts };
}

function contextsOf({ event = {}, env, secrets = {}, vars = {} }: World, more: Contexts): Contexts {
  const repository = { default_branch: 'main' };
  const github = { event: { repository, ...event }, token: env.GITHUB_TOKEN, ref: 'refs/heads/x' };
  return { github, secrets, vars, ...more };
}

/** Runs the steps of one job, in order. */
class Runner {
  private temporary = '';
  private workspace = '';
  private summary = '';
  private ended: Ended = { status: 0, stdout: '', stderr: '' };
  private readonly world: World;
  private readonly artifacts: string;
  private readonly contexts: Contexts;

  constructor(world: World, artifacts: string, contexts: Contexts) {
    this.world = world;
    this.artifacts = artifacts;
    this.contexts = contexts;
  }

  async run({ env = {}, outputs = {}, steps }: Job): Promise<JobRun> {
    this.temporary = await temporaryFolder();
    this.workspace = join(await temporaryFolder(), 'checkout');
    await mkdir(this.workspace);
    this.summary = join(this.temporary, 'summary.md');
    await writeFile(this.summary, '');
    const own = { ...this.contexts, runner: { temp: this.temporary } };
    const given = expandAll(env, own);
    const after = await this.runSteps(steps, { ...own, env: given }, given);
    const failed = this.ended.status !== 0;
    return {
      ...this.ended,
      result: failed ? 'failure' : 'success',
      outputs: expandAll(outputs, { ...own, steps: after }),
      summary: await readFile(this.summary, 'utf8'),
      temporary: this.temporary,
    };
  }

  private async runSteps(
    steps: readonly Step[],
    outer: Contexts,
    env: Readonly<Record<string, string>>,
  ): Promise<Contexts> {
    const done: Record<string, { outputs: Contexts }> = {};
    for (const step of steps) {
      const contexts = { ...outer, steps: done };
      const before = { failed: this.ended.status !== 0 };
      if (!isDue(step.if, contexts, before)) continue;
      const outputs = await this.runStep(step, contexts, env);
      if (step.id !== undefined) done[step.id] = { outputs };
    }
    return done;
  }

  private async runStep(
    step: Step,
    contexts: Contexts,
    env: Readonly<Record<string, string>>,
  ): Promise<Contexts> {
    const given = expandAll(step.with ?? {}, contexts);
    const [, action = ''] = /^([^@]+)@/.exec(step.uses ?? '') ?? [];
    if (step.run !== undefined) return await this.runScript(step, contexts, env);
    if (action.endsWith('/cdktf-secure-connectivity')) return await this.runAction(given, contexts);
    if (action === 'actions/checkout') await this.checkOut(given);
    else if (action === 'actions/upload-artifact') await this.upload(given);
    else if (action === 'actions/download-artifact') await this.download(given);
    else if (!/^(actions\/setup-node|hashicorp\/setup-terraform)$/.test(action)) {
      throw new Error(`no stand-in for ${step.uses}`);
    }
    return {};
  }

  /** Runs the steps of this package's action, whose inputs are all that they know of the workflow. */
  private async runAction(given: Readonly<Record<string, string>>, outer: Contexts) {
    const text = await readFile(join(ROOT, 'action.yml'), 'utf8');
    const { inputs, outputs, runs } = parse(text) as Action;
    const { github, runner, env } = outer;
    const defaults = Object.entries(inputs).map(([name, { default: value = '' }]) => [name, value]);
    const values = { ...expandAll(Object.fromEntries(defaults), outer), ...given };
    const own = { inputs: { ...values, ...this.world.inputs }, github, runner, env };
    const after = await this.runSteps(runs.steps, own, env as Record<string, string>);
    const named = Object.entries(outputs).map(([name, { value }]) => [name, value]);
    return expandAll(Object.fromEntries(named), { ...own, steps: after });
  }

  private async runScript(step: Step, contexts: Contexts, env: Readonly<Record<string, string>>) {
    const { repository, env: everywhere, attempt = 1 } = this.world;
    const output = join(this.temporary, 'output');
    await writeFile(output, '');
    const folder = expandAll({ at: step['working-directory'] ?? '.' }, contexts).at ?? '.';
    const head = await run('git', ['rev-parse', 'HEAD'], { cwd: repository });
    const ended = await run('bash', ['-eo', 'pipefail', '-c', step.run ?? ''], {
      cwd: folder.startsWith('/') ? folder : join(this.workspace, folder),
      env: {
        ...everywhere,
        ...env,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_OUTPUT: output,
        GITHUB_REPOSITORY: 'owner/name',
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_SHA: head.stdout.trim(),
        GITHUB_STEP_SUMMARY: this.summary,
        GITHUB_WORKSPACE: this.workspace,
        RUNNER_TEMP: this.temporary,
        ...expandAll(step.env ?? {}, contexts),
      },
    });
    this.ended = {
      status: this.ended.status || ended.status,
      stdout: this.ended.stdout + ended.stdout,
      stderr: this.ended.stderr + ended.stderr,
    };
    const lines = (await readFile(output, 'utf8')).split('\n').filter((line) => line !== '');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  }

  private async checkOut({ path, ref, 'fetch-depth': depth = '1' }: Record<string, string>) {
    const to = path === undefined ? this.workspace : join(this.workspace, path);
    const branch = ref === undefined ? [] : ['--branch', ref];
    const from = `file://${this.world.repository}`;
    const clone = ['clone', '--quiet', '--depth', depth, ...branch, from, to];
    const ended = await run('git', clone);
    if (ended.status !== 0) throw new Error(ended.stderr);
  }

  /** Leaves hidden files out, as the action does unless it is told otherwise. */
  private async upload({ name = '', path = '', ...more }: Record<string, string>) {
    const to = join(this.artifacts, name);
    await rm(to, { recursive: true, force: true });
    const withHidden = more['include-hidden-files'] === 'true';
    const filter = (file: string) => withHidden || !basename(file).startsWith('.');
    await cp(resolve(this.workspace, path), to, { recursive: true, filter }).catch((error) => {
      if (more['if-no-files-found'] !== 'ignore') throw error;
    });
  }

  private async download({ name = '', path = '' }: Record<string, string>) {
    await cp(join(this.artifacts, name), resolve(this.workspace, path), { recursive: true });
  }
}

function expandAll(texts: Readonly<Record<string, string | boolean>>, contexts: Contexts) {
  const before = { failed: false };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expand(String(text), contexts, before)]),
  );
}
