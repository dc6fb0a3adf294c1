import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { STACK_TAG } from '../../cloud/table/mark.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import type { ChangingStack } from './changing-stack.js';

/** What is read of a state: its resources, with the tags that say which stack made them. */
interface State {
  readonly resources?: readonly StateResource[];
}

interface StateResource {
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly {
    readonly attributes?: { readonly tags?: readonly { key?: string; value?: string }[] | null };
  }[];
}

/**
 * Stops where the state holds another stack's resources: Terraform would destroy them as surplus. A
 * state without marks, from before there were any, is another's where none of its resources is in
 * this stack.
 *
 * @throws ConnectivityError `deploy.other-state`, `deploy.state-unreadable`
 */
export async function refuseStateOfAnother(stack: ChangingStack): Promise<void> {
  const { resources = [] } = await pullState(stack);
  const managed = resources.filter(({ mode }) => mode === 'managed');
  const owners = new Set(managed.flatMap(readOwners));
  const others = [...owners].filter(
    (owner) => owner !== stack.name && owner !== stack.context.stateOf,
  );
  if (others[0] !== undefined)
    throw otherState(stack, `resources of ${others.join(' and ')}`, others[0]);
  if (owners.size > 0 || managed.length === 0 || stack.context.stateOf !== undefined) return;
  const own = await readOwnAddresses(stack.folder);
  const addresses = managed.map(({ type, name }) => `${type}.${name}`);
  if (addresses.some((address) => own.has(address))) return;
  throw otherState(stack, `${addresses[0]}, and nothing that this stack has`, 'unknown');
}

async function pullState(stack: ChangingStack): Promise<State> {
  const { status, stdout, stderr } = await stack.terraform(['state', 'pull']);
  try {
    if (status === 0) return stdout.trim() === '' ? {} : (JSON.parse(stdout) as State);
  } catch {}
  throw new ConnectivityError(
    'deploy.state-unreadable',
    `the state of ${stack.name} cannot be read, so nothing was changed: ${safeText(stderr)}`,
  );
}

function readOwners({ instances }: StateResource): string[] {
  return instances.flatMap(({ attributes }) =>
    (attributes?.tags ?? []).flatMap(({ key, value }) =>
      key === STACK_TAG && value !== undefined ? [value] : [],
    ),
  );
}

/** Resources that the stack has or had: one that `moved` names is its own, too. */
async function readOwnAddresses(folder: string): Promise<Set<string>> {
  const stack = JSON.parse(await readFile(join(folder, 'cdk.tf.json'), 'utf8')) as {
    readonly resource?: Readonly<Record<string, object>>;
    readonly moved?: readonly { readonly from: string }[];
  };
  return new Set([
    ...Object.entries(stack.resource ?? {}).flatMap(([type, named]) =>
      Object.keys(named).map((name) => `${type}.${name}`),
    ),
    ...(stack.moved ?? []).map(({ from }) => from),
  ]);
}

function otherState(
  { name, command }: ChangingStack,
  held: string,
  owner: string,
): ConnectivityError {
  const verb = command === 'apply' ? 'deploy' : 'destroy';
  return new ConnectivityError(
    'deploy.other-state',
    `the state of ${name} must hold no other stack, got: ${held}; nothing was changed. Give each stack a state of its own, or take this one over with: secure-connectivity ${verb} ${name} --state-of ${owner}`,
  );
}

/** Variables of CI systems that clean the checkout before each job. */
const CLEANING = ['GITHUB_ACTIONS', 'GITLAB_CI'] as const;

/**
 * Stops a CI job that keeps the state in its checkout: the next job would find none, and make
 * everything again.
 *
 * @throws ConnectivityError `deploy.state-in-checkout`
 */
export async function refuseStateInCheckout({ folder, context }: ChangingStack): Promise<void> {
  const cleaning = CLEANING.find((name) => process.env[name] === 'true');
  if (cleaning === undefined || process.env.CONNECTIVITY_STATE_FOLDER) return;
  const stack = JSON.parse(await readFile(join(folder, 'cdk.tf.json'), 'utf8')) as {
    readonly terraform?: { readonly backend?: { readonly local?: { readonly path?: string } } };
  };
  const local = stack.terraform?.backend?.local;
  if (local === undefined) return;
  const file = resolve(folder, local.path ?? 'terraform.tfstate');
  const inside = relative(context.project, file);
  if (inside.startsWith(`..${sep}`)) return;
  throw new ConnectivityError(
    'deploy.state-in-checkout',
    `the state must not be in the checkout, which the next job cleans, got: ${inside}; set \`state\` to a remote backend, or \`CONNECTIVITY_STATE_FOLDER\` to a folder outside that stays on the runner`,
  );
}
