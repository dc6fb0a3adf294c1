import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, decodeLinks, type Links } from '../../src/link/link.js';
import { Recorder, type Step } from '../../src/rehearse/timeline/recorder.js';
import { connectPlugin } from '../../src/sandbox/plugin/connections.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { addKey } from '../../src/sandbox/service/application.js';
import { applicationPrivateKey } from '../../src/sandbox/state-folder.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import type { Facts, KeyPair, Settings } from './row.js';
import { STACKS, type StackName, synthesizeTo } from './synthesize.js';

export interface TerraformRun {
  readonly status: number | null;
  readonly output: string;
}

/**
 * One sandbox and one Terraform folder for each stack, in which changes run one after the other. With
 * `PROVIDER_MIRROR` in the environment the genuine providers in that folder run in place of the
 * stand-ins.
 */
export class ChangeRun {
  static async start(): Promise<ChangeRun> {
    const folder = mkdtempSync(join(tmpdir(), 'changes-'));
    const providerMirror = process.env.PROVIDER_MIRROR;
    let run: ChangeRun | undefined;
    const recorder = new Recorder(() => run?.sandbox.cloud.state ?? EMPTY);
    const sandbox = await startSandbox({
      stateFolder: join(folder, 'sandbox'),
      taskPolls: 1,
      onMutation: recorder.onMutation,
      ...(providerMirror !== undefined && { providerMirror }),
    });
    // Settings take key files of the project alone, and the project is where the tests run.
    const keyFolder = mkdtempSync(join('node_modules', '.keys-'));
    const keys = await makeKeys(sandbox, keyFolder);
    run = new ChangeRun([folder, keyFolder], sandbox, keys, recorder);
    return run;
  }

  readonly #initialized = new Set<string>();

  private constructor(
    private readonly folders: readonly [string, string],
    readonly sandbox: Sandbox,
    readonly keys: Facts['keys'],
    private readonly recorder: Recorder,
  ) {}

  get folder(): string {
    return this.folders[0];
  }

  /** Forgets everything that the cloud and Terraform have. */
  reset(): void {
    const { state } = this.sandbox.cloud;
    for (const type of Object.keys(state.resources)) delete state.resources[type];
    for (const stack of Object.keys(STACKS)) {
      rmSync(join(this.#stackFolder(stack), 'terraform.tfstate'), { force: true });
    }
    this.recorder.take();
  }

  /** Mutations since the last call. */
  steps(): readonly Step[] {
    return this.recorder.take();
  }

  /**
   * Synthesizes a stack in this process and puts it where Terraform runs.
   *
   * @throws ConnectivityError where settings or constructs refuse
   */
  synthesize(name: StackName, settings: Settings): Synthesized {
    const outdir = mkdtempSync(join(this.folder, 'tree-'));
    synthesizeTo(outdir, name, settings);
    const tree = join(outdir, 'stacks', name);
    const target = this.#stackFolder(name);
    mkdirSync(target, { recursive: true });
    const json = JSON.parse(readFileSync(join(tree, 'cdk.tf.json'), 'utf8')) as TerraformJson;
    json.terraform.backend = { local: { path: 'terraform.tfstate' } };
    writeFileSync(join(target, 'cdk.tf.json'), JSON.stringify(json, null, 2));
    copyFileSync(join(tree, 'access.json'), join(target, 'access.json'));
    return { outdir };
  }

  async terraform(stack: StackName, ...args: readonly string[]): Promise<TerraformRun> {
    // A check has a provider of its own.
    const json = readFileSync(join(this.#stackFolder(stack), 'cdk.tf.json'), 'utf8');
    const { required_providers: needed } = (JSON.parse(json) as TerraformJson).terraform;
    const key = `${stack} ${Object.keys(needed)}`;
    if (!this.#initialized.has(key)) {
      this.#initialized.add(key);
      const { status, output } = await this.#run(stack, ['init', '-input=false']);
      if (status !== 0) throw new Error(output);
    }
    return this.#run(stack, args);
  }

  /** The links and connections that the stack's outputs name now. */
  async links(stack: StackName): Promise<Links> {
    const { output } = await this.terraform(stack, 'output', '-json');
    const outputs = JSON.parse(output) as Record<string, { value: string }>;
    const links = outputs.connectivity ?? outputs.connections;
    return links === undefined
      ? { rulesDigest: '', links: [] }
      : decodeLinks(links.value, 'the outputs');
  }

  /** The acts of the service's administrator in its console. */
  connect(serviceId: string): Connection['endpointId'] {
    const { cloud } = this.sandbox;
    const world = () => ({
      cloud: cloud.state,
      faults: new Set<never>(),
      service: SANDBOX_SERVICE,
    });
    return connectPlugin(cloud, world, serviceId).endpointId;
  }

  /** As deep as a synthesized stack: the paths of its check lead to the same files from here. */
  #stackFolder(stack: string): string {
    return join(this.folder, 'tree', 'stacks', stack);
  }

  #run(stack: StackName, args: readonly string[]): Promise<TerraformRun> {
    const child = spawn('terraform', [`-chdir=${this.#stackFolder(stack)}`, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...this.sandbox.env,
        TF_CLI_ARGS: '-no-color',
        NO_COLOR: '1',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    return new Promise((done, fail) => {
      child.on('error', fail);
      child.on('close', (status) => done({ status, output }));
    });
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** The key pair that the sandbox's application has, and a second one. */
async function makeKeys({ application, files }: Sandbox, folder: string): Promise<Facts['keys']> {
  const pairs: KeyPair[] = [];
  const first = join(folder, 'first.pem');
  copyFileSync(files.privateKey, first);
  for (const keyFile of [first, join(folder, 'second.pem')]) {
    const key = addKey(application, await applicationPrivateKey(keyFile));
    pairs.push({ kid: key.kid, keyFile });
  }
  const [one, other] = pairs;
  if (one === undefined || other === undefined) throw new Error('a key is missing');
  return [one, other];
}

export interface Synthesized {
  /** A tree as `cdktf synth` writes it. */
  readonly outdir: string;
}

interface TerraformJson {
  readonly terraform: { backend: object; readonly required_providers: object };
}

const EMPTY = { version: 1, serial: 0, resources: {}, tasks: {} } as const;
