import { sameValue } from '../cloud/table/compare.js';
import { markPlace, readDescriptionMark, readMark } from '../cloud/table/mark.js';
import { type Attributes, cloudName } from '../cloud/table/row.js';
import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
import { type FindCandidates, type Recognized, readStatus } from './cloud-objects.js';
import type { PlannedCreate, StackPlan } from './plan-stack.js';

/** A planned resource whose object is in the cloud already. */
export interface LeftBehind {
  readonly create: PlannedCreate;
  /** All that are recognized as it, with their properties: one, unless it was made twice. */
  readonly objects: readonly CloudObject[];
}

/** The statuses of an accepted connection; before, it waits under the same identifier. */
const ACCEPTED = new Set(['Connected', 'Connecting']);

/**
 * Finds what an interrupted deploy left in the cloud and not in the state: for each resource that the
 * plan would create, the objects that are recognized as it.
 */
export async function findLeftBehind(
  { creates }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
  findCandidates: FindCandidates,
): Promise<LeftBehind[]> {
  const found: LeftBehind[] = [];
  for (const create of creates.filter(isRecognizable)) {
    const identifier = plannedIdentifier(create);
    const objects =
      identifier === undefined
        ? await findCandidates(create.provider, create.row.cloudType, (object) =>
            recognize(create, object),
          )
        : await pickConnection(await readerOf(create.provider), create, identifier);
    if (objects.length > 0) found.push({ create, objects });
  }
  return found;
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
