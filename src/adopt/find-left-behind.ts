import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
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

/** How many objects are read at once. */
const PARALLEL = 8;

/** What an accepted connection may be; before, it waits under the same identifier. */
const ACCEPTED = new Set(['Connected', 'Connecting']);

const GOING = /^delet/i;

/**
 * Finds what an interrupted deploy left in the cloud and not in the state: for each resource that the
 * plan would create, the objects that are recognized as it.
 *
 * @param ignored the attributes whose changes the stack ignores, by address
 */
export async function findLeftBehind(
  { creates, managed }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
  ignored: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<LeftBehind[]> {
  const lists = new Map<string, Promise<Candidates>>();
  const found: LeftBehind[] = [];
  for (const create of creates.filter(isRecognizable)) {
    const { cloudType } = create.row;
    const reader = await readerOf(create.provider);
    const isManaged = (id: string) => managed.get(cloudType)?.has(id) === true;
    const key = `${create.provider} ${cloudType}`;
    const list = lists.get(key) ?? listCandidates(reader, cloudType, isManaged);
    const identifier = plannedIdentifier(create);
    if (identifier === undefined) lists.set(key, list);
    const objects =
      identifier === undefined
        ? await pickObjects(await list, create)
        : await pickConnection(reader, create, identifier);
    if (objects.length === 0) continue;
    found.push({ create, objects, ignored: ignored.get(create.address) ?? new Set() });
  }
  return found;
}

/** Objects of a type that the state does not have; their details are read once, where needed. */
interface Candidates {
  readonly listed: readonly CloudObject[];
  readonly detail: (identifier: string) => Promise<CloudObject | undefined>;
}

async function listCandidates(
  reader: CloudReader,
  cloudType: string,
  isManaged: (identifier: string) => boolean,
): Promise<Candidates> {
  const details = new Map<string, Promise<CloudObject | undefined>>();
  return {
    listed: (await reader.list(cloudType)).filter(({ identifier }) => !isManaged(identifier)),
    detail: (identifier) => {
      const known = details.get(identifier) ?? reader.get(cloudType, identifier);
      details.set(identifier, known);
      return known;
    },
  };
}

async function pickObjects(
  { listed, detail }: Candidates,
  create: PlannedCreate,
): Promise<CloudObject[]> {
  const possible = listed.filter((object) => recognize(create, object) !== 'no');
  const found: CloudObject[] = [];
  for (let at = 0; at < possible.length; at += PARALLEL) {
    const batch = possible.slice(at, at + PARALLEL);
    const read = await Promise.all(batch.map(({ identifier }) => detail(identifier)));
    found.push(
      ...read
        .filter((object) => object !== undefined)
        .filter((object) => recognize(create, object) === 'yes')
        .filter((object) => !GOING.test(readStatus(object))),
    );
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

/** The status as the cloud names it; empty where the type has none. */
export function readStatus({ properties }: CloudObject): string {
  const status = properties.Status ?? properties.ConnectionStatus;
  return typeof status === 'string' ? status : '';
}

/** Whether the cloud is still at work on an object. */
export function isUnsettled(object: CloudObject): boolean {
  return /^(creating|pending|configuring|connecting|provisioning)$/i.test(readStatus(object));
}
