import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { childEnvironment } from '../../sandbox/environment.js';
import type { ServiceNames } from '../../sandbox/internet.js';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.js';
import type { RehearsedTree } from '../read-trees.js';
import type { DeployResult, RehearsalReport, ReplanResult } from '../report-schema.js';
import type { LinksByStack } from '../timeline/lanes.js';
import { Recorder, withoutTasks } from '../timeline/recorder.js';
import type { StackStep } from '../timeline/timeline.js';
import type { DeployedState } from './deployed-state.js';
import { placeGivenResources } from './given-resources.js';
import { PluginConsole } from './plugin-console.js';
import { deployResult, StackRunner } from './stack-runner.js';
import { readState } from './state-file.js';
import { type Surroundings, surroundingsOf } from './surroundings.js';
import { placeStack, stateFile } from './working-stack.js';

export interface StageOptions {
  readonly base: RehearsedTree;
  readonly head: RehearsedTree;
  /** A filesystem mirror with the genuine providers. @default - the stand-ins */
  readonly providerMirror?: string;
  /** A JSON file of resources that the cloud has from the start. @default - what the trees name stands in */
  readonly existing?: string;
  /** Ends the rehearsal early. */
  readonly signal?: AbortSignal;
}

/** What a deploy of a whole tree came to. */
export interface Deployed {
  readonly result: DeployResult;
  readonly steps: readonly StackStep[];
  readonly links: LinksByStack;
  readonly addresses: ReadonlyMap<string, string>;
}

/** What is deployed in fact, by stack. */
export type DeployedStates = ReadonlyMap<string, DeployedState>;

/** Everything that a deploy starts from. */
export interface Moment {
  readonly cloud: CloudState;
  /** A copy of the folder of Terraform's states. */
  readonly states: string;
  readonly requests: PluginConsole['requests'];
}

/** A sandbox with the folders and states of stacks, and real Terraform to deploy them. */
export class Stage {
  static async start(options: StageOptions): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
    const console = new PluginConsole();
    let stage: Stage | undefined;
    const recorder = new Recorder(() => stage?.sandbox.cloud.state ?? EMPTY);
    const surroundings = surroundingsOf([options.base, options.head]);
    try {
      const sandbox = await startSandbox({
        stateFolder: join(folder, 'sandbox'),
        taskPolls: 1,
        ...surroundings,
        clientAddress: () => stage?.client,
        beforeUse: console.beforeUse,
        onMutation: (mutation) => {
          recorder.onMutation(mutation);
          stage?.countStep();
        },
        ...(options.providerMirror !== undefined && { providerMirror: options.providerMirror }),
        ...(options.existing !== undefined && { existing: options.existing }),
      });
      stage = new Stage(folder, sandbox, recorder, surroundings, { ...options, console });
      return stage;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  client: string | undefined;
  readonly #standIns: readonly string[];
  readonly #given: ReadonlySet<string>;
  readonly #runner: StackRunner;
  #provisioners = 0;
  #stepsLeft = Number.POSITIVE_INFINITY;

  private constructor(
    readonly folder: string,
    readonly sandbox: Sandbox,
    private readonly recorder: Recorder,
    private readonly surroundings: Surroundings,
    private readonly options: StageOptions & { readonly console: PluginConsole },
  ) {
    const { cloud } = sandbox;
    const { base, head } = options;
    this.#standIns = placeGivenResources(cloud, [base, head], surroundings.place.zones);
    this.#given = new Set(sandbox.resources().map(({ identifier }) => identifier));
    const env = { ...childEnvironment(process.env, sandbox.env), NO_COLOR: '1' };
    this.#runner = new StackRunner(this, env, options.signal);
    for (const name of ['stacks', 'states']) mkdirSync(join(folder, name));
  }

  get service(): ServiceNames {
    return this.surroundings.service;
  }

  cloudNow(): CloudState {
    return withoutTasks(this.sandbox.cloud.state);
  }

  /**
   * Takes the sandbox to a state of the cloud, with its client at an address; without an address it
   * has the default one.
   */
  goTo({ resources }: CloudState, client: string | undefined): void {
    this.client = client;
    this.sandbox.cloud.restore(resources);
  }

  /** What the cloud and Terraform know now, to come back to. */
  save(): Moment {
    const states = mkdtempSync(join(this.folder, 'saved-'));
    cpSync(join(this.folder, 'states'), states, { recursive: true });
    return { cloud: this.cloudNow(), states, requests: this.options.console.requests };
  }

  load({ cloud, states, requests }: Moment): void {
    this.goTo(cloud, undefined);
    this.options.console.requests = requests;
    rmSync(join(this.folder, 'states'), { recursive: true });
    cpSync(states, join(this.folder, 'states'), { recursive: true });
  }

  /** To be called at each step; kills Terraform where it was the last one that it may do. */
  countStep(): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft === 0) this.#runner.kill();
  }

  /**
   * Deploys the stacks of a tree, one after the other, up to the first that fails.
   *
   * @param options.killAfter the step after which Terraform is killed
   */
  async deploy(
    tree: RehearsedTree,
    { killAfter = Number.POSITIVE_INFINITY }: { readonly killAfter?: number } = {},
  ): Promise<Deployed> {
    this.#stepsLeft = killAfter;
    const before = this.#addresses(tree);
    this.recorder.take();
    const steps: StackStep[] = [];
    let result: DeployResult = { status: 'passed', errors: [] };
    for (const stack of tree) {
      this.#provisioners += placeStack(this, stack, tree);
      const run = await this.#runner.run(stack, ['apply', '-auto-approve']);
      steps.push(...this.recorder.take().map((step) => ({ ...step, stack: stack.name })));
      result = deployResult(stack, run, steps.length > 0);
      if (result.status !== 'passed') break;
    }
    const addresses = new Map([...before, ...this.#addresses(tree)]);
    return { result, steps, links: this.#links(tree), addresses };
  }

  /** Takes stacks for deployed as their states say, and deploys the others of the tree. */
  async deployFrom(tree: RehearsedTree, states: DeployedStates): Promise<Deployed> {
    const { state } = this.sandbox.cloud;
    const resources = structuredClone(state.resources);
    for (const [name, deployed] of states) {
      for (const [type, named] of Object.entries(deployed.resources)) {
        resources[type] = { ...resources[type], ...named };
      }
      writeFileSync(stateFile(this, name), JSON.stringify(deployed.state));
    }
    // Far from the identifiers that are there.
    if (states.size > 0) state.serial += 1_000_000;
    this.sandbox.cloud.restore(resources);
    const { result, steps } = await this.deploy(tree.filter(({ name }) => !states.has(name)));
    return { result, steps, links: this.#links(tree), addresses: this.#addresses(tree) };
  }

  /** Plans every stack again; checks that are made anew at each deploy are no change. */
  async replan(tree: RehearsedTree): Promise<ReplanResult> {
    const runs = await Promise.all(
      tree.map(async (stack) => ({
        stack,
        run: await this.#runner.run(stack, ['plan', '-detailed-exitcode']),
      })),
    );
    const changes = runs.flatMap(({ stack, run }) => [
      ...run.errors,
      ...run.planned
        .filter(({ address }) => !address.startsWith('null_resource.'))
        .map(({ address, action }) => `${action} ${address} (${stack.name})`),
    ]);
    return { status: changes.length === 0 ? 'passed' : 'failed', changes };
  }

  /** Destroys the stacks of both trees, without the protection that is in the way of it. */
  async destroy(head: RehearsedTree, base: RehearsedTree): Promise<RehearsalReport['destroy']> {
    const onlyHead = head.filter(({ name }) => !base.some((stack) => stack.name === name));
    const all = [...base, ...onlyHead];
    const errors: string[] = [];
    for (const stack of all.toReversed()) {
      placeStack(this, stack, all, { mayBeDestroyed: true });
      const run = await this.#runner.run(stack, ['destroy', '-auto-approve']);
      errors.push(...run.errors);
    }
    const left = this.sandbox
      .resources()
      .filter(({ identifier }) => !this.#given.has(identifier))
      // A connection that was cut stays in the service's console until it is deleted there.
      .filter(({ properties }) => properties.ConnectionStatus !== 'Rejected')
      .map(({ typeName, identifier }) => `${typeName.replace('Volcengine::', '')} ${identifier}`);
    return { deploy: { status: errors.length === 0 ? 'passed' : 'failed', errors }, left };
  }

  /** What a reader has to know of how it was rehearsed. */
  notes(base: RehearsedTree, head: RehearsedTree): string[] {
    const gone = base.filter(({ name }) => !head.some((stack) => stack.name === name));
    return [
      ...gone.map(({ name }) => `${name} is not in the head: a deploy leaves it as it is`),
      ...(this.#standIns.length === 0
        ? []
        : [
            `the trees name ${this.#standIns.join(', ')} and do not make them: stand-ins are there in the sandbox, give their true facts with \`--with FILE\``,
          ]),
      ...(this.#provisioners === 0
        ? []
        : ['no provisioner of the trees is run; the rehearsal makes the check itself']),
    ];
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #links(tree: RehearsedTree): LinksByStack {
    const states = tree.map(({ name }) => [name, readState(stateFile(this, name), name)] as const);
    return new Map(
      states.flatMap(([name, { links }]) => (links === undefined ? [] : [[name, links] as const])),
    );
  }

  #addresses(tree: RehearsedTree): Map<string, string> {
    return new Map(
      tree.flatMap(({ name }) => [...readState(stateFile(this, name), name).addresses]),
    );
  }
}

const EMPTY = { version: 1, serial: 0, resources: {}, tasks: {} } as const;
