import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { startCloudServer } from '../../../src/sandbox/cloud/cloud-server.js';
import {
  type StandInProviders,
  startProviders,
} from '../../../src/sandbox/provider/stand-in-providers.js';
import { cliConfiguration } from '../../../src/sandbox/terraform/prepare-terraform.js';

const ACCESS_KEY = 'AKtest';

const REQUIREMENTS = {
  required_providers: {
    null: { source: 'hashicorp/null', version: '3.2.4' },
    volcenginecc: { source: 'volcengine/volcenginecc', version: '>= 0.0.53, < 0.1.0' },
  },
};

export interface Finished {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Terraform with the stand-in providers, and an emulated cloud behind them. */
export class StandInTerraform {
  readonly cloud: Cloud;
  /** Called when the cloud has changed, before its caller has the answer. */
  onChange: () => void = () => undefined;
  readonly environment: Record<string, string>;
  /** The address at which the cloud listens. */
  readonly endpoint: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'provider-test-'));
  readonly #cloudVariables: Record<string, string>;
  readonly #parts: { stop(): Promise<void> }[];

  /** @param taskPolls which poll of a task is the first to answer its outcome */
  static async start(taskPolls = 2): Promise<StandInTerraform> {
    let terraform: StandInTerraform | undefined;
    const cloud = new Cloud({ taskPolls, onChange: () => terraform?.onChange() });
    const server = await startCloudServer(cloud, ACCESS_KEY);
    terraform = new StandInTerraform(cloud, server);
    Object.assign(terraform.environment, await terraform.providersWith({}));
    return terraform;
  }

  private constructor(cloud: Cloud, server: { port: number; stop(): Promise<void> }) {
    this.cloud = cloud;
    this.#parts = [server];
    this.endpoint = `127.0.0.1:${server.port}`;
    this.#cloudVariables = {
      VOLCENGINE_CC_ENDPOINT: this.endpoint,
      VOLCENGINE_DISABLE_SSL: 'true',
      VOLCENGINE_ACCESS_KEY: ACCESS_KEY,
      VOLCENGINE_SECRET_KEY: 'none',
      VOLCENGINE_REGION: 'cn-beijing',
    };
    const configuration = join(this.#folder, 'terraform.rc');
    writeFileSync(configuration, cliConfiguration());
    this.environment = {
      PATH: process.env.PATH ?? '',
      HOME: this.#folder,
      TMPDIR: this.#folder,
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_CLI_CONFIG_FILE: configuration,
    };
  }

  /** The words that attach Terraform to providers with changes to their environment; undefined takes a variable out. */
  async providersWith(
    changes: Record<string, string | undefined>,
  ): Promise<StandInProviders['env']> {
    const providers = await startProviders({ ...this.#cloudVariables, ...changes });
    this.#parts.push(providers);
    return providers.env;
  }

  /** A folder of its own, with nothing in it. */
  emptyStack(): Stack {
    return new Stack(mkdtempSync(join(this.#folder, 'stack-')), this.environment);
  }

  /** A folder of its own for one configuration, with the providers installed. */
  async stack(configuration: object): Promise<Stack> {
    const stack = this.emptyStack();
    stack.write(configuration);
    const { status, stderr } = await stack.run(['init', '-no-color']);
    if (status !== 0) throw new Error(stderr);
    return stack;
  }

  async stop(): Promise<void> {
    for (const part of this.#parts.reverse()) await part.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** One Terraform configuration and its state. */
export class Stack {
  constructor(
    readonly folder: string,
    private readonly environment: Record<string, string>,
  ) {}

  write(configuration: object): void {
    const json = { terraform: REQUIREMENTS, ...configuration };
    writeFileSync(join(this.folder, 'main.tf.json'), JSON.stringify(json, null, 2));
  }

  /**
   * Runs Terraform here.
   *
   * @param changes to the environment; undefined takes a variable out
   * @param onStart gets the process group, which is then separate, as at a terminal
   */
  run(
    args: readonly string[],
    changes: Record<string, string | undefined> = {},
    onStart?: (group: number) => void,
  ): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const env = { ...this.environment, ...changes };
      const detached = onStart !== undefined;
      const child = spawn('terraform', args, { cwd: this.folder, env, detached });
      if (child.pid !== undefined) onStart?.(child.pid);
      const output = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => {
        output.stdout += chunk;
      });
      child.stderr.on('data', (chunk: Buffer) => {
        output.stderr += chunk;
      });
      child.on('error', reject);
      child.on('close', (status) => resolve({ status: status ?? -1, ...output }));
    });
  }

  /** Runs Terraform here and throws where it fails. */
  async must(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run([...args, '-no-color']);
    if (status !== 0) throw new Error(`terraform ${args.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  }

  apply(): Promise<string> {
    return this.must('apply', '-auto-approve');
  }

  destroy(): Promise<string> {
    return this.must('destroy', '-auto-approve');
  }

  /** The exit status of a plan: 0 without and 2 with changes. */
  async planStatus(): Promise<number> {
    const { status } = await this.run(['plan', '-detailed-exitcode', '-no-color']);
    return status;
  }

  /** The attributes of a resource in the state. */
  async attributes(address: string): Promise<Record<string, unknown>> {
    const { stdout } = await this.run(['show', '-json']);
    const state = JSON.parse(stdout);
    const resources: { address: string; values: Record<string, unknown> }[] =
      state.values?.root_module?.resources ?? [];
    const found = resources.find((resource) => resource.address === address);
    if (found === undefined) throw new Error(`${address} is not in the state.`);
    return found.values;
  }
}
