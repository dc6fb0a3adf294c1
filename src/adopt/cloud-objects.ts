import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
import { mapLimited } from '../lists/map-limited.js';
import { cloudProviders, type ManagedObject, type StackPlan } from './plan-stack.js';

const GOING = /^delet/i;

/**
 * The result of comparing an object with the one that is looked for; `unknown` if too little of it
 * was read.
 */
export type Recognized = 'yes' | 'no' | 'unknown';

type FindObjects = (recognize: (object: CloudObject) => Recognized) => Promise<CloudObject[]>;

/** Looks among the objects of a type that one provider can read and the state does not have. */
export type FindCandidates = (
  provider: string,
  cloudType: string,
  recognize: (object: CloudObject) => Recognized,
) => Promise<CloudObject[]>;

/** Each object is listed and read once, and read only where the list does not say enough. */
export function openCandidates(
  { managed }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
): FindCandidates {
  const lists = new Map<string, Promise<FindObjects>>();
  return async (provider, cloudType, recognize) => {
    const key = `${provider} ${cloudType}`;
    const ofType = managed.filter((object) => object.cloudType === cloudType);
    const ids = new Set(ofType.map(({ identifier }) => identifier));
    const list =
      lists.get(key) ?? readerOf(provider).then((reader) => listCandidates(reader, cloudType, ids));
    lists.set(key, list);
    return (await list)(recognize);
  };
}

async function listCandidates(
  reader: CloudReader,
  cloudType: string,
  managed: ReadonlySet<string>,
): Promise<FindObjects> {
  const details = new Map<string, Promise<CloudObject | undefined>>();
  const detail = ({ identifier }: CloudObject) => {
    const known = details.get(identifier) ?? reader.get(cloudType, identifier);
    details.set(identifier, known);
    return known;
  };
  const listed = (await reader.list(cloudType)).filter((object) => !managed.has(object.identifier));
  return async (recognize) => {
    const possible = listed.filter((object) => recognize(object) !== 'no');
    const objects = await mapLimited(possible, PARALLEL, detail);
    return objects
      .filter((object) => object !== undefined)
      .filter((object) => !GOING.test(readStatus(object)) && recognize(object) === 'yes');
  };
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
