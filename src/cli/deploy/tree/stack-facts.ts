import * as z from 'zod';
import { usageError } from '../../../codes/connectivity-error.js';
import {
  readStackFile,
  resourcesByAddress,
  stackFile,
} from '../../../terraform/configuration-files.js';
import { placeOfStack, statePlace } from '../../../terraform/state-place.js';
import type { TreeStack } from './stacks.js';

const block = z.record(z.string(), z.unknown());

/** A block that may stand alone, or in a list. */
const oneOrMore = z.union([block, z.array(block)]).transform((value) => [value].flat());

const resourceSchema = z.looseObject({
  lifecycle: z.looseObject({ prevent_destroy: z.unknown().optional() }).optional(),
});

const stackSchema = z.looseObject({
  terraform: z
    .looseObject({
      backend: z.record(z.string(), oneOrMore).optional(),
      cloud: z.unknown().optional(),
    })
    .optional(),
  data: z
    .looseObject({
      terraform_remote_state: z
        .record(
          z.string(),
          z.looseObject({ backend: z.string().optional(), config: oneOrMore.optional() }),
        )
        .optional(),
    })
    .optional(),
  resource: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  import: z.unknown().optional(),
  '//': z.looseObject({ outputs: block.optional() }).optional(),
});

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
  const { terraform = {}, data = {}, resource, ...stack } = parseStack(folder);
  const resources = [...resourcesByAddress({ resource })];
  const addressesOf = (isWanted: (body: unknown) => boolean) =>
    resources.flatMap(([address, body]) => (isWanted(body) ? [address] : []));
  const [type = 'local'] = Object.keys(terraform.backend ?? {});
  const reads = Object.values(data.terraform_remote_state ?? {});
  return {
    backend: placeOfStack(terraform, folder),
    backendType: terraform.cloud === undefined ? type : 'cloud',
    reads: reads.map((read) => statePlace(read.backend ?? 'local', read.config, folder)),
    hasImports: stack.import !== undefined,
    kept: addressesOf(isKept),
    checks: addressesOf((body) => JSON.stringify(body).includes('"--links-from-environment"')),
    outputs: stack['//']?.outputs,
  };
}

function parseStack(folder: string): z.infer<typeof stackSchema> {
  try {
    return stackSchema.parse(readStackFile(folder));
  } catch (cause) {
    throw usageError(
      `a stack must have its Terraform JSON, got: ${stackFile(folder)}, which is missing or is no stack's; synthesize again`,
      cause,
    );
  }
}

function isKept(body: unknown): boolean {
  const read = resourceSchema.safeParse(body);
  return read.success && read.data.lifecycle?.prevent_destroy === true;
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
