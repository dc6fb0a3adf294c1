import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CLOUD_PROVIDER, findResourceRow } from '../cloud/table/index.js';
import { readMark } from '../cloud/table/mark.js';
import type { ResourceRow } from '../cloud/table/row.js';
import type { JsonObject } from '../files/json.js';
import { makeTemporaryFolder } from '../files/temporary-folder.js';
import { initialize, runOrThrow } from '../terraform/commands.js';
import {
  findStackFolder,
  readStackFile,
  resourcesByAddress,
} from '../terraform/configuration-files.js';
import { isMarked, type PlanJson, planSchema } from '../terraform/plan-json.js';
import { terraformName } from '../terraform/program.js';
import { type TerraformFolder, terraformFolder } from '../terraform/terraform-folder.js';

/** A resource that a plan would create. */
export interface PlannedCreate {
  readonly address: string;
  readonly row: ResourceRow;
  /** By attribute; what is known after the apply only is absent. */
  readonly values: JsonObject;
  /** The objects that the state has at this address, and the plan deletes. */
  readonly replaced: readonly string[];
  /** The key of the provider that makes it. */
  readonly provider: string;
  /** Attributes whose changes the stack ignores. */
  readonly ignored: ReadonlySet<string>;
}

/** An object that the state has. */
export interface ManagedObject {
  readonly address: string;
  /** The key of an object that was replaced and is to be deleted. */
  readonly deposed: string | undefined;
  readonly cloudType: string;
  readonly identifier: string;
  /** True if the plan deletes it. */
  readonly isDeleted: boolean;
}

export interface StackPlan {
  readonly creates: readonly PlannedCreate[];
  /** The names of the stack in the marks of what it plans. */
  readonly stacks: ReadonlySet<string>;
  /** Every resource of the configuration, with the key of its provider. */
  readonly configured: ReadonlyMap<string, string>;
  readonly managed: readonly ManagedObject[];
  /** The provider blocks, by the key that resources name. */
  readonly providers: ReadonlyMap<string, JsonObject>;
}

/**
 * Reads what `terraform show -json` says of a plan.
 *
 * @param stack the name of the stack, where nothing in the plan carries a mark
 * @param ignoredAt the attributes whose changes the stack ignores, by address
 */
export function readPlan(
  text: string,
  stack: string,
  ignoredAt: ReadonlyMap<string, ReadonlySet<string>>,
): StackPlan {
  const plan = planSchema.parse(JSON.parse(text));
  const { provider_config: blocks, root_module: root } = plan.configuration;
  const configured = new Map(
    root.resources.map(({ address, provider_config_key: key }) => [address, key]),
  );
  const marks = plan.resource_changes.map(({ change }) => readMark(change.after?.tags));
  const marked = marks.flatMap(({ stack: name }) => name ?? []);
  const managed = readManaged(plan);
  const creates = plan.resource_changes.flatMap(({ address, mode, type, deposed: key, change }) => {
    const row = findResourceRow(type);
    const { actions, after, after_unknown: unknown } = change;
    if (mode !== 'managed' || key !== undefined || row === undefined) return [];
    if (!actions.includes('create')) return [];
    const values = knownValues(after ?? {}, unknown ?? {});
    const provider = configured.get(address) ?? '';
    const held = managed.filter((one) => one.address === address && one.isDeleted);
    const replaced = held.map(({ identifier }) => identifier);
    const ignored = ignoredAt.get(address) ?? new Set();
    return [{ address, row, values, replaced, provider, ignored }];
  });
  return {
    creates,
    configured,
    stacks: new Set(marked.length > 0 ? marked : [stack]),
    managed,
    providers: new Map(
      Object.entries(blocks).map(([key, { expressions }]) => [key, constants(expressions ?? {})]),
    ),
  };
}

/** The keys of the providers that reach the cloud. */
export function cloudProviders({ providers }: StackPlan): string[] {
  return [...providers.keys()].filter((key) => key.split('.')[0] === CLOUD_PROVIDER.name);
}

function readManaged({ prior_state: prior, resource_changes: changes }: PlanJson) {
  const deleted = new Set(
    changes
      .filter(({ change }) => change.actions.includes('delete'))
      .map((one) => `${one.address} ${one.deposed}`),
  );
  const resources = prior?.values?.root_module?.resources ?? [];
  return resources.flatMap(({ address, type, deposed_key: deposed, values }): ManagedObject[] => {
    const cloudType = findResourceRow(type)?.cloudType;
    if (cloudType === undefined || typeof values?.id !== 'string') return [];
    const isDeleted = deleted.has(`${address} ${deposed}`);
    return [{ address, deposed, cloudType, identifier: values.id, isDeleted }];
  });
}

/** An attribute with anything unknown in it is left out whole: it cannot be compared yet. */
function knownValues(after: JsonObject, unknown: JsonObject) {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== null && !isMarked(unknown[name])),
  );
}

/** `{ region: { constant_value: "…" } }`, and blocks within blocks alike, as plain values. */
function constants(expressions: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(expressions).map(([name, expression]) => [name, constant(expression)]),
  );
}

function constant(expression: unknown): unknown {
  if (Array.isArray(expression)) return constant(expression[0]);
  if (typeof expression !== 'object' || expression === null) return undefined;
  if ('constant_value' in expression) return expression.constant_value;
  return constants(expression as JsonObject);
}

/** @throws ConnectivityError `usage.invalid` */
export function openStackFolder(stack: string, lockTimeout: string): TerraformFolder {
  const folder = resolve(findStackFolder('<stack>', stack));
  return terraformFolder(folder, terraformName(process.env), lockTimeout);
}

/**
 * Plans a stack by the state alone. The plan is not kept: one without a refresh must not be applied.
 *
 * @param planFile a plan to read in its place, which refreshed nothing
 * @throws ConnectivityError `usage.invalid`, `deploy.state-locked`, `terraform.failed`
 */
export async function planStack(stack: TerraformFolder, planFile?: string): Promise<StackPlan> {
  const resources = [...resourcesByAddress(readStackFile(stack.folder))];
  const ignored = new Map(
    resources.map(([address, { lifecycle }]) => [address, new Set(lifecycle?.ignore_changes)]),
  );
  const read = async (file: string) =>
    readPlan(await runOrThrow(stack, ['show', '-json', file]), stack.name, ignored);
  if (planFile !== undefined) return read(planFile);
  await initialize(stack);
  const place = makeTemporaryFolder('adopt');
  try {
    const file = join(place, 'plan');
    const lock = `-lock-timeout=${stack.lockTimeout}`;
    const flags = ['-refresh=false', '-input=false', '-no-color', lock, `-out=${file}`];
    await runOrThrow(stack, ['plan', ...flags, ...(stack.planArguments ?? [])]);
    return await read(file);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
