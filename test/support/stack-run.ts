import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LIKE_REAL } from '../../src/sandbox/faults/cloud-faults.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.js';
import { loadSettings } from '../../src/settings/load-settings.js';
import { synthesizeInto } from './synthesize-all.js';

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as a terminal shows them. */
  readonly output: string;
}

/** The work of a test while a command runs. */
export type OnStart = (running: {
  readonly output: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
}) => void;

type Settings = Record<string, unknown>;

/** Options of the sandbox's settings that a run leaves out unless it wants every one. */
const OTHER_OPTIONS = [
  'fixedIpEgress',
  'pluginEndpointService',
  'fixedIpIngress',
  'userIdHeader',
] as const;

interface StackRunOptions extends Pick<SandboxOptions, 'faults' | 'temper'> {
  readonly providerMirror?: string;
  readonly taskPolls?: number;
  readonly clientAddress?: () => string;
  /** True if the settings name every option. @default - only the endpoint of the service */
  readonly everyOption?: boolean;
}

/**
 * A lane of `.ci/full` deploys once in a cloud that does what was seen on the real one. A rule that the cloud adds is
 * left out: cdktf's own deploy does not plan again, which takes it away.
 */
const SEEN =
  process.env.TESTS_LIKE_REAL === '1'
    ? LIKE_REAL.filter((fault) => fault !== 'default-rule-kept')
    : undefined;

/** A sandbox with a folder of its own, and the real commands run against it. */
export class StackRun {
  static async start({ everyOption = false, ...options }: StackRunOptions = {}): Promise<StackRun> {
    const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
    cpSync('stacks/settings', join(folder, 'settings'), { recursive: true });
    mkdirSync(join(folder, 'sandbox'));
    const sandbox = await startSandbox({
      stateFolder: join(folder, 'sandbox'),
      ...options,
      ...(SEEN && {
        faults: [...SEEN, ...(options.faults ?? [])],
        temper: { pace: 0.05, ...options.temper },
      }),
    });
    const run = new StackRun(folder, sandbox);
    if (everyOption) return run;
    run.change('sandbox', (settings) => {
      for (const option of OTHER_OPTIONS) delete settings[option];
    });
    return run;
  }

  private constructor(
    readonly folder: string,
    readonly sandbox: Sandbox,
  ) {}

  /** Changes the settings of an environment of this run only. */
  change(environment: string, change: (settings: Settings) => void): void {
    const file = join(this.folder, 'settings', `${environment}.json`);
    const settings = JSON.parse(readFileSync(file, 'utf8')) as Settings;
    change(settings);
    writeFileSync(file, JSON.stringify(settings));
  }

  cdktf(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    const output = args.includes('--output') ? [] : ['--output', join(this.folder, 'cdktf.out')];
    return this.run(resolve('node_modules/.bin/cdktf'), [...args, ...output], env);
  }

  /** Synthesizes as the app does, in this process: cdktf and the app's own would need seconds more. */
  synth(env: NodeJS.ProcessEnv = {}, output = 'cdktf.out'): void {
    const own = process.env;
    process.env = { ...own, ...this.sandbox.env, ...env };
    try {
      synthesizeInto(join(this.folder, output), loadSettings(join(this.folder, 'settings')));
    } finally {
      process.env = own;
    }
  }

  /** Deploys a stack by Terraform alone, and gives its outputs as cdktf does to `outputs.json`. */
  async apply(stack: string, env: NodeJS.ProcessEnv = {}): Promise<Run> {
    this.synth(env);
    const init = await this.terraform(stack, ['init', '-input=false'], env);
    if (init.status !== 0) throw new Error(init.output);
    const applied = await this.terraform(stack, ['apply', '-auto-approve', '-input=false'], env);
    const { stdout } = await this.terraform(stack, ['output', '-json'], env);
    const outputs = JSON.parse(stdout) as Record<string, { value: unknown }>;
    const values = Object.entries(outputs).map(([name, { value }]) => [name, value]);
    const file = { [stack]: Object.fromEntries(values) };
    writeFileSync(join(this.folder, 'outputs.json'), JSON.stringify(file));
    return applied;
  }

  /** Destroys a deployed stack by Terraform alone. */
  destroy(stack: string, env: NodeJS.ProcessEnv = {}, output = 'cdktf.out'): Promise<Run> {
    return this.terraform(stack, ['destroy', '-auto-approve', '-input=false'], env, output);
  }

  /** Runs Terraform in a synthesized stack. */
  terraform(
    stack: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    output = 'cdktf.out',
  ): Promise<Run> {
    const folder = join(this.folder, output, 'stacks', stack);
    return this.run('terraform', [`-chdir=${folder}`, ...args], env);
  }

  /** Replaces a stack's state, whatever it holds. */
  async pushState(stack: string, state: string, env: NodeJS.ProcessEnv): Promise<void> {
    const file = join(this.folder, 'pushed.tfstate');
    writeFileSync(file, state);
    const { status, output } = await this.terraform(stack, ['state', 'push', '-force', file], env);
    if (status !== 0) throw new Error(output);
  }

  /** Runs the built program: `deploy`, say, with the real cdktf below it. */
  cli(args: readonly string[], env: NodeJS.ProcessEnv = {}, onStart?: OnStart): Promise<Run> {
    return this.run(process.execPath, [resolve('dist/cli/main.js'), ...args], env, onStart);
  }

  verify(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    return this.cli(['verify', ...args], env);
  }

  run(
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    onStart?: OnStart,
  ): Promise<Run> {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...this.sandbox.env,
        CONNECTIVITY_SETTINGS: join(this.folder, 'settings'),
        CI: 'true',
        NO_COLOR: '1',
        ...env,
      },
    });
    const texts = { stdout: '', stderr: '', output: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        texts[name] += chunk.toString();
        texts.output += chunk.toString();
      });
    }
    onStart?.({ output: () => texts.output, kill: (signal) => child.kill(signal) });
    return new Promise((done, fail) => {
      child.on('error', fail);
      child.on('close', (status) => done({ status, ...texts }));
    });
  }

  /** Processes below the commands that run now, by their arguments with `\0` between them. */
  children(args: RegExp): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          return args.test(text) && text.includes(this.folder);
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
