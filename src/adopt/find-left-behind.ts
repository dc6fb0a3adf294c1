import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
import { type CandidatesOf, readStatus } from './candidates.js';
import type { PlannedCreate, StackPlan } from './read-plan.js';
import { isRecognizable, plannedIdentifier, recognize } from './recognize.js';

/** A planned resource whose object is in the cloud already. */
export interface LeftBehind {
  readonly create: PlannedCreate;
  /** All that are recognized as it, with their properties: one, unless it was made twice. */
  readonly objects: readonly CloudObject[];
  /** Attributes whose changes the stack ignores. */
  readonly ignored: ReadonlySet<string>;
}

/** What an accepted connection may be; before, it waits under the same identifier. */
const ACCEPTED = new Set(['Connected', 'Connecting']);

/**
 * Finds what an interrupted deploy left in the cloud and not in the state: for each resource that the
 * plan would create, the objects that are recognized as it.
 *
 * @param ignored the attributes whose changes the stack ignores, by address
 */
export async function findLeftBehind(
  { creates }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
  candidatesOf: CandidatesOf,
  ignored: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<LeftBehind[]> {
  const found: LeftBehind[] = [];
  for (const create of creates.filter(isRecognizable)) {
    const identifier = plannedIdentifier(create);
    const objects =
      identifier === undefined
        ? await pickObjects(create, candidatesOf)
        : await pickConnection(await readerOf(create.provider), create, identifier);
    if (objects.length === 0) continue;
    found.push({ create, objects, ignored: ignored.get(create.address) ?? new Set() });
  }
  return found;
}

async function pickObjects(
  create: PlannedCreate,
  candidatesOf: CandidatesOf,
): Promise<CloudObject[]> {
  const { listed, read } = await candidatesOf(create.provider, create.row.cloudType);
  const possible = listed.filter((object) => recognize(create, object) !== 'no');
  const objects = await read(possible.map(({ identifier }) => identifier));
  return objects.filter((object) => recognize(create, object) === 'yes');
}

async function pickConnection(
  reader: CloudReader,
  create: PlannedCreate,
  identifier: string,
): Promise<CloudObject[]> {
  const object = await reader.get(create.row.cloudType, identifier);
  return object !== undefined && ACCEPTED.has(readStatus(object)) ? [object] : [];
}
