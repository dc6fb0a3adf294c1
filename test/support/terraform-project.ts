import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { runHere } from './run-here.js';
import type { Run } from './stack-run.js';

/** A stack of the project, as an app would synthesize it. */
export interface ProjectStack {
  readonly json: object;
  readonly dependencies?: readonly string[];
  readonly annotations?: readonly object[];
}

/** Writes the tree that is ready in the project: a program that starts Node.js costs more than the deploy. */
const APP = `
if [ -e says ]; then cat says; fi
if [ -e exit ]; then exit "$(cat exit)"; fi
env > app-environment
mkdir -p "$CDKTF_OUTDIR" && cp -R tree/. "$CDKTF_OUTDIR"
`;

/** A deploy that asks nobody. */
export const DEPLOY = ['deploy', '--adopt', 'off', '--auto-approve'] as const;

/** A project whose stacks need no provider but the one that is built into Terraform. */
export class TerraformProject {
  readonly folder: string;

  constructor(stacks: Readonly<Record<string, ProjectStack>>) {
    this.folder = mkdtempSync(join(tmpdir(), 'project-'));
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(join(this.folder, 'plans'));
    this.write('app.sh', APP);
    this.write('cdktf.json', JSON.stringify({ app: 'sh app.sh' }));
    this.change({ stacks });
  }

  /** Changes what the app does: its stacks, what it says, and its exit status. */
  change(tree: {
    readonly stacks?: Readonly<Record<string, ProjectStack>>;
    readonly says?: string;
    readonly exit?: number;
  }): void {
    if (tree.says !== undefined) this.write('says', `${tree.says}\n`);
    if (tree.exit !== undefined) this.write('exit', String(tree.exit));
    if (tree.stacks !== undefined) this.#writeTree(tree.stacks);
  }

  #writeTree(stacks: Readonly<Record<string, ProjectStack>>): void {
    rmSync(join(this.folder, 'tree'), { recursive: true, force: true });
    const all = Object.entries(stacks).map(([name, stack]) => {
      const { json, dependencies = [], annotations = [] } = stack;
      const workingDirectory = `stacks/${name}`;
      mkdirSync(join(this.folder, 'tree', workingDirectory), { recursive: true });
      this.write(`tree/${workingDirectory}/cdk.tf.json`, JSON.stringify(json));
      return [name, { name, workingDirectory, dependencies, annotations }] as const;
    });
    const manifest = { version: '0.21.0', stacks: Object.fromEntries(all) };
    this.write('tree/manifest.json', JSON.stringify(manifest));
  }

  write(file: string, text: string, mode?: number): void {
    writeFileSync(join(this.folder, file), text, { mode });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  /** Outputs of a stack as its state has them. */
  outputs(stack: string): Record<string, unknown> {
    const state = JSON.parse(this.read(`${stack}.tfstate`)) as {
      outputs: Record<string, { value: unknown }>;
    };
    const entries = Object.entries(state.outputs).map(([name, { value }]) => [name, value]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  /** Runs the built program in the project, by default without asking and without a terminal. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}, program?: readonly string[]) {
    const [command = '', ...first] = program ?? [process.execPath];
    const child = spawn(command, [...first, resolve('dist/cli/main.js'), ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#env(env),
    });
    const texts = { stdout: '', stderr: '', output: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
        texts.output += text;
      });
    }
    const ended = new Promise<Run>((done, fail) => {
      child.on('error', fail);
      child.on('close', (status) => done({ status, ...texts }));
    });
    return Object.assign(ended, {
      pid: child.pid,
      output: () => texts.output,
      kill: (signal: NodeJS.Signals) => child.kill(signal),
    });
  }

  #env(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return {
      ...process.env,
      CHECKPOINT_DISABLE: '1',
      CDKTF_DISABLE_PLUGIN_CACHE_ENV: 'true',
      SECURE_CONNECTIVITY_PLAN_FOLDER: join(this.folder, 'plans'),
      ...more,
    };
  }

  /** Runs the program's sources in this process, which is quicker. */
  async #runHere(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
    const { exit, ...texts } = await runHere(args, { cwd: this.folder, env: this.#env(env) });
    return { status: exit, ...texts };
  }

  deploy(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    return this.#runHere([...DEPLOY, ...args], env);
  }

  destroy(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    return this.#runHere(['destroy', '--auto-approve', ...args], env);
  }
}

/** A stack with one value, which is its output too, and with whatever else is given. */
export function valueStack(name: string, value: unknown, more: object = {}): ProjectStack {
  return {
    json: {
      terraform: { backend: { local: { path: `../../../${name}.tfstate` } } },
      resource: { terraform_data: { value: { input: value } } },
      output: { value: { value: '${terraform_data.value.output}' } },
      ...more,
    },
  };
}
