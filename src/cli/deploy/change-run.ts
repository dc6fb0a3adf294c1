import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { terraformName } from '../../terraform/program.js';
import { runTerraform } from '../../terraform/run-terraform.js';
import type { AdoptMode, DeployContext } from '../../terraform/terraform-folder.js';
import { type Interrupts, signalStatus } from '../program/signals.js';
import { fileVariables } from '../verify/flags/table.js';
import type { StackOutput } from './terraform/stack-output.js';
import type { ReviewedTree } from './tree/reviewed-tree.js';
import type { StackFacts } from './tree/stack-facts.js';
import type { TreeStack } from './tree/stacks.js';

export type Verb = 'deploy' | 'destroy';

/**
 * The flags of a deploy or destroy; a destroy has the defaults of those that only a deploy takes.
 */
export interface Flags {
  readonly app?: string;
  readonly output?: string;
  readonly tree?: string;
  readonly skipSynth?: boolean;
  readonly autoApprove?: boolean;
  readonly outputsFile?: string;
  readonly outputsFileIncludeSensitiveOutputs?: boolean;
  readonly ignoreMissingStackDependencies?: boolean;
  readonly parallelism: number;
  readonly terraformParallelism?: number;
  readonly refreshOnly?: boolean;
  readonly migrateState?: boolean;
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly disablePluginCacheEnv?: boolean;
  /** False where no colours are wanted. */
  readonly color: boolean;
  readonly lockTimeout: string;
  readonly stateOf?: string;
  readonly adopt?: AdoptMode;
  readonly reviewed?: string;
}

/** The settings that all stacks of a deploy or destroy share. */
export interface ChangeRun {
  readonly verb: Verb;
  readonly context: DeployContext;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** Only this user can read it: a plan holds the state in the clear. */
  readonly privateFolder: string;
  readonly interrupts: Interrupts;
  readonly autoApprove: boolean;
  /** The copy that Terraform runs in; undefined without `--reviewed`. */
  readonly reviewed: ReviewedTree | undefined;
  readonly migrateState: boolean;
  /** Options of Terraform's plan, such as those that set variables. */
  readonly planArguments: readonly string[];
  /** Options of every run that plans or applies. */
  readonly runArguments: readonly string[];
  /** The option without which Terraform writes colours. */
  readonly colour: readonly string[];
  /** Runs what must not run for two stacks at once, because all share a cache of providers. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface StackChange {
  readonly stack: TreeStack;
  readonly facts: StackFacts;
  readonly output: StackOutput;
  readonly say: (text: string) => void;
  /** Says something below all that is said of stacks. */
  readonly sayLast: (text: string) => void;
  /** Variables for this stack alone. */
  readonly env: NodeJS.ProcessEnv;
}

export interface TerraformEnd {
  /** 128 and the signal's number where a signal ended it. */
  readonly status: number;
  /** End of what it wrote on stderr, without colours. */
  readonly stderr: string;
  /** Standard output and errors as they came, where they were not shown. */
  readonly text: string;
}

interface OwnOfRun {
  /** The destination of its output while it runs. @default - only the returned text */
  readonly output?: StackOutput;
  /** A new file for its standard output, by which an apply can end without this process. */
  readonly outputFile?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Is called with the number of its process. */
  readonly started?: (pid: number) => void;
}

const KEPT = 256 * 1024;

/**
 * Runs Terraform on a stack in a session of its own: a terminal that goes away does not end it in the
 * middle of a change, and Ctrl-C reaches it by way of the deploy, once.
 */
export async function runOnStack(
  { program, env, interrupts }: ChangeRun,
  { stack: { folder }, env: stackEnv }: StackChange,
  args: readonly string[],
  { output, outputFile, env: ownEnv, started }: OwnOfRun,
): Promise<TerraformEnd> {
  let text = '';
  let stderr = '';
  let forget = (): void => undefined;
  try {
    const { status, signal } = await runTerraform(args, {
      ...{ program, folder, outputFile, isApart: true },
      env: { ...env, ...stackEnv, ...ownEnv },
      started: (child) => {
        if (child.pid !== undefined) started?.(child.pid);
        forget = interrupts.forward(() => void child.kill('SIGINT'), outputFile !== undefined);
      },
      take: (stream, piece) => {
        if (stream === 'stderr') stderr = (stderr + piece).slice(-KEPT);
        if (output === undefined) text = (text + piece).slice(-KEPT);
        else output.write(stream, piece);
      },
    });
    const code = status ?? (signal === null ? 1 : signalStatus(signal));
    return { status: code, stderr: stripVTControlCharacters(stderr), text };
  } finally {
    output?.end();
    forget();
  }
}

/** Names the state that a deploy changes. */
export function workspaceOf({ backend }: StackFacts): string {
  return JSON.stringify([backend, process.env.TF_WORKSPACE || 'default']);
}

/** Statuses above are of processes that a signal has ended. */
export const SIGNALLED = 128;

/** Reports how Terraform ended where its own output may not say so. */
export function endOf(command: string, end: TerraformEnd, { stack, say }: StackChange): number {
  if (end.status > SIGNALLED) say(`terraform ${command} was killed in ${stack.folder}`);
  if (command === 'init') say(`terraform init failed with exit code ${end.status}`);
  return end.status;
}

/** Answers what the flags and the environment say for every stack of a deploy or destroy. */
export function changeRun(
  verb: Verb,
  flags: Flags,
  privateFolder: string,
  interrupts: Interrupts,
  reviewed: ReviewedTree | undefined,
): ChangeRun {
  const { lockTimeout, stateOf, adopt = 'off', terraformParallelism: parallelism } = flags;
  const named = terraformName(process.env);
  const isPlain = !flags.color || Boolean(process.env.NO_COLOR) || !process.stdout.isTTY;
  const colour = isPlain ? ['-no-color'] : [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    verb,
    context: { project: process.cwd(), lockTimeout, stateOf, adopt },
    // Terraform runs in the stack's folder.
    program: named.includes('/') ? resolve(named) : named,
    // Another data folder could have the backend and the modules of another run.
    env: { ...terraformEnvironment(flags), ...(reviewed && { TF_DATA_DIR: '.terraform' }) },
    privateFolder,
    interrupts,
    autoApprove: flags.autoApprove ?? false,
    reviewed,
    migrateState: flags.migrateState ?? false,
    planArguments: planArguments(flags),
    runArguments: [
      ...colour,
      ...(parallelism === undefined ? [] : [`-parallelism=${parallelism}`]),
    ],
    colour,
    inTurn: (work) => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function terraformEnvironment({ disablePluginCacheEnv }: Flags): NodeJS.ProcessEnv {
  const env = {
    TF_IN_AUTOMATION: '1',
    ...process.env,
    // The check runs in the stack's folder, where a relative path would mean another file.
    ...fileVariables(process.env),
  };
  if (disablePluginCacheEnv) return env;
  const cache = process.env.TF_PLUGIN_CACHE_DIR || join(homedir(), '.terraform.d', 'plugin-cache');
  try {
    mkdirSync(cache, { recursive: true });
    return { ...env, TF_PLUGIN_CACHE_DIR: cache };
  } catch {
    // Without a cache, each stack downloads its providers.
    return env;
  }
}

/** Options of Terraform's plan that the flags stand for. */
function planArguments({ var: values = [], varFile: files = [], refreshOnly }: Flags) {
  return [
    ...(refreshOnly ? ['-refresh-only'] : []),
    ...values.map((value) => `-var=${value}`),
    ...files.map((file) => `-var-file=${resolve(file)}`),
  ];
}
