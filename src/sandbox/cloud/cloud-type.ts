import type { Row } from '../../cloud/table/index.js';
import { type JsonObject, readText } from '../json.js';
import { danglingReference } from './cloud-error.js';
import { type CloudState, listResources, newId, newNumber } from './cloud-state.js';
import { type CloudPlace, SANDBOX_PLACE } from './region.js';

/** The states of a connection to an endpoint service that last; the ones between are passed at once. */
export type ConnectionStatus = 'PendingAcceptance' | 'Connected' | 'Rejected' | 'Failed';

/** What a resource type may ask of the cloud around it. */
export interface CloudScope {
  readonly place: CloudPlace;
  /** Accepts connections of endpoints; while false they wait for acceptance. */
  readonly acceptsConnections: boolean;
  /** What every connection to an endpoint service of the enterprise is reported as, whatever it is. */
  readonly connectionStatus: ConnectionStatus | undefined;
  find(typeName: string, identifier: string): JsonObject | undefined;
  all(typeName: string): JsonObject[];
  /** A new identifier: `vpc-` and hexadecimal digits. */
  newId(prefix: string): string;
  /** A new identifier of a type that has numbers. */
  newNumber(): number;
  /** The current time as the cloud writes it: ISO 8601. */
  now(): string;
}

interface ResourceName {
  readonly typeName: string;
  readonly identifier: string;
}

/** The cloud's rules for one resource type. What the table says is checked before they are asked. */
export interface CloudType {
  readonly row: Row & { readonly cloudType: string };
  /** Members of nested objects that only the cloud fills in, by the property that holds them. */
  readonly readOnlyMembers?: { readonly [property: string]: readonly string[] };
  /**
   * The whole resource after a create (`prior` is undefined) or an update.
   *
   * @throws CloudError where a reference or a value is not acceptable
   */
  make(input: JsonObject, prior: JsonObject | undefined, cloud: CloudScope): JsonObject;
  /** @throws CloudError `DependencyViolation` while something uses the resource */
  checkDelete(properties: JsonObject, cloud: CloudScope): void;
  /** What a deletion leaves under the identifier; without it, nothing. */
  afterDelete?(properties: JsonObject, cloud: CloudScope): JsonObject;
  /** Resources of other types that a deletion takes along. */
  takesAlong?(properties: JsonObject, cloud: CloudScope): readonly ResourceName[];
  /** Properties that other resources determine, merged over the stored ones at every read. */
  read?(properties: JsonObject, cloud: CloudScope): JsonObject;
}

type CloudRow = Row & { readonly cloudType: string };

/** The resource that a property refers to. @throws CloudError where there is none */
export function referenced(
  cloud: CloudScope,
  row: CloudRow,
  property: string,
  identifier: string,
): JsonObject {
  const found = cloud.find(row.cloudType, identifier);
  if (!found) throw danglingReference(property, identifier);
  return found;
}

/** The identifiers of the resources of a type that use something. */
export function users(
  cloud: CloudScope,
  row: CloudRow,
  idName: string,
  uses: (properties: JsonObject) => boolean,
): string[] {
  return cloud
    .all(row.cloudType)
    .filter(uses)
    .map((properties) => readText(properties, idName));
}

export function makeIdentifier({ row }: CloudType, properties: JsonObject): string {
  return row.importId.map((name) => String(properties[name])).join('|');
}

export interface ScopeOptions {
  /** @default - the sandbox's own */
  readonly place?: CloudPlace;
  /** @default - they are accepted */
  readonly acceptsConnections?: () => boolean;
  /** Overrides the status of every connection to an endpoint service of the enterprise. */
  readonly connectionStatus?: () => ConnectionStatus | undefined;
}

/** What resource types may ask of the cloud around them, as it is now. */
export function makeScope(state: CloudState, options: ScopeOptions): CloudScope {
  return {
    place: options.place ?? SANDBOX_PLACE,
    acceptsConnections: options.acceptsConnections?.() ?? true,
    connectionStatus: options.connectionStatus?.(),
    find: (typeName, identifier) => state.resources[typeName]?.[identifier],
    all: (typeName) => listResources(state, typeName),
    newId: (prefix) => newId(state, prefix),
    newNumber: () => newNumber(state),
    now: () => new Date().toISOString(),
  };
}

/** Gives a resource the identifier that it is to have: a type asks for its own before any other. */
export function namedScope(scope: CloudScope, identifier: string): CloudScope {
  let isGiven = false;
  const once = <T>(own: T, make: () => T): T => {
    if (isGiven) return make();
    isGiven = true;
    return own;
  };
  return {
    ...scope,
    newId: (prefix) => once(identifier, () => scope.newId(prefix)),
    newNumber: () => once(Number(identifier), () => scope.newNumber()),
  };
}
