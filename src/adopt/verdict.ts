import { sameValue } from '../cloud/table/compare.js';
import { markPlace, readMark } from '../cloud/table/mark.js';
import { cloudName } from '../cloud/table/row.js';
import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
import { type ConnectivityError, usageError } from '../codes/connectivity-error.js';
import type { LeftBehind } from './find-left-behind.js';
import type { ImportTarget } from './import-blocks.js';
import type { PlannedCreate, StackPlan } from './plan-stack.js';

/** An attribute of an object that is not as planned. */
export interface Difference {
  readonly attribute: string;
  readonly planned: unknown;
  readonly actual: unknown;
  /** True if Terraform would replace the object for it. */
  readonly replaces: boolean;
}

/** The decision on an object that was found: only what is certain is adopted. */
export type Verdict = { readonly found: LeftBehind } & (
  | { readonly kind: 'adopt'; readonly identifier: string }
  /** Several, or one that Terraform cannot import, because the state has another at its address. */
  | { readonly kind: 'several' | 'replacing'; readonly objects: readonly CloudObject[] }
  | {
      readonly kind: 'differs';
      readonly identifier: string;
      readonly differences: readonly Difference[];
    }
);

/** @param chosen objects that are meant where several are found, or none is recognized */
export function verdictOn(found: LeftBehind, chosen: readonly ImportTarget[]): Verdict {
  const { create, objects } = found;
  if (create.replaced.length > 0) return { kind: 'replacing', found, objects };
  const choice = chosen.find(({ address }) => address === create.address);
  const [object, ...others] =
    choice === undefined ? objects : objects.filter(({ identifier }) => identifier === choice.id);
  if (object === undefined || others.length > 0) return { kind: 'several', found, objects };
  const { identifier, properties } = object;
  const differences = findDifferences(create, properties);
  return differences.length === 0
    ? { kind: 'adopt', found, identifier }
    : { kind: 'differs', found, identifier, differences };
}

/**
 * Finds differences between the plan and the cloud. Tags are left out, because the mark has been compared
 * and others are changed in place; so is anything that cannot be read back.
 */
function findDifferences(
  { row, values, ignored }: PlannedCreate,
  properties: Readonly<Record<string, unknown>>,
): Difference[] {
  return Object.entries(row.attributes).flatMap(([name, attribute]) => {
    const planned = values[name];
    const isLeftOut = name === 'tags' || ignored.has(name) || attribute.writeOnly;
    if (planned === undefined || isLeftOut || attribute.mode === 'computed') return [];
    const actual = properties[cloudName(name, attribute)];
    if (sameValue(attribute, planned, actual)) return [];
    return [{ attribute: name, planned, actual, replaces: attribute.replaces === true }];
  });
}

/**
 * Puts the objects that the user chose in the place of those that were found.
 *
 * @throws ConnectivityError `usage.invalid` for an address that the plan does not create, and for an
 * object that is not there, in the state, or made for something else
 */
export async function applyChoices(
  plan: StackPlan,
  found: readonly LeftBehind[],
  choices: readonly ImportTarget[],
  readerOf: (provider: string) => Promise<CloudReader>,
): Promise<LeftBehind[]> {
  const chosen: LeftBehind[] = [];
  for (const choice of choices) {
    const create = readCreate(plan, choice);
    const reader = await readerOf(create.provider);
    const object = await reader.get(create.row.cloudType, choice.id);
    check(plan, create, choice, object);
    if (object !== undefined) chosen.push({ create, objects: [object] });
  }
  const addresses = new Set(choices.map(({ address }) => address));
  return [...found.filter(({ create }) => !addresses.has(create.address)), ...chosen];
}

function readCreate({ creates, managed }: StackPlan, { address, id }: ImportTarget): PlannedCreate {
  const create = creates.find((one) => one.address === address);
  if (create !== undefined) return create;
  const held = managed.find((object) => object.address === address)?.identifier;
  throw invalid(
    'must name a resource that the deploy would create',
    held === undefined ? `${address}=${id}` : `${address}, which is ${held} in the state`,
  );
}

function check(
  { managed, stacks, configured }: StackPlan,
  { address, row }: PlannedCreate,
  { id }: ImportTarget,
  object: CloudObject | undefined,
): void {
  if (object === undefined) {
    throw invalid(`of ${address} must be a ${row.cloudType} that exists in the cloud`, id);
  }
  const held = managed.find((one) => one.cloudType === row.cloudType && one.identifier === id);
  if (held !== undefined) {
    throw invalid(
      `of ${address} must not be in the state`,
      `${id}, which is ${held.address} there`,
    );
  }
  const mark = markPlace(row) === 'tags' ? readMark(object.properties.Tags) : {};
  const isOther = mark.stack !== undefined && !stacks.has(mark.stack);
  const isElsewhere =
    mark.address !== undefined && mark.address !== address && configured.has(mark.address);
  if (isOther || isElsewhere) {
    throw invalid(
      `of ${address} must not belong to something else`,
      `${id}, which carries the mark of ${mark.address} in the stack ${mark.stack}`,
    );
  }
}

function invalid(rule: string, got: string): ConnectivityError {
  return usageError(`\`--id\` ${rule}, got: ${got}`);
}
