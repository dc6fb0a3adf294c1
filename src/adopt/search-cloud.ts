import {
  type CloudObject,
  type CloudReader,
  explainCall,
  openCloudReader,
} from '../cloud-control/cloud-reader.js';
import { safeText } from '../codes/redact.js';
import { PendingCalls } from '../progress/waiting.js';
import type { ChangingStack, TerraformFolder } from '../terraform/terraform-folder.js';
import { findGone, openCandidates, readStatus } from './cloud-objects.js';
import type { Difference } from './compare.js';
import { findLeftBehind, type LeftBehind } from './find-left-behind.js';
import { type Breadth, findOrphans, type Orphan } from './find-orphans.js';
import { importBlocks } from './import-blocks.js';
import { planStack } from './plan-stack.js';
import type { ManagedObject, StackPlan } from './read-plan.js';
import { applyChoices, type Decisions, type Verdict, verdictOn } from './verdict.js';

/** Finds objects that a deploy would create again, or fail to delete; without such a plan, reads nothing. */
export async function searchBeforeDeploy(stack: ChangingStack) {
  const plan = await planStack(stack, stack.planFile);
  const mayRepeat = plan.creates.length > 0 || plan.managed.some(({ isDeleted }) => isDeleted);
  return mayRepeat ? search(plan, [], 'types made') : undefined;
}

/**
 * Import blocks for what is certain, and a comment for what is not, or has no import block. What refers
 * to an object that is not adopted yet is found only after that.
 */
export async function findAdoptable(stack: TerraformFolder, decisions: Decisions): Promise<string> {
  const plan = await planStack(stack);
  const result = await search(plan, decisions.chosen, 'every type');
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

async function search(plan: StackPlan, chosen: Decisions['chosen'], breadth: Breadth) {
  const readers = openReaders(plan);
  try {
    const gone = await findGone(plan, readers.readerOf, false);
    return { gone, ...(await findInCloud(plan, readers, chosen, breadth)) };
  } finally {
    await readers.close();
  }
}

/** Finds objects that are in the cloud and not in the state, with those that the user chose. */
export async function findInCloud(
  plan: StackPlan,
  { readerOf }: CloudReaders,
  chosen: Decisions['chosen'],
  breadth: Breadth,
) {
  const candidatesOf = openCandidates(plan, readerOf);
  const recognized = await findLeftBehind(plan, readerOf, candidatesOf);
  const found = await applyChoices(plan, recognized, chosen, readerOf);
  const known = [...recognized, ...found].flatMap(({ objects }) =>
    objects.map(({ identifier }) => identifier),
  );
  return { found, ...(await findOrphans(plan, candidatesOf, new Set(known), breadth)) };
}

export type CloudReaders = ReturnType<typeof openReaders>;

/**
 * A reader of the cloud for each provider of a stack, opened when it is first asked for. Every call
 * that fails becomes one error, which names the call and no credential.
 */
export function openReaders({ providers }: StackPlan) {
  const readers = new Map<string, Promise<CloudReader>>();
  const open = async (provider: string) => {
    const call = () => openCloudReader(providers.get(provider) ?? {}, process.env);
    return explaining(await explainCall('the credentials', call), new PendingCalls());
  };
  return {
    readerOf: (provider: string): Promise<CloudReader> => {
      const reader = readers.get(provider) ?? open(provider);
      readers.set(provider, reader);
      return reader;
    },
    close: async (): Promise<void> => {
      const isUnopened = () => undefined;
      const opened = await Promise.all([...readers.values()].map((one) => one.catch(isUnopened)));
      await Promise.all(opened.map((reader) => reader?.close()));
    },
  };
}

function explaining(reader: CloudReader, pending: PendingCalls): CloudReader {
  const call = <T>(what: string, work: () => Promise<T>) =>
    pending.during(what, () => explainCall(what, work));
  return {
    close: () => reader.close(),
    pages: (type) => reader.pages(type),
    list: (type) => call(`ListResources of ${type}`, () => reader.list(type)),
    probe: (type) => call(`ListResources of ${type}`, () => reader.probe(type)),
    get: (type, id) => call(`GetResource of ${type} ${id}`, () => reader.get(type, id)),
  };
}

/** One line for an object that is adopted, or would be. */
export function describeFound({ create, objects }: LeftBehind, identifier: string): string {
  const object = objects.find((one) => one.identifier === identifier);
  const replaced = create.replaces ? ', instead of the one in the state' : '';
  return `${create.address} is ${object ? describeObject(object) : identifier}${replaced}`;
}

/** One line for an object of the state that the cloud does not have. */
export function describeGone({ address, identifier }: ManagedObject): string {
  return `${address} was ${identifier}, which no longer exists in the cloud`;
}

export function describeGoneProblem(gone: ManagedObject): string {
  return `${describeGone(gone)}. Remove it from the state with --forget-gone: the next deploy creates it again, and destroy skips it`;
}

/** An object that the stack made once and nothing leads to any more, and what to do. */
export function describeOrphan({ cloudType, object, address, isReplaced }: Orphan): string {
  const mark = `${cloudType} ${describeObject(object)} carries the mark of this stack`;
  const made = address === undefined ? mark : `${mark} for ${address}`;
  return isReplaced
    ? `${made}, but the state has another object for it. Delete it in the cloud's console`
    : `${made}, but the stack has no such resource. Delete it in the cloud's console or, if the resource has a new address, adopt it there with --id ADDRESS=${object.identifier}`;
}

/** Describes objects that are not adopted, each with its remedy. */
export function describeProblems(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap((verdict) => {
    const { address } = verdict.found.create;
    switch (verdict.kind) {
      case 'several':
        return `${address}: ${verdict.objects.length} objects carry its mark: ${verdict.objects.map(describeObject).join('; ')}. Choose one with --id ${address}=ID and delete the others in the cloud's console`;
      case 'differs':
        return `${address}: ${verdict.identifier} differs from what is planned: ${verdict.differences.map(describeDifference).join('; ')}. ${differsRemedy(verdict.differences, verdict.identifier)}`;
      default:
        return [];
    }
  });
}

function differsRemedy(differences: readonly Difference[], identifier: string): string {
  return differences.some(({ replaces }) => replaces)
    ? `Terraform would replace it: delete ${identifier} in the cloud's console, or restore the configuration that was being deployed`
    : 'Adopt it with --with-differences: the next deploy changes it in place';
}

function describeDifference({ attribute, planned, actual, replaces }: Difference): string {
  const note = replaces ? ', which cannot change after creation' : '';
  return `\`${attribute}\` ${shown(planned)} planned, got: ${shown(actual)}${note}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : safeText(JSON.stringify(value));
}

function describeObject(object: CloudObject): string {
  const { identifier, properties } = object;
  const made = properties.CreationTime ?? properties.CreatedTime ?? properties.CreateTime;
  const facts = [
    readStatus(object),
    typeof made === 'string' && made !== '' && `made ${safeText(made)}`,
  ].filter(Boolean);
  return facts.length === 0 ? identifier : `${identifier} (${facts.join(', ')})`;
}
