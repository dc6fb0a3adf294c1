import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { startCloudServer } from '../../../src/sandbox/cloud/cloud-server.js';
import { makeServerCertificate } from '../../../src/sandbox/provider/server-certificate.js';

const ACCESS_KEY = 'AKtest';
const PLATFORM = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
const EXECUTABLES = {
  null: `hashicorp/null/3.2.4/${PLATFORM}/terraform-provider-null_v3.2.4.cjs`,
  volcenginecc: `volcengine/volcenginecc/0.0.53/${PLATFORM}/terraform-provider-volcenginecc_v0.0.53.cjs`,
};

const REQUIREMENTS = {
  required_providers: {
    null: { source: 'hashicorp/null', version: '3.2.4' },
    volcenginecc: { source: 'volcengine/volcenginecc', version: '0.0.53' },
  },
};

export interface Finished {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Terraform with the stand-in providers in a mirror, and an emulated cloud behind them. */
export class StandInTerraform {
  readonly cloud: Cloud;
  /** Called when the cloud has changed, before its caller has the answer. */
  onChange: () => void = () => undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'provider-test-'));
  readonly environment: Record<string, string>;
  readonly #stopCloud: () => Promise<void>;

  /** @param taskPolls which poll of a task is the first to answer its outcome */
  static async start(taskPolls = 2): Promise<StandInTerraform> {
    let terraform: StandInTerraform | undefined;
    const cloud = new Cloud({ taskPolls, onChange: () => terraform?.onChange() });
    const server = await startCloudServer(cloud, ACCESS_KEY);
    terraform = new StandInTerraform(cloud, server);
    await terraform.#install();
    return terraform;
  }

  private constructor(cloud: Cloud, server: { port: number; stop(): Promise<void> }) {
    this.cloud = cloud;
    this.#stopCloud = () => server.stop();
    this.environment = {
      PATH: process.env.PATH ?? '',
      HOME: this.#folder,
      TMPDIR: this.#folder,
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_CLI_CONFIG_FILE: join(this.#folder, 'terraform.rc'),
      SECURE_CONNECTIVITY_SANDBOX_PROVIDER: this.#folder,
      VOLCENGINE_CC_ENDPOINT: `127.0.0.1:${server.port}`,
      VOLCENGINE_DISABLE_SSL: 'true',
      VOLCENGINE_ACCESS_KEY: ACCESS_KEY,
      VOLCENGINE_SECRET_KEY: 'none',
      VOLCENGINE_REGION: 'cn-beijing',
    };
  }

  async #install(): Promise<void> {
    const bundle = join(this.#folder, 'provider.cjs');
    await build({
      entryPoints: ['src/sandbox/provider/main.ts'],
      outfile: bundle,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      minify: true,
      banner: { js: '#!/usr/bin/env node' },
    });
    const mirror = join(this.#folder, 'mirror');
    for (const name of ['null', 'volcenginecc'] as const) {
      const executable = this.executable(name);
      mkdirSync(dirname(executable), { recursive: true });
      cpSync(bundle, executable);
      chmodSync(executable, 0o755);
    }
    const installation = `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`;
    writeFileSync(join(this.#folder, 'terraform.rc'), installation);
    const { cert, key } = await makeServerCertificate();
    writeFileSync(join(this.#folder, 'cert.pem'), cert);
    writeFileSync(join(this.#folder, 'key.pem'), key, { mode: 0o600 });
  }

  /** The file that Terraform runs for a provider. */
  executable(name: keyof typeof EXECUTABLES): string {
    return join(this.#folder, 'mirror', 'registry.terraform.io', EXECUTABLES[name]);
  }

  /** A folder of its own for one configuration, with the providers installed. */
  async stack(configuration: object): Promise<Stack> {
    const stack = new Stack(mkdtempSync(join(this.#folder, 'stack-')), this.environment);
    stack.write(configuration);
    const { status, stderr } = await stack.run(['init', '-no-color']);
    if (status !== 0) throw new Error(stderr);
    return stack;
  }

  async stop(): Promise<void> {
    await this.#stopCloud();
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
   * @param onStart is told the process group, which is then one of its own, as at a terminal
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
