import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ResourceRow } from '../../cloud/table/row.js';
import { usageError } from '../../codes/connectivity-error.js';
import { writeWhole } from '../../files/whole-file.js';
import { isObject, type JsonObject } from '../json.js';
import { CloudError } from './cloud-error.js';

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
  /** The number of polls left until the outcome is shown. */
  readonly polls: number;
  /** The time before which polls do not count, in milliseconds. @default - all count */
  readonly readyAt?: number;
}

/** The effect of a task, or its refusal. */
export type Mutation = Pick<Task, 'operation' | 'typeName' | 'identifier' | 'error'>;

/** All that the cloud knows; kept in one JSON file. */
export interface CloudState {
  readonly version: 1;
  /** The number of identifiers given out. */
  serial: number;
  /** Properties by type name and identifier. */
  readonly resources: { [typeName: string]: { [identifier: string]: JsonObject } };
  readonly tasks: { [taskId: string]: Task };
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
  resources[typeName] ??= emptyRecord<JsonObject>();
  return resources[typeName];
}

/** Puts the resources of another moment in the place of those of now. */
export function replaceResources(state: CloudState, resources: CloudState['resources']): void {
  // It may be these very resources that are given.
  const copy = structuredClone(resources);
  for (const type of Object.keys(state.resources)) delete state.resources[type];
  Object.assign(state.resources, ownResources(copy));
}

export function listResources({ resources }: CloudState, { cloudType }: ResourceRow): JsonObject[] {
  return Object.values(resources[cloudType] ?? {});
}

export function findResource(
  { resources }: CloudState,
  { cloudType }: ResourceRow,
  identifier: string,
): JsonObject | undefined {
  return resources[cloudType]?.[identifier];
}

const FIRST_NUMBER = 400_000;

/** Makes an identifier from a counter that is kept: never the same twice in one state folder. */
export function newId(state: CloudState, prefix: string): string {
  state.serial += 1;
  const digest = createHash('sha256').update(`${prefix}:${state.serial}`).digest('hex');
  return `${prefix}-${digest.slice(0, 16)}`;
}

/** Makes a number, for the few types whose identifiers are numbers. */
export function newNumber(state: CloudState): string {
  state.serial += 1;
  return String(FIRST_NUMBER + state.serial);
}

/**
 * Reads the state that an earlier sandbox kept; without a file it is empty.
 *
 * @throws ConnectivityError `usage.invalid` where the file holds no state
 */
export function loadState(file: string | undefined): CloudState {
  if (file === undefined || !existsSync(file)) {
    return { version: 1, serial: 0, resources: emptyRecord(), tasks: emptyRecord() };
  }
  const text = readFileSync(file, 'utf8');
  try {
    const state: unknown = JSON.parse(text);
    if (isObject(state) && state.version === 1) return withOwnKeys(state as unknown as CloudState);
  } catch {
    // What is no JSON holds no state either.
  }
  throw usageError(
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
  return { ...rest, resources: ownResources(resources), tasks: emptyRecord(tasks) };
}

function ownResources(resources: CloudState['resources']): CloudState['resources'] {
  const types = Object.entries(resources).map(([name, named]) => [name, emptyRecord(named)]);
  return emptyRecord(Object.fromEntries(types));
}

const MAX_TASKS = 1000;

export type TaskRequest = Pick<Task, 'operation' | 'typeName' | 'clientToken'> & {
  /** The identifier of what is worked on; a creation has none before. */
  readonly target?: string;
  /** The time that it takes at least. */
  readonly milliseconds?: number;
};

interface StartedTask {
  readonly taskId: string;
  /** Undefined where the same client has asked for the same task before. */
  readonly mutation?: Mutation;
}

/**
 * Does the work of a task at once and keeps its outcome for polls; a refusal is an outcome too.
 *
 * @param polls how many polls are left until the outcome is shown
 * @param work answers the identifier of what it worked on
 */
export function startTask(
  state: CloudState,
  { target, milliseconds = 0, ...request }: TaskRequest,
  polls: number,
  work: () => string,
): StartedTask {
  const isSame = ({ clientToken }: Task) =>
    clientToken !== '' && clientToken === request.clientToken;
  const same = Object.entries(state.tasks).find(([, task]) => isSame(task));
  if (same !== undefined) return { taskId: same[0] };
  const taskId = newId(state, 'task');
  const outcome = settle(work, target);
  const eventTime = new Date().toISOString();
  const readyAt = milliseconds > 0 ? { readyAt: Date.now() + milliseconds } : {};
  state.tasks[taskId] = { ...request, eventTime, polls, ...readyAt, ...outcome };
  for (const old of Object.keys(state.tasks).slice(0, -MAX_TASKS)) delete state.tasks[old];
  const { operation, typeName } = request;
  return { taskId, mutation: { operation, typeName, ...outcome } };
}

/** @throws CloudError `NotFound` */
export function findTask({ tasks }: CloudState, taskId: string): Task {
  const task = tasks[taskId];
  if (task) return task;
  throw new CloudError('NotFound', `task ${taskId} does not exist`, 404);
}

/** Counts a poll; the task is done when none are left. @throws CloudError */
export function pollTask(state: CloudState, taskId: string): Task {
  const task = findTask(state, taskId);
  if (task.polls === 0 || Date.now() < (task.readyAt ?? 0)) return task;
  const polled = { ...task, polls: task.polls - 1 };
  state.tasks[taskId] = polled;
  return polled;
}

function settle(
  work: () => string,
  target: string | undefined,
): Pick<Task, 'identifier' | 'error'> {
  try {
    return { identifier: work() };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const { code, message } = error;
    return { ...(target !== undefined && { identifier: target }), error: { code, message } };
  }
}
