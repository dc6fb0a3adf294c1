import { STACK_TAG } from '../cloud/table/mark.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { pullState } from '../terraform/commands.js';
import { readStackFile, resourcesByAddress } from '../terraform/configuration-files.js';
import type { ChangingStack, TerraformFolder } from '../terraform/terraform-folder.js';

/**
 * The part that is read of a state: its resources, with the tags that name the stack that made
 * them.
 */
export interface State {
  readonly lineage?: string;
  readonly outputs?: Readonly<Record<string, { readonly value?: unknown }>>;
  readonly resources?: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly attributes?: { readonly tags?: readonly { key?: string; value?: string }[] | null };
    }[];
  }[];
}

/** A stack whose state is to be read or written. */
type StateUser = TerraformFolder & Partial<Pick<ChangingStack, 'command' | 'context'>>;

/**
 * Reads the state of a stack, and refuses that of another one, whose resources Terraform would destroy as
 * surplus. One without marks, from before there were any, is another's where none of its resources is in
 * this stack.
 *
 * @throws ConnectivityError `deploy.state`
 */
export async function readOwnState(stack: StateUser): Promise<State> {
  const state = (await pullState(stack)) as State;
  const { resources = [] } = state;
  const managed = resources.filter(({ mode }) => mode === 'managed');
  const tags = managed.flatMap(({ instances }) =>
    instances.map(({ attributes }) => attributes?.tags?.find(({ key }) => key === STACK_TAG)),
  );
  const owners = new Set(tags.flatMap((tag) => tag?.value ?? []));
  const others = [...owners].filter(
    (owner) => owner !== stack.name && owner !== stack.context?.stateOf,
  );
  if (others[0] !== undefined)
    throw otherState(stack, `resources of ${others.join(' and ')}`, others[0]);
  const isKnown = owners.size > 0 || managed.length === 0;
  if (isKnown || stack.context?.stateOf !== undefined) return state;
  const own = readOwnAddresses(stack);
  const addresses = managed.map(({ type, name }) => `${type}.${name}`);
  if (addresses.some((address) => own.has(address))) return state;
  throw otherState(stack, `${addresses[0]}, and nothing that this stack has`, 'unknown');
}

/** Resources that the stack has or had: one that `moved` names is its own, too. */
function readOwnAddresses({ folder }: TerraformFolder): Set<string> {
  const stack = readStackFile(folder);
  const former = (stack.moved ?? []).map(({ from }) => from);
  return new Set([...resourcesByAddress(stack).keys(), ...former]);
}

function otherState(stack: StateUser, held: string, owner: string): ConnectivityError {
  const { name, command } = stack;
  const verb = command === 'destroy' ? 'destroy' : 'deploy';
  return new ConnectivityError(
    'deploy.state: foreign',
    `the state of ${name} must not contain another stack, got: ${held}; nothing was changed. Give each stack its own state, or take this one over with: secure-connectivity ${verb} ${name} --state-of ${owner}`,
  );
}
