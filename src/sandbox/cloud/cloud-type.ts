import { type Attribute, cloudName, type ResourceRow, type Row } from '../../cloud/table/row.js';
import { type JsonObject, readObjects, readText } from '../json.js';
import { type CloudPlace, type Direction, SANDBOX_PLACE } from '../surroundings.js';
import { danglingReference } from './cloud-error.js';
import { type CloudState, findResource, listResources, newId, newNumber } from './cloud-state.js';

/** The states of a connection to an endpoint service that last; the ones between are passed at once. */
export type ConnectionStatus = 'PendingAcceptance' | 'Connected' | 'Rejected' | 'Failed';

interface User {
  readonly id: string;
  readonly properties: JsonObject;
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
  /** Properties that the cloud keeps: when a resource was made, and when it was last changed. */
  readonly times?: readonly [created: string, changed?: string];
  /**
   * The type that each property refers to, `Zones/SubnetId` that of every member of `Zones`. What is
   * referred to must be there, and cannot be deleted.
   */
  readonly references?: { readonly [path: string]: ResourceRow };
  /** Tells whether a property refers to something. @default - if it is given */
  refers?(holder: JsonObject, property: string): boolean;
  /** The id of a new resource. @default - its creator gives it */
  newId?(cloud: CloudScope): string;
  /**
   * The whole resource after a create or an update, but for its id and times. References that are
   * not looked up here are checked afterwards.
   *
   * @param input holds the defaults of what was not given
   * @throws CloudError where a reference or a value is not acceptable
   */
  make(input: JsonObject, making: Making, cloud: CloudScope): JsonObject;
  /** @throws CloudError where something else than a reference keeps a resource from being deleted */
  checkDelete?(properties: JsonObject, cloud: CloudScope): void;
  /** Returns what a deletion leaves under the identifier; without it, nothing. */
  afterDelete?(properties: JsonObject, cloud: CloudScope): JsonObject;
  /** Resources of other types that a deletion takes along. */
  takesAlong?(properties: JsonObject, cloud: CloudScope): readonly ResourceName[];
  /** Returns an object that the cloud makes together with another one. */
  implied?(identifier: string, cloud: CloudScope): JsonObject | undefined;
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

interface Reference {
  readonly property: string;
  readonly row: ResourceRow;
  readonly identifier: string;
}

function findReferences(
  { references = {}, refers }: CloudType,
  properties: JsonObject,
): Reference[] {
  return Object.entries(references).flatMap(([path, row]) => {
    const [first = '', member] = path.split('/');
    const property = member ?? first;
    const holders = member === undefined ? [properties] : readObjects(properties, first);
    return holders
      .filter((holder) => refers?.(holder, property) ?? true)
      .flatMap((holder) => holder[property] ?? [])
      .map((identifier) => ({ property, row, identifier: String(identifier) }));
  });
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
  for (const { row, property, identifier } of findReferences(type, made)) {
    if (identifier !== id) referenced(cloud, row, property, identifier);
  }
  return made;
}

/** The cloud's defaults for every type that has the property. */
const COMMON_DEFAULTS: JsonObject = { description: '', project_name: 'default', tags: [] };

/** Returns what the cloud fills in where nothing is given, as far as the table knows it or most types have it. */
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
  /** While not, connections of endpoints wait for acceptance. @default - they are accepted */
  readonly acceptsConnections?: () => boolean;
  /** Tells whether a security group is seen with a rule that drops everything. @default - never */
  readonly isShut?: (state: CloudState, group: string, direction: Direction) => boolean;
  /** Tells whether a new security group keeps the platform's rule beside its own. @default - it does not */
  readonly keepsDefaultRule?: () => boolean;
  /** Overrides the status of every connection to an endpoint service of the enterprise. */
  readonly connectionStatus?: () => ConnectionStatus | undefined;
}

/** Questions that a resource type may ask of the cloud around it. */
export type CloudScope = Readonly<ReturnType<typeof makeScope>>;

export function makeScope(types: readonly CloudType[], state: CloudState, options: ScopeOptions) {
  return {
    place: options.place ?? SANDBOX_PLACE,
    acceptsConnections: options.acceptsConnections?.() ?? true,
    connectionStatus: options.connectionStatus?.(),
    keepsDefaultRule: options.keepsDefaultRule?.() ?? false,
    isShut: (group: string, direction: Direction) =>
      options.isShut?.(state, group, direction) ?? false,
    find: (row: ResourceRow, identifier: string) => findResource(state, row, identifier),
    all: (row: ResourceRow) => listResources(state, row),
    /**
     * Lists the other users of a resource. @param by the type of its users; every type, if not
     * given
     */
    users: (row: ResourceRow, identifier: string, by?: ResourceRow): User[] => {
      const isThis = (reference: Reference) =>
        reference.row === row && reference.identifier === identifier;
      return types
        .filter((type) => by === undefined || type.row === by)
        .flatMap((type) =>
          listResources(state, type.row)
            .filter((properties) => findReferences(type, properties).some(isThis))
            .map((properties) => ({ id: readText(properties, idName(type.row)), properties })),
        )
        .filter(({ id }) => id !== identifier);
    },
    /** A new identifier: `vpc-` and hexadecimal digits. */
    newId: (prefix: string) => newId(state, prefix),
    /** A new identifier of a type that has numbers. */
    newNumber: () => newNumber(state),
    /** The current time as the cloud writes it: ISO 8601. */
    now: () => new Date().toISOString(),
  };
}
