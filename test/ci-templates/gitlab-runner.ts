import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/cleanup.js';
import { type Ended, run } from './run.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEMPLATES = join(ROOT, 'shipped', 'ci-templates');

type Variables = Readonly<Record<string, string>>;

interface Job {
  readonly needs?: readonly (string | { readonly job: string })[];
  readonly environment?: { readonly name: string };
  readonly rules?: readonly { readonly if?: string; readonly when?: string }[];
  readonly variables?: Variables;
  readonly script?: readonly string[];
  readonly artifacts?: { readonly paths?: readonly string[] };
  readonly trigger?: { readonly include: readonly { artifact: string; job: string }[] };
}

/** What GitLab and its runners are for a pipeline. */
export interface World {
  /** Where the repository is; its HEAD is the commit of the pipeline. */
  readonly repository: string;
  /** @default - the template for projects of this package */
  readonly template?: string;
  readonly source: 'merge_request_event' | 'push' | 'schedule';
  readonly variables: Variables;
  /** Those of an environment, which only its jobs have. */
  readonly secrets?: Readonly<Record<string, Variables>>;
  /** Tells whether somebody starts a manual job. @default - nobody does */
  readonly start?: (environment: string) => boolean;
  /** The work of somebody before a job, whose artifacts are unpacked in its folder. */
  readonly unpacked?: (job: string, project: string) => Promise<void>;
}

export interface JobRun extends Ended {
  readonly result: 'success' | 'failure' | 'skipped' | 'manual';
  readonly environment?: string;
  /** CI_PROJECT_DIR. */
  readonly project: string;
}

const NOTHING = { status: null, stdout: '', stderr: '', project: '' };

/** Runs the shipped pipeline, and the one that it starts, each job in a folder of its own. */
export async function runPipeline(world: World): Promise<Readonly<Record<string, JobRun>>> {
  const { template: name = 'gitlab-secure-connectivity.yml' } = world;
  const template = parse(await readFile(join(TEMPLATES, name), 'utf8'));
  const jobs: Record<string, JobRun> = {};
  await runJobs(template, world, jobs);
  return jobs;
}

async function runJobs(
  { variables, stages: _, ...named }: { variables?: Variables; stages?: unknown },
  world: World,
  done: Record<string, JobRun>,
): Promise<void> {
  const set = { ...variables, ...world.variables };
  for (const [name, job] of Object.entries(named) as [string, Job][]) {
    const when = whenOf(job, world, set);
    if (when === undefined) continue;
    const needed = (job.needs ?? []).map((one) => (typeof one === 'string' ? one : one.job));
    const isDue = when === 'always' || needed.every((one) => done[one]?.result === 'success');
    const environment = job.environment?.name;
    const more = { ...(environment && { environment }) };
    if (!isDue) {
      // A pipeline that is not started has no jobs.
      if (job.trigger === undefined) done[name] = { ...NOTHING, ...more, result: 'skipped' };
    } else if (job.trigger !== undefined) {
      const [{ artifact = '', job: from = '' } = {}] = job.trigger.include;
      const text = await readFile(join(done[from]?.project ?? '', artifact), 'utf8');
      await runJobs(parse(text), world, done);
    } else if (when === 'manual' && world.start?.(environment ?? '') !== true) {
      done[name] = { ...NOTHING, ...more, result: 'manual' };
    } else {
      const befores = needed.flatMap((one) => done[one] ?? []);
      done[name] = { ...(await runJob(name, job, world, set, befores)), ...more };
    }
  }
}

/** When a job runs; undefined where it is no part of the pipeline. */
function whenOf({ rules = [] }: Job, { source }: World, variables: Variables) {
  const known: Variables = {
    ...variables,
    CI_PIPELINE_SOURCE: source,
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_BRANCH: source === 'merge_request_event' ? '' : 'main',
  };
  const value = (word: string) =>
    word.startsWith('$') ? (known[word.slice(1)] ?? '') : word.slice(1, -1);
  const holds = ({ if: condition }: { readonly if?: string }) =>
    (condition?.split(' && ') ?? []).every((one) => {
      const [left = '', right = ''] = one.split(' == ');
      return value(left) === value(right);
    });
  const rule = rules.find(holds);
  return rule && (rule.when ?? 'on_success');
}

async function runJob(
  name: string,
  job: Job,
  world: World,
  variables: Variables,
  befores: readonly JobRun[],
): Promise<JobRun> {
  const project = join(await temporaryFolder(), 'project');
  const { repository, source } = world;
  const head = (await run('git', ['rev-parse', 'HEAD'], { cwd: repository })).stdout.trim();
  if (job.variables?.GIT_STRATEGY === 'empty') await mkdir(project);
  else await run('git', ['clone', '--quiet', repository, project]);
  for (const { project: from } of befores) {
    // A job that failed has no artifacts.
    if (from === '') continue;
    await cp(from, project, { recursive: true });
  }
  await world.unpacked?.(name, project);
  const bin = await image();
  const ended = await run('bash', ['-ec', (job.script ?? []).join('\n')], {
    cwd: project,
    env: {
      ...variables,
      ...world.secrets?.[job.environment?.name ?? ''],
      PATH: `${bin}:${variables.PATH ?? process.env.PATH}`,
      GITLAB_CI: 'true',
      CI_PIPELINE_SOURCE: source,
      CI_PROJECT_DIR: project,
      CI_REPOSITORY_URL: repository,
      CI_COMMIT_SHA: head,
      CI_DEFAULT_BRANCH: 'main',
      ...(source === 'merge_request_event' && { CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result' }),
    },
  });
  await keep(project, job.artifacts?.paths ?? []);
  return { ...ended, result: ended.status === 0 ? 'success' : 'failure', project };
}

/** What is no artifact is not there for another job. */
async function keep(project: string, paths: readonly string[]): Promise<void> {
  const kept = await temporaryFolder();
  for (const path of paths) {
    await cp(join(project, path), join(kept, path), { recursive: true }).catch(() => undefined);
  }
  await rm(project, { recursive: true });
  await cp(kept, project, { recursive: true });
}

/** The programs of an image in which this package is installed globally. */
async function image(): Promise<string> {
  const folder = await temporaryFolder();
  const [bin, modules] = [join(folder, 'bin'), join(folder, 'modules')];
  for (const path of [bin, modules]) await mkdir(path);
  await symlink(ROOT, join(modules, 'cdktf-secure-connectivity'));
  const others = `PATH='${process.env.PATH}' exec npm "$@"`;
  const npm = `#!/bin/sh\nif [ "$1" = root ]; then echo ${modules}; exit; fi\n${others}\n`;
  await writeFile(join(bin, 'npm'), npm, { mode: 0o755 });
  return bin;
}
