import { existsSync, readFileSync } from 'node:fs';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { writeWhole } from '../../files/whole-file.js';
import { isObject, type JsonObject } from '../json.js';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** An operation that the cloud has taken on. Its outcome is settled; polling reveals it. */
export interface Task {
  readonly operation: Operation;
  readonly typeName: string;
  readonly clientToken: string;
  readonly eventTime: string;
  /** Absent where a create failed. */
  readonly identifier?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** How many polls are left until the outcome is shown. */
  readonly polls: number;
}

/** What a task did, or was refused. */
export type Mutation = Pick<Task, 'operation' | 'typeName' | 'identifier' | 'error'>;

/** All that the cloud knows; kept in one JSON file. */
export interface CloudState {
  readonly version: 1;
  /** How many identifiers were given out. */
  serial: number;
  /** Properties by type name and identifier. */
  readonly resources: { [typeName: string]: { [identifier: string]: JsonObject } };
  readonly tasks: { [taskId: string]: Task };
}

function emptyState(): CloudState {
  return { version: 1, serial: 0, resources: emptyRecord(), tasks: emptyRecord() };
}

/**
 * An object without inherited members: keys come from clients, and `constructor` must be one that is
 * not there.
 */
function emptyRecord<T>(members: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null), members);
}

/** The resources of a type, to be changed in place. */
export function resourcesIn(
  { resources }: CloudState,
  typeName: string,
): Record<string, JsonObject> {
  const named = resources[typeName] ?? emptyRecord<JsonObject>();
  resources[typeName] = named;
  return named;
}

/** Puts the resources of another moment in the place of those of now. */
export function replaceResources(state: CloudState, resources: CloudState['resources']): void {
  // It may be these very resources that are given.
  const copy = structuredClone(resources);
  for (const type of Object.keys(state.resources)) delete state.resources[type];
  for (const [type, named] of Object.entries(copy)) state.resources[type] = emptyRecord(named);
}

export function resourcesOf(state: CloudState, typeName: string): JsonObject[] {
  return Object.values(state.resources[typeName] ?? {});
}

/**
 * Reads the state that an earlier sandbox kept; without a file it is empty.
 *
 * @throws ConnectivityError `usage.invalid` where the file holds no state
 */
export function loadState(file: string | undefined): CloudState {
  if (file === undefined || !existsSync(file)) return emptyState();
  const state = parsed(readFileSync(file, 'utf8'));
  if (isObject(state) && state.version === 1) return withOwnKeys(state as unknown as CloudState);
  throw new ConnectivityError(
    'usage.invalid',
    `${file} does not hold the state of a sandbox of this version; remove it to start anew`,
  );
}

/** Keeps the state, where there is a file for it. */
export function saveState(file: string | undefined, state: CloudState): void {
  if (file === undefined) return;
  // Written at each change, and of no use after a crash of the machine.
  writeWhole(file, `${JSON.stringify(state, null, 1)}\n`, { isDurable: false });
}

function withOwnKeys({ resources, tasks, ...rest }: CloudState): CloudState {
  const types = Object.entries(resources).map(([name, named]) => [name, emptyRecord(named)]);
  return {
    ...rest,
    resources: emptyRecord(Object.fromEntries(types)),
    tasks: emptyRecord(tasks),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
