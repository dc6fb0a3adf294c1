import { relative, resolve } from 'node:path';
import { App, LocalBackend, TerraformBackend, TerraformStack } from 'cdktf';
import { shared } from '../package/shared.js';
import type { Settings } from '../settings/schema.js';
import { refuseMistakes } from './mistakes.js';
import { type RemoteConfig, stateKey } from './state-key.js';

interface KeepStateOptions {
  /** A local folder in place of what the settings say, as the sandbox has. @default - the environment variable `CONNECTIVITY_STATE_FOLDER` */
  readonly folder?: string | undefined;
  /** Environment of the settings. @default - the environment variable `CONNECTIVITY_ENV` */
  readonly environment?: string | undefined;
}

/**
 * Keeps a stack's Terraform state where the settings say, under a separate key, because two stacks
 * in one state would destroy each other's resources. A local path is relative to the folder that
 * Terraform runs in, so that no path of a machine gets into the synthesized stack.
 *
 * @throws ConnectivityError `usage.invalid` where the backend cannot hold the key, or another
 * stack has it
 */
export function keepState(
  stack: TerraformStack,
  state: Settings['state'],
  {
    folder = process.env.CONNECTIVITY_STATE_FOLDER,
    environment = process.env.CONNECTIVITY_ENV,
  }: KeepStateOptions = {},
): TerraformBackend {
  const name = stateName(stack, environment);
  const backend = folder
    ? localBackend(stack, folder, name)
    : state.backend === 'local'
      ? localBackend(stack, state.folder, name)
      : remoteBackend(stack, state, name);
  refuse(stack, sharedStateProblems(stack));
  refuseSharedStateAtSynth(stack);
  return backend;
}

/** The stack's id, and the environment where the id does not end with it. */
function stateName(stack: TerraformStack, environment: string | undefined): string {
  const { id } = stack.node;
  return environment && !`-${id}`.endsWith(`-${environment}`) ? `${id}-${environment}` : id;
}

function localBackend(stack: TerraformStack, folder: string, name: string): TerraformBackend {
  const workingFolder = resolve(App.of(stack).outdir, 'stacks', stack.node.id);
  return new LocalBackend(stack, {
    path: relative(workingFolder, resolve(folder, `${name}.tfstate`)),
  });
}

function remoteBackend(
  stack: TerraformStack,
  { backend, config }: Exclude<Settings['state'], { backend: 'local' }>,
  name: string,
): TerraformBackend {
  const { key, problems } = stateKey(backend, config, name);
  refuse(stack, problems);
  return new RemoteBackend(stack, backend, { ...config, ...key });
}

function refuse(stack: TerraformStack, problems: readonly string[]): void {
  if (problems.length > 0) refuseMistakes(stack, { path: `${stack.node.path}/state`, problems });
}

class RemoteBackend extends TerraformBackend {
  readonly #config: RemoteConfig;

  constructor(stack: TerraformStack, name: string, config: RemoteConfig) {
    super(stack, 'backend', name);
    this.#config = config;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.#config };
  }

  getRemoteStateDataSource(): never {
    throw new TypeError(
      `${TerraformStack.of(this).node.id}: stacks do not read each other's state`,
    );
  }
}

/** Settings of a backend that identify the state. For other backends, all settings do. */
const PLACE: Readonly<Record<string, readonly string[]>> = {
  s3: ['bucket', 'key', 'workspace_key_prefix'],
  http: ['address'],
  pg: ['conn_str', 'schema_name'],
  consul: ['address', 'datacenter', 'path'],
  kubernetes: ['host', 'config_context', 'namespace', 'secret_suffix'],
};

const watched = shared('watched-stacks', () => new WeakSet<TerraformStack>());

/** Stops the synthesis where two stacks have their states in the same place, by whatever backend. */
export function refuseSharedStateAtSynth(stack: TerraformStack): void {
  if (watched.has(stack)) return;
  watched.add(stack);
  stack.node.addValidation({ validate: () => sharedStateProblems(stack) });
}

function sharedStateProblems(stack: TerraformStack): string[] {
  const own = place(stack);
  return App.of(stack)
    .node.findAll()
    .filter((node) => TerraformStack.isStack(node))
    .filter((other) => other !== stack && own !== undefined && place(other) === own)
    .map(
      ({ node }) =>
        `the state must not be shared with another stack, got the location of ${node.path}; each would destroy the other's resources, so give each its own key`,
    );
}

/** Names the location of a stack's state, in lower case: a file system may ignore case. */
function place(stack: TerraformStack): string | undefined {
  const backend = stack.node.children.find((node) => TerraformBackend.isBackend(node));
  if (backend === undefined) return undefined;
  const [name, config] = settings(backend);
  if (name === 'local') {
    const workingFolder = resolve(App.of(stack).outdir, 'stacks', stack.node.id);
    return `local ${resolve(workingFolder, String(config.path)).toLowerCase()}`;
  }
  const fields = PLACE[name] ?? Object.keys(config).sort();
  return `${name} ${JSON.stringify(fields.map((field) => config[field] ?? null))}`.toLowerCase();
}

function settings(backend: TerraformBackend): [name: string, config: Record<string, unknown>] {
  const { terraform } = backend.toTerraform() as {
    terraform: { backend?: Record<string, Record<string, unknown>>; cloud?: object };
  };
  const [first] = Object.entries(terraform.backend ?? {});
  return first ?? ['cloud', { ...terraform.cloud }];
}
