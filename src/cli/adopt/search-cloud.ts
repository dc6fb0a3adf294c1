import { findGone, openCandidates } from '../../adopt/cloud-objects.js';
import { findLeftBehind, type LeftBehind } from '../../adopt/find-left-behind.js';
import { type Breadth, findOrphans, type Orphan } from '../../adopt/find-orphans.js';
import { importBlocks } from '../../adopt/import-blocks.js';
import type { ManagedObject, StackPlan } from '../../adopt/read-plan.js';
import { applyChoices, type Decisions, verdictOn } from '../../adopt/verdict.js';
import {
  type CloudReader,
  explainCall,
  openCloudReader,
} from '../../cloud-control/cloud-reader.js';
import type { TerraformFolder } from '../deploy/run-terraform.js';
import { PendingCalls } from '../program/waiting.js';
import { describeFound, describeGone, describeOrphan, describeProblems } from './describe.js';
import { planStack, readIgnoredChanges } from './terraform-folder.js';

/** What interrupted deploys left in the cloud, and in the state. */
export interface CloudSearch {
  readonly found: readonly LeftBehind[];
  /** What the deploy would delete, and the cloud has no more. */
  readonly gone: readonly ManagedObject[];
  readonly orphans: readonly Orphan[];
  /** Why a type that the stack does not have could not be read. */
  readonly unread: readonly string[];
}

/** The attributes whose changes the stack ignores, by address. */
type Ignored = ReadonlyMap<string, ReadonlySet<string>>;

const NOTHING: CloudSearch = { found: [], gone: [], orphans: [], unread: [] };

/** What a deploy would make again, or fail to delete again; a deploy that does neither reads nothing. */
export async function searchBeforeDeploy(stack: TerraformFolder): Promise<CloudSearch> {
  const ignored = await readIgnoredChanges(stack.folder);
  const plan = await planStack(stack);
  const isAnyDeleted = plan.managed.some(({ isDeleted }) => isDeleted);
  return plan.creates.length === 0 && !isAnyDeleted
    ? NOTHING
    : search(plan, ignored, [], 'types made');
}

/**
 * Import blocks for what is certain, and a comment for what is not, or has no import block. What refers
 * to an object that is not adopted yet is found only after that.
 */
export async function findAdoptable(stack: TerraformFolder, decisions: Decisions): Promise<string> {
  const ignored = await readIgnoredChanges(stack.folder);
  const plan = await planStack(stack);
  const result = await search(plan, ignored, decisions.chosen, 'every type');
  const verdicts = result.found.map((one) => verdictOn(one, decisions));
  const adopted = verdicts.filter((verdict) => verdict.kind === 'adopt');
  const targets = adopted
    .filter(({ found: { create } }) => !create.replaces)
    .map(({ found: { create }, identifier }) => ({ address: create.address, id: identifier }));
  const replacing = adopted.filter(({ found: { create } }) => create.replaces);
  const comments = [
    ...replacing.map(({ found, identifier }) => describeFound(found, identifier)),
    ...result.gone.map(describeGone),
    ...describeProblems(verdicts),
    ...result.orphans.map(describeOrphan),
    ...result.unread,
  ].map((text) => `# ${text}\n`);
  const addresses = targets.map(({ address }) => address);
  return [importBlocks(addresses, targets), ...comments].filter((text) => text !== '').join('\n');
}

async function search(
  plan: StackPlan,
  ignored: Ignored,
  chosen: Decisions['chosen'],
  breadth: Breadth,
): Promise<CloudSearch> {
  const readers = openReaders(plan);
  try {
    const gone = await findGone(plan, readers.readerOf, false);
    return { gone, ...(await findInCloud(plan, readers, ignored, chosen, breadth)) };
  } finally {
    await readers.close();
  }
}

/** What the cloud has and the state does not, with the objects that the user chose. */
export async function findInCloud(
  plan: StackPlan,
  { readerOf }: CloudReaders,
  ignored: Ignored,
  chosen: Decisions['chosen'],
  breadth: Breadth,
): Promise<Omit<CloudSearch, 'gone'>> {
  const candidatesOf = openCandidates(plan, readerOf);
  const recognized = await findLeftBehind(plan, readerOf, candidatesOf, ignored);
  const found = await applyChoices(plan, recognized, chosen, readerOf, ignored);
  const known = [...recognized, ...found].flatMap(({ objects }) =>
    objects.map(({ identifier }) => identifier),
  );
  return { found, ...(await findOrphans(plan, candidatesOf, new Set(known), breadth)) };
}

/** A reader of the cloud for each provider of a stack, opened when it is first asked for. */
export interface CloudReaders {
  readerOf(provider: string): Promise<CloudReader>;
  close(): Promise<void>;
}

/** Every call that fails becomes one error, which names the call and no credential. */
export function openReaders({ providers }: StackPlan): CloudReaders {
  const readers = new Map<string, Promise<CloudReader>>();
  return {
    readerOf(provider) {
      const open = () => openCloudReader(providers.get(provider) ?? {}, process.env);
      const reader =
        readers.get(provider) ??
        explainCall('the credentials', open).then((opened) =>
          explaining(opened, new PendingCalls()),
        );
      readers.set(provider, reader);
      return reader;
    },
    async close() {
      const opened = await Promise.allSettled(readers.values());
      await Promise.all(
        opened.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)),
      );
    },
  };
}

function explaining(reader: CloudReader, pending: PendingCalls): CloudReader {
  const call = <T>(what: string, work: () => Promise<T>) =>
    pending.during(what, () => explainCall(what, work));
  return {
    close: () => reader.close(),
    list: (type) => call(`ListResources of ${type}`, () => reader.list(type)),
    probe: (type) => call(`ListResources of ${type}`, () => reader.probe(type)),
    get: (type, id) => call(`GetResource of ${type} ${id}`, () => reader.get(type, id)),
  };
}
