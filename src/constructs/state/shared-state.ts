import { resolve } from 'node:path';
import { App, TerraformBackend, TerraformStack } from 'cdktf';
import { shared } from '../../package/shared.js';
import { refuse } from '../mistakes/invalid.js';

/** What of a backend's configuration says which state it is. Of other backends, everything does. */
const PLACE: Readonly<Record<string, readonly string[]>> = {
  s3: ['bucket', 'key', 'workspace_key_prefix'],
  http: ['address'],
  pg: ['conn_str', 'schema_name'],
  consul: ['address', 'datacenter', 'path'],
  kubernetes: ['host', 'config_context', 'namespace', 'secret_suffix'],
};

const watched = shared('watched-stacks', () => new WeakSet<TerraformStack>());

/** Stops where another stack of the app has its state in the same place already. */
export function refuseSharedState(stack: TerraformStack): void {
  refuse(stack, 'state', sharedStateProblems(stack));
  refuseSharedStateAtSynth(stack);
}

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
        `the state must not be shared with another stack, got the place of ${node.path}; each would destroy the other's resources, so give each a key of its own`,
    );
}

/** Where a stack keeps its state; file systems may take names that differ in case for the same. */
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
