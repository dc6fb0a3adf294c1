import { CLOUD_PROVIDER } from '../cloud/table/index.js';
import type { CloudReader } from '../cloud-control/cloud-reader.js';
import type { ManagedObject, StackPlan } from './read-plan.js';

/** How many objects are read at once. */
const PARALLEL = 8;

/**
 * Finds what the state has and the cloud has no more: an interrupted delete has ended, and the provider
 * fails on another one, whenever it is tried. Where the cloud has nothing of the stack at all, nothing
 * is taken for gone, for these may be the credentials of another account.
 *
 * @param all whether to look at every object of the state, and not only at what the plan deletes
 */
export async function findGone(
  { managed, providers }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
  all: boolean,
): Promise<ManagedObject[]> {
  const keys = [...providers.keys()].filter((key) => key.split('.')[0] === CLOUD_PROVIDER.name);
  const readers = await Promise.all(keys.map(readerOf));
  const isThere = async ({ cloudType, identifier }: ManagedObject) => {
    const found = await Promise.all(readers.map((reader) => reader.get(cloudType, identifier)));
    return found.some((object) => object !== undefined);
  };
  const asked = managed.filter(({ isDeleted }) => all || isDeleted);
  const gone: ManagedObject[] = [];
  for (let at = 0; at < asked.length; at += PARALLEL) {
    const batch = asked.slice(at, at + PARALLEL);
    const there = await Promise.all(batch.map(isThere));
    gone.push(...batch.filter((_, index) => there[index] === false));
  }
  if (gone.length === 0 || gone.length < asked.length) return gone;
  for (const other of managed.filter((object) => !asked.includes(object))) {
    if (await isThere(other)) return gone;
  }
  return [];
}
