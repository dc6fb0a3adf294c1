import { sameValue } from '../cloud/table/compare.js';
import { markPlace, readDescriptionMark, readMark } from '../cloud/table/mark.js';
import { type Attributes, cloudName } from '../cloud/table/row.js';
import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
import { groupBy } from '../lists/group-by.js';
import { mapLimited } from '../lists/map-limited.js';
import {
  cloudProviders,
  type ManagedObject,
  type PlannedCreate,
  type StackPlan,
} from './plan-stack.js';

/** A planned resource whose object is in the cloud already. */
export interface LeftBehind {
  readonly create: PlannedCreate;
  /** All that are recognized as it, with their properties: one, unless it was made twice. */
  readonly objects: readonly CloudObject[];
}

const GOING = /^delet/i;

/**
 * The result of comparing an object with the one that is looked for; `unknown` if too little of it
 * was read.
 */
type Recognized = 'yes' | 'no' | 'unknown';

/** The statuses of an accepted connection; before, it waits under the same identifier. */
const ACCEPTED = new Set(['Connected', 'Connecting']);

/**
 * Finds what an interrupted deploy left in the cloud and not in the state: for each resource that the
 * plan would create, the objects that are recognized as it.
 */
export async function findLeftBehind(
  { creates, managed }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
): Promise<LeftBehind[]> {
  const found: LeftBehind[] = [];
  const ofType = groupBy(
    creates.filter(isRecognizable),
    ({ provider, row }) => `${provider} ${row.cloudType}`,
  );
  for (const alike of ofType.values()) {
    const reader = await readerOf(alike[0].provider);
    const unnamed = alike.filter((create) => plannedIdentifier(create) === undefined);
    const candidates = await readCandidates(reader, unnamed, managed);
    for (const create of alike) {
      const identifier = plannedIdentifier(create);
      const objects =
        identifier === undefined
          ? candidates.filter((object) => recognize(create, object) === 'yes')
          : await pickConnection(reader, create, identifier);
      if (objects.length > 0) found.push({ create, objects });
    }
  }
  return found;
}

/** Reads the objects of a type that one of its creates may be and the state does not have, each once. */
async function readCandidates(
  reader: CloudReader,
  creates: readonly PlannedCreate[],
  managed: readonly ManagedObject[],
): Promise<CloudObject[]> {
  const [first] = creates;
  if (first === undefined) return [];
  const { cloudType } = first.row;
  const held = managed.filter((one) => one.cloudType === cloudType);
  const ids = new Set(held.map(({ identifier }) => identifier));
  const possible = (await reader.list(cloudType)).filter(
    (object) =>
      !ids.has(object.identifier) && creates.some((create) => recognize(create, object) !== 'no'),
  );
  // A list may say little of an object.
  const whole = await mapLimited(possible, PARALLEL, ({ identifier }) =>
    reader.get(cloudType, identifier),
  );
  return whole
    .filter((object) => object !== undefined)
    .filter((object) => !GOING.test(readStatus(object)));
}

async function pickConnection(
  reader: CloudReader,
  create: PlannedCreate,
  identifier: string,
): Promise<CloudObject[]> {
  const object = await reader.get(create.row.cloudType, identifier);
  return object !== undefined && ACCEPTED.has(readStatus(object)) ? [object] : [];
}

/**
 * Tells whether an object is the one that a plan would create: by the mark where the type carries one; else
 * by all that the type requires, which for a record is zone, host, type and value.
 */
export function recognize({ row, values }: PlannedCreate, { properties }: CloudObject): Recognized {
  const place = markPlace(row);
  if (place === undefined) return recognizeByReferences(row.attributes, values, properties);
  const isTags = place === 'tags';
  const read = isTags ? readTagMark : readDescriptionMark;
  const wanted = read(isTags ? values.tags : values.description);
  if (wanted === undefined) return 'no';
  const actual = isTags ? properties.Tags : properties.Description;
  if (actual === undefined) return 'unknown';
  return read(actual) === wanted ? 'yes' : 'no';
}

function readTagMark(tags: unknown): string | undefined {
  const { stack, address } = readMark(tags);
  return stack === undefined || address === undefined ? undefined : `${stack} ${address}`;
}

/** Tells whether enough is known of a planned resource to recognize its object. */
export function isRecognizable({ row, values }: PlannedCreate): boolean {
  if (markPlace(row) !== undefined) return true;
  return required(row.attributes).every((name) => values[name] !== undefined);
}

/** The identifier, where it is made of what is planned: an accepted connection's. */
export function plannedIdentifier({ row, values }: PlannedCreate): string | undefined {
  const byProperty = new Map(
    Object.entries(row.attributes).map(([name, facts]) => [cloudName(name, facts), values[name]]),
  );
  const parts = row.importId.map((property) => byProperty.get(property));
  return parts.every((part) => typeof part === 'string') ? parts.join('|') : undefined;
}

function recognizeByReferences(
  attributes: Attributes,
  values: PlannedCreate['values'],
  properties: CloudObject['properties'],
): Recognized {
  const names = required(attributes);
  const actual = names.map((name) => properties[cloudName(name, attributes[name])]);
  const isOther = (name: string, one: unknown) =>
    one !== undefined && !sameValue(attributes[name], values[name], one);
  if (names.some((name, index) => isOther(name, actual[index]))) return 'no';
  return actual.includes(undefined) ? 'unknown' : 'yes';
}

function required(attributes: Attributes): string[] {
  return Object.entries(attributes)
    .filter(([, { mode }]) => mode === 'required')
    .map(([name]) => name);
}

/** The status as the cloud names it; empty where the type has none. */
export function readStatus({ properties }: CloudObject): string {
  const status = properties.Status ?? properties.ConnectionStatus;
  return typeof status === 'string' ? status : '';
}

/** Tells whether the cloud is still at work on an object. */
export function isUnsettled(object: CloudObject): boolean {
  return /^(creating|pending|configuring|connecting|provisioning)$/i.test(readStatus(object));
}

/** The number of objects that are read at once. */
const PARALLEL = 8;

/**
 * Finds what the state has and the cloud has no more: an interrupted delete has ended, and the provider
 * fails on another one, whenever it is tried. Where the cloud has nothing of the stack at all, nothing
 * is taken for gone, for these may be the credentials of another account.
 *
 * @param all whether to look at every object of the state, and not only at what the plan deletes
 */
export async function findGone(
  plan: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
  all: boolean,
): Promise<ManagedObject[]> {
  const { managed } = plan;
  const readers = await Promise.all(cloudProviders(plan).map(readerOf));
  const isThere = async ({ cloudType, identifier }: ManagedObject) => {
    const found = await Promise.all(readers.map((reader) => reader.get(cloudType, identifier)));
    return found.some((object) => object !== undefined);
  };
  const asked = managed.filter(({ isDeleted }) => all || isDeleted);
  const there = await mapLimited(asked, PARALLEL, isThere);
  const gone = asked.filter((_, index) => there[index] === false);
  if (gone.length === 0 || gone.length < asked.length) return gone;
  for (const other of managed.filter((object) => !asked.includes(object))) {
    if (await isThere(other)) return gone;
  }
  return [];
}
