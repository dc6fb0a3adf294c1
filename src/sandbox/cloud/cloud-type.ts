import { type Attribute, cloudName, type ResourceRow, type Row } from '../../cloud/table/row.js';
import { type JsonObject, readText } from '../json.js';
import { danglingReference } from './cloud-error.js';
import { type CloudState, findResource, listResources, newId, newNumber } from './cloud-state.js';
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
  find(row: ResourceRow, identifier: string): JsonObject | undefined;
  all(row: ResourceRow): JsonObject[];
  /** A new identifier: `vpc-` and hexadecimal digits. */
  newId(prefix: string): string;
  /** A new identifier of a type that has numbers. */
  newNumber(): string;
  /** The current time as the cloud writes it: ISO 8601. */
  now(): string;
}

interface ResourceName {
  readonly typeName: string;
  readonly identifier: string;
}

/** The resource that a create or an update makes. */
interface Making {
  /** The first of the properties that make its identifier. */
  readonly id: string;
  /** The resource before an update. */
  readonly prior: JsonObject | undefined;
}

/** The cloud's rules for one resource type. What the table says is checked before they are asked. */
export interface CloudType {
  readonly row: ResourceRow;
  /** Members of nested objects that only the cloud fills in, by the property that holds them. */
  readonly readOnlyMembers?: { readonly [property: string]: readonly string[] };
  /** Properties that the cloud keeps: when a resource was made, and when it was last changed. */
  readonly times?: readonly [created: string, changed?: string];
  /** The id of a new resource. @default - its creator gives it */
  newId?(cloud: CloudScope): string;
  /**
   * The whole resource after a create or an update, but for its id and times.
   *
   * @param input holds the defaults of what was not given
   * @throws CloudError where a reference or a value is not acceptable
   */
  make(input: JsonObject, making: Making, cloud: CloudScope): JsonObject;
  /** The identifiers of what uses a resource, which then cannot be deleted. @default - nothing ever does */
  findUsers?(properties: JsonObject, cloud: CloudScope): readonly string[];
  /** What a deletion leaves under the identifier; without it, nothing. */
  afterDelete?(properties: JsonObject, cloud: CloudScope): JsonObject;
  /** Resources of other types that a deletion takes along. */
  takesAlong?(properties: JsonObject, cloud: CloudScope): readonly ResourceName[];
  /** Properties that other resources determine, merged over the stored ones at every read. */
  read?(properties: JsonObject, cloud: CloudScope): JsonObject;
}

/** The resource that a property refers to. @throws CloudError where there is none */
export function referenced(
  cloud: CloudScope,
  row: ResourceRow,
  property: string,
  identifier: string,
): JsonObject {
  const found = cloud.find(row, identifier);
  if (!found) throw danglingReference(property, identifier);
  return found;
}

/** The ids of the resources of a type that use something. */
export function users(
  cloud: CloudScope,
  row: ResourceRow,
  uses: (properties: JsonObject) => boolean,
): string[] {
  const found = cloud.all(row).filter(uses);
  return found.map((properties) => readText(properties, idName(row)));
}

function idName({ importId: [name = ''] }: Row): string {
  return name;
}

export function makeIdentifier({ importId }: Row, properties: JsonObject): string {
  return importId.map((name) => String(properties[name])).join('|');
}

/**
 * The whole resource after a create (`prior` is undefined) or an update.
 *
 * @param newId of a new resource. @default - as its type makes it
 * @throws CloudError where a reference or a value is not acceptable
 */
export function makeResource(
  type: CloudType,
  input: JsonObject,
  prior: JsonObject | undefined,
  cloud: CloudScope,
  newId?: string,
): JsonObject {
  const name = idName(type.row);
  const id = readText(prior, name) || (newId ?? type.newId?.(cloud) ?? readText(input, name));
  const given = { ...defaultProperties(type.row), ...input };
  const made = { ...type.make(given, { id, prior }, cloud), [name]: id };
  const [created, changed] = type.times ?? [];
  if (created !== undefined) made[created] = prior?.[created] ?? cloud.now();
  if (changed !== undefined) made[changed] = cloud.now();
  return made;
}

/** What the cloud gives every type that has it. */
const COMMON_DEFAULTS: JsonObject = { description: '', project_name: 'default', tags: [] };

/** What the cloud fills in where nothing is given, as far as the table knows it or most types have it. */
function defaultProperties({ attributes }: Row): JsonObject {
  const defaults: JsonObject = {};
  for (const [name, attribute] of Object.entries<Attribute>(attributes)) {
    const value = attribute.default ?? attribute.cloudDefault ?? COMMON_DEFAULTS[name];
    const isFilledIn = attribute.mode !== 'computed' && value !== undefined;
    if (isFilledIn) defaults[cloudName(name, attribute)] = value;
  }
  return defaults;
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
    find: (row, identifier) => findResource(state, row, identifier),
    all: (row) => listResources(state, row),
    newId: (prefix) => newId(state, prefix),
    newNumber: () => newNumber(state),
    now: () => new Date().toISOString(),
  };
}
