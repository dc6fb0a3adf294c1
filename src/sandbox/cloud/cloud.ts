import { type JsonObject, withoutNulls } from '../json.js';
import { dependencyViolation, notFound } from './cloud-error.js';
import {
  type CloudState,
  loadState,
  type Mutation,
  pollTask,
  replaceResources,
  resourcesIn,
  saveState,
  startTask,
  type Task,
  type TaskRequest,
} from './cloud-state.js';
import {
  type CloudScope,
  type CloudType,
  makeIdentifier,
  makeResource,
  makeScope,
  type ScopeOptions,
} from './cloud-type.js';
import {
  applyPatch,
  checkCreateOnly,
  checkProperties,
  effectivePatch,
  readableProperties,
  writableProperties,
} from './properties.js';
import type { Temper } from './temper.js';
import { CLOUD_TYPES, findType } from './types/index.js';

export interface CloudOptions extends ScopeOptions {
  /** The file of the state; its content is continued. Absent: nothing is kept. */
  readonly file?: string;
  /** The number of the first poll that answers a task's outcome. */
  readonly taskPolls: number;
  /** The faults of its own. @default - none */
  readonly temper?: Temper;
  /** Called before a client reads a resource, or makes one that it names itself. */
  readonly beforeUse?: (cloud: Cloud, typeName: string, identifier: string) => void;
  /** Called after every change, before the client has its answer. */
  readonly onChange?: () => void;
  /** Called for every create, update and delete that a client asked for, refused ones included. */
  readonly onMutation?: (mutation: Mutation) => void;
}

/** A resource as a client reads it. */
export interface CloudResource {
  readonly typeName: string;
  readonly identifier: string;
  readonly properties: JsonObject;
}

/** The emulated cloud: its state and what may be done to it. */
export class Cloud {
  readonly state: CloudState;
  readonly #options: CloudOptions;

  constructor(options: CloudOptions) {
    this.#options = options;
    this.state = loadState(options.file);
  }

  /** Every resource as a client reads it. */
  resources(): CloudResource[] {
    return CLOUD_TYPES.flatMap(({ row }) => this.list(row.cloudType));
  }

  /** Every resource of a type as a client reads it. @throws CloudError */
  list(typeName: string): CloudResource[] {
    const type = findType(typeName);
    return Object.entries(this.state.resources[typeName] ?? {}).map(([identifier, stored]) => ({
      typeName,
      identifier,
      properties: this.#read(type, stored),
    }));
  }

  /** @throws CloudError `NotFound` */
  get(typeName: string, identifier: string): JsonObject {
    const type = findType(typeName);
    this.#options.beforeUse?.(this, typeName, identifier);
    return this.#read(type, this.#stored(typeName, identifier));
  }

  /** Creates at once and answers the identifier. @throws CloudError */
  create(typeName: string, input: JsonObject): string {
    const type = findType(typeName);
    checkProperties(input, type.row.attributes);
    const identifier = this.#make(type, input);
    this.#changed();
    return identifier;
  }

  /**
   * Takes in a resource that another account caused, such as the connection of its endpoint.
   *
   * @throws CloudError
   */
  receive(typeName: string, make: (cloud: CloudScope) => JsonObject): string {
    const identifier = this.#store(findType(typeName), make(this.#scope()));
    this.#changed();
    return identifier;
  }

  /**
   * Makes a resource with an identifier of the caller's; where there is one already, it stays.
   *
   * @throws CloudError
   */
  place(typeName: string, identifier: string, input: JsonObject): void {
    const type = findType(typeName);
    if (this.state.resources[typeName]?.[identifier]) return;
    checkProperties(input, type.row.attributes);
    this.#make(type, input, identifier);
    this.#changed();
  }

  /** Puts the resources of another moment in the place of those of now. */
  restore(resources: CloudState['resources']): void {
    replaceResources(this.state, resources);
    this.#changed();
  }

  /** Starts the creation of a resource and answers the task's id. @throws CloudError */
  startCreate(typeName: string, input: JsonObject, clientToken: string): string {
    const type = findType(typeName);
    checkProperties(input, type.row.attributes);
    this.#options.beforeUse?.(this, typeName, makeIdentifier(type.row, input));
    const request = { operation: 'CREATE', typeName, clientToken } as const;
    return this.#start(request, input, () => this.#make(type, input));
  }

  /** Starts an update by a JSON Patch and answers the task's id. @throws CloudError */
  startUpdate(typeName: string, identifier: string, patch: unknown, clientToken: string): string {
    const type = findType(typeName);
    const prior = this.#stored(typeName, identifier);
    const read = { ...prior, ...type.read?.(prior, this.#scope()) };
    const before = writableProperties(type, this.#asRead(type, read));
    const input = withoutNulls(applyPatch(before, effectivePatch(type, patch)));
    checkProperties(input, type.row.attributes);
    checkCreateOnly(type, before, input);
    const request = { operation: 'UPDATE', typeName, clientToken, target: identifier } as const;
    return this.#start(request, input, () => {
      const made = makeResource(type, input, prior, this.#scope());
      resourcesIn(this.state, typeName)[identifier] = made;
      return identifier;
    });
  }

  /** Starts a deletion and answers the task's id. @throws CloudError */
  startDelete(typeName: string, identifier: string, clientToken: string): string {
    const type = findType(typeName);
    const stored = this.#stored(typeName, identifier);
    const request = { operation: 'DELETE', typeName, clientToken, target: identifier } as const;
    return this.#start(request, stored, () => {
      const scope = this.#scope();
      type.checkDelete?.(stored, scope);
      const users = scope.users(type.row, identifier).map(({ id }) => id);
      if (users.length > 0) throw dependencyViolation(identifier, users);
      for (const other of type.takesAlong?.(stored, scope) ?? []) {
        delete resourcesIn(this.state, other.typeName)[other.identifier];
      }
      const left = type.afterDelete?.(stored, scope);
      if (left === undefined) delete resourcesIn(this.state, typeName)[identifier];
      else resourcesIn(this.state, typeName)[identifier] = left;
      return identifier;
    });
  }

  /** Polls a task; it is done when no polls are left. @throws CloudError */
  poll(taskId: string): Task {
    const task = pollTask(this.state, taskId);
    this.#save();
    return task;
  }

  #make(type: CloudType, input: JsonObject, newId?: string): string {
    return this.#store(type, makeResource(type, input, undefined, this.#scope(), newId));
  }

  #store(type: CloudType, properties: JsonObject): string {
    const identifier = makeIdentifier(type.row, properties);
    resourcesIn(this.state, type.row.cloudType)[identifier] = properties;
    return identifier;
  }

  #read(type: CloudType, stored: JsonObject): JsonObject {
    return this.#asRead(type, readableProperties(type, stored, this.#scope()));
  }

  #asRead(type: CloudType, properties: JsonObject): JsonObject {
    return this.#options.temper?.read(type.row.attributes, properties) ?? properties;
  }

  #start(request: TaskRequest, input: JsonObject, work: () => string): string {
    const { taskPolls, temper } = this.#options;
    const task = { ...request, milliseconds: temper?.milliseconds(request) ?? 0 };
    const { taskId, mutation } = startTask(this.state, task, taskPolls, () => {
      temper?.admit(this.state, request, input);
      return work();
    });
    if (mutation === undefined) return taskId;
    this.#changed();
    this.#options.onMutation?.(mutation);
    return taskId;
  }

  #stored(typeName: string, identifier: string): JsonObject {
    const stored =
      this.state.resources[typeName]?.[identifier] ??
      findType(typeName).implied?.(identifier, this.#scope());
    if (!stored) throw notFound(typeName, identifier);
    return stored;
  }

  #scope(): CloudScope {
    return makeScope(CLOUD_TYPES, this.state, this.#options);
  }

  #changed(): void {
    this.#save();
    this.#options.onChange?.();
  }

  #save(): void {
    saveState(this.#options.file, this.state);
  }
}
