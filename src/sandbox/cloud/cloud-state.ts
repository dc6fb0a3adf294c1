import type { JsonObject } from '../json.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** An operation that the cloud has taken on. Its outcome is settled; polling reveals it. */
export interface Task {
  readonly operation: Operation;
  readonly typeName: string;
  readonly clientToken: string;
  readonly eventTime: string;
  /** Absent where a create failed. */
  readonly identifier?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** How many polls are left until the outcome is told. */
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

export function emptyState(): CloudState {
  return { version: 1, serial: 0, resources: emptyRecord(), tasks: emptyRecord() };
}

/**
 * An object without inherited members: keys come from clients, and `constructor` must be one that is
 * not there.
 */
export function emptyRecord<T>(members: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null), members);
}

export function resourcesOf(state: CloudState, typeName: string): JsonObject[] {
  return Object.values(state.resources[typeName] ?? {});
}
