import { usageError } from '../../../codes/connectivity-error.js';
import {
  readStackFile,
  resourcesByAddress,
  type StackFile,
  type StackResource,
  stackFile,
} from '../../../terraform/configuration-files.js';
import { placeOfStack, statePlace } from '../../../terraform/state-place.js';
import type { TreeStack } from './stacks.js';

/** The facts that a deploy reads from a stack's Terraform JSON. */
export interface StackFacts {
  /** The place of the state, as a text that is equal for equal places. */
  readonly backend: string;
  readonly backendType: string;
  /** Places of the states that the stack reads. */
  readonly reads: readonly string[];
  readonly hasImports: boolean;
  /** Addresses of resources with `prevent_destroy`. */
  readonly kept: readonly string[];
  /** Addresses of resources that run the check. */
  readonly checks: readonly string[];
  /** Names of outputs by the constructs that they are of. */
  readonly outputs: Readonly<Record<string, unknown>> | undefined;
}

/** @throws ConnectivityError `usage.invalid` */
export function readStackFacts({ folder }: TreeStack): StackFacts {
  try {
    return factsIn(readStackFile(folder), folder);
  } catch (cause) {
    throw usageError(
      `a stack must have its Terraform JSON, got: ${stackFile(folder)}, which is missing or is no stack's; synthesize again`,
      cause,
    );
  }
}

function factsIn(stack: StackFile, folder: string): StackFacts {
  const { terraform = {}, data = {} } = stack;
  const resources = [...resourcesByAddress(stack)];
  const addressesOf = (isWanted: (body: StackResource) => boolean) =>
    resources.flatMap(([address, body]) => (isWanted(body) ? [address] : []));
  const [type = 'local'] = Object.keys(terraform.backend ?? {});
  const reads = Object.values(data.terraform_remote_state ?? {});
  return {
    backend: placeOfStack(terraform, folder),
    backendType: terraform.cloud === undefined ? type : 'cloud',
    reads: reads.map((read) => statePlace(read.backend ?? 'local', read.config, folder)),
    hasImports: stack.import !== undefined,
    kept: addressesOf(({ lifecycle }) => lifecycle?.prevent_destroy === true),
    checks: addressesOf((body) => JSON.stringify(body).includes('"--links-from-environment"')),
    outputs: stack['//']?.outputs,
  };
}

/** Finds the stacks whose state each stack reads, whether or not the app states that it depends on them. */
export function findStateReaders(
  facts: ReadonlyMap<string, StackFacts>,
): Map<string, readonly string[]> {
  return new Map(
    [...facts].map(([name, { reads }]) => [
      name,
      [...facts]
        .filter(([other, { backend }]) => other !== name && reads.includes(backend))
        .map(([other]) => other),
    ]),
  );
}

/** Backends that run Terraform elsewhere, on what this deploy has not seen. */
export function refuseRunElsewhere(name: string, { backendType }: StackFacts): void {
  if (backendType !== 'cloud' && backendType !== 'remote') return;
  throw usageError(
    `the backend of ${name} must let Terraform run here, got: ${backendType}; use cdktf deploy`,
  );
}
