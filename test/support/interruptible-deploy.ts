import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TABLE } from '../../src/cloud/table/index.js';
import type { Row } from '../../src/cloud/table/row.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import { toProperties } from '../../src/sandbox/provider/cloud/state-conversion.js';
import type { ObjectValue } from '../../src/sandbox/provider/value.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { kill } from './kill.js';
import { startProviderProcess } from './provider-process.js';
import { apart } from './run-cli.js';
import type { StateServer } from './state-server.js';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

export interface InterruptibleOptions {
  /** The content of `cdk.tf.json`. */
  readonly stack: string;
  readonly name: string;
  /** The place of the state. @default - in a file of the folder */
  readonly state?: StateServer;
  /** The number of polls that a task of the cloud takes: room for a kill in mid-create. */
  readonly taskPolls?: number;
}

/** A synthesized stack and a cloud of its own, deployed by plain Terraform that can be killed. */
export class InterruptibleDeploy {
  static async start(options: InterruptibleOptions): Promise<InterruptibleDeploy> {
    const root = mkdtempSync(join(tmpdir(), 'interrupted-'));
    const folder = join(root, 'cdktf.out', 'stacks', options.name);
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(root, 'sandbox'));
    const sandbox = await startSandbox({
      stateFolder: join(root, 'sandbox'),
      taskPolls: options.taskPolls ?? 6,
    });
    const deploy = new InterruptibleDeploy(root, folder, options.name, sandbox, options.state);
    deploy.change(options.stack);
    const { status, output } = await deploy.terraform(['init', '-input=false', '-no-color']);
    if (status !== 0) throw new Error(output);
    return deploy;
  }

  private constructor(
    readonly root: string,
    readonly folder: string,
    readonly name: string,
    readonly sandbox: Sandbox,
    private readonly state: StateServer | undefined,
  ) {}

  /** Puts another stack in the place of the one that is deployed. */
  change(text: string): void {
    const { terraform, ...stack } = JSON.parse(text);
    const { backend: _, ...settings } = terraform;
    const file = join(this.folder, 'cdk.tf.json');
    const backend = this.state && {
      backend: { [this.state.state.backend]: this.state.state.config },
    };
    writeFileSync(file, JSON.stringify({ ...stack, terraform: { ...settings, ...backend } }));
  }

  terraform(args: readonly string[]): Promise<Ended> {
    return this.#run('terraform', args, this.folder).ended;
  }

  apply(): Promise<Ended> {
    return this.startApply().ended;
  }

  startApply(env: NodeJS.ProcessEnv = {}) {
    const args = ['apply', '-auto-approve', '-input=false', '-no-color'];
    return this.#run('terraform', args, this.folder, env);
  }

  /** @returns its output without the lines that say what it waits for on a slow machine */
  async adopt(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const { status, output } = await this.startAdopt(args, env).ended;
    return { status, output: apart(output).stderr };
  }

  startAdopt(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const main = resolve('dist/cli/main.js');
    return this.#run(process.execPath, [main, 'adopt', this.name, ...args], this.root, env);
  }

  /**
   * Applies until the cloud has so many objects more, of one type or of any, and kills the victim some
   * milliseconds later; an apply that is faster ends by itself. The providers have a process of their own.
   */
  async applyAndKill(
    victim: 'terraform' | 'provider',
    afterObjects: number,
    thenMs: number,
    ofType?: string,
  ): Promise<void> {
    const providers = await startProviderProcess(this.sandbox.env);
    const { pid, ended } = this.startApply(providers.env);
    const count = () =>
      this.sandbox.resources().filter(({ typeName }) => typeName === (ofType ?? typeName)).length;
    const wanted = count() + afterObjects;
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver && count() < wanted) await sleep(2);
    await sleep(thenMs);
    kill(victim === 'terraform' ? pid : providers.pid);
    await ended;
    kill(providers.pid);
  }

  /** Runs the commands that change a state, which `adopt` has printed. */
  async runPrinted(output: string): Promise<void> {
    const printed = output.matchAll(/terraform -chdir=\S+ ((?:state rm|import) [^;,&]+)/g);
    for (const [, command = ''] of printed) {
      const { status, output: said } = await this.terraform(command.trim().split(' '));
      if (status !== 0) throw new Error(`${command}: ${said}`);
    }
  }

  /** Applies what is left, and plans again, which has to find nothing to do. */
  async finish() {
    const applied = await this.apply();
    const again = await this.terraform(['plan', '-detailed-exitcode', '-no-color']);
    return { applied, madeTwice: this.madeTwice(), again };
  }

  /** Types of which the cloud has another number of objects than the stack has resources. */
  madeTwice(): string[] {
    const there = this.sandbox.resources();
    return Object.entries(this.#resources()).flatMap(([type, named]) => {
      const { cloudType } = rowOf(type) ?? {};
      const made = there.filter(({ typeName }) => typeName === cloudType).length;
      const wanted = Object.keys(named).length;
      return cloudType === undefined || made === wanted ? [] : [`${type}: ${made} of ${wanted}`];
    });
  }

  /** The address of the first resource of a type. */
  addressOf(type: string): string {
    return `${type}.${Object.keys(this.#resources()[type] ?? {})[0]}`;
  }

  /** A resource that refers to no other, as the cloud's API takes it. */
  cloudForm(address: string): JsonObject {
    const [type = '', name = ''] = address.split('.');
    const row = rowOf(type);
    if (row === undefined) throw new Error(`${type} is no type`);
    const properties = toProperties(row.attributes, this.#resources()[type]?.[name] ?? {});
    return JSON.parse(JSON.stringify(properties));
  }

  #resources(): Record<string, Record<string, ObjectValue>> {
    return JSON.parse(readFileSync(join(this.folder, 'cdk.tf.json'), 'utf8')).resource;
  }

  /** Cloud and state as they are, to come back to. */
  save(): () => void {
    const state = readFileSync(join(this.folder, 'terraform.tfstate'), 'utf8');
    const saved = structuredClone(this.sandbox.cloud.state.resources);
    return () => {
      this.reset();
      Object.assign(this.sandbox.cloud.state.resources, structuredClone(saved));
      writeFileSync(join(this.folder, 'terraform.tfstate'), state);
    };
  }

  /** Empties cloud and state. */
  reset(): void {
    const { resources } = this.sandbox.cloud.state;
    for (const type of Object.keys(resources)) resources[type] = {};
    for (const file of ['terraform.tfstate', 'terraform.tfstate.backup']) {
      rmSync(join(this.folder, file), { force: true });
    }
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  #run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...this.sandbox.env,
        ...this.state?.env,
        NO_COLOR: '1',
        ...env,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const ended = new Promise<Ended>((done, fail) => {
      child.on('error', fail);
      child.on('close', (status) => done({ status, output }));
    });
    const waitFor = async (text: string) => {
      while (!output.includes(text) && child.exitCode === null) await sleep(20);
    };
    return { pid: child.pid ?? 0, ended, waitFor };
  }
}

function rowOf(type: string): Row | undefined {
  const rows: readonly Row[] = TABLE;
  return rows.find((row) => row.type === type && row.kind === 'resource');
}
