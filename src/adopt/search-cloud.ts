import {
  type CloudObject,
  type CloudReader,
  explainCall,
  openCloudReader,
} from '../cloud-control/cloud-reader.js';
import { safeText } from '../codes/redact.js';
import { sayWhileWaiting } from '../progress/waiting.js';
import {
  type FolderOfStack,
  type TerraformFolder,
  terraformCommand,
} from '../terraform/terraform-folder.js';
import { findGone, findLeftBehind, type LeftBehind, readStatus } from './find-left-behind.js';
import { type ImportTarget, importBlocks } from './import-blocks.js';
import { type ManagedObject, planStack, type StackPlan } from './plan-stack.js';
import { applyChoices, type Difference, type Verdict, verdictOn } from './verdict.js';

/**
 * Import blocks for what is certain, and a comment for what is not, or has no import block. What refers
 * to an object that is not adopted yet is found only after that.
 */
export async function findAdoptable(
  stack: TerraformFolder,
  chosen: readonly ImportTarget[],
): Promise<string> {
  const { found, gone } = await search(await planStack(stack), chosen);
  const verdicts = found.map((one) => verdictOn(one, chosen));
  const targets = verdicts.flatMap((verdict) =>
    verdict.kind === 'adopt'
      ? [{ address: verdict.found.create.address, id: verdict.identifier }]
      : [],
  );
  const texts = [...gone.map(describeGone), ...describeProblems(verdicts, stack)];
  const addresses = targets.map(({ address }) => address);
  const blocks = importBlocks(addresses, targets);
  return [blocks, ...texts.map((text) => `# ${text}\n`)].filter((text) => text !== '').join('\n');
}

/** Finds what the state has and the cloud has no more, and the other way round. */
export async function search(plan: StackPlan, chosen: readonly ImportTarget[]) {
  const readers = openReaders(plan);
  try {
    const gone = await findGone(plan, readers.readerOf, false);
    return { gone, found: await findInCloud(plan, readers, chosen) };
  } finally {
    await readers.close();
  }
}

/** Finds objects that are in the cloud and not in the state, with those that the user chose. */
export async function findInCloud(
  plan: StackPlan,
  { readerOf }: CloudReaders,
  chosen: readonly ImportTarget[],
): Promise<LeftBehind[]> {
  return applyChoices(plan, await findLeftBehind(plan, readerOf), chosen, readerOf);
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
    first: (type) => call(`ListResources of ${type}`, () => reader.first(type)),
    get: (type, id) => call(`GetResource of ${type} ${id}`, () => reader.get(type, id)),
  };
}

/** Says which calls are waited for, in one line however many are made at once. */
export class PendingCalls {
  readonly #calls = new Set<string>();
  readonly #waiting = sayWhileWaiting(() =>
    this.#calls.size === 0
      ? undefined
      : `secure-connectivity: waiting for ${[...this.#calls].join(', ')}`,
  );

  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.#calls.add(what);
    if (this.#calls.size === 1) this.#waiting.heard();
    try {
      return await work();
    } finally {
      this.#calls.delete(what);
      if (this.#calls.size > 0) this.#waiting.heard();
      else this.#waiting.end();
    }
  }
}

/** One line for an object that is adopted. */
export function describeFound({ create, objects }: LeftBehind, identifier: string): string {
  const object = objects.find((one) => one.identifier === identifier);
  return `${create.address} is ${object ? describeObject(object) : identifier}`;
}

/** One line for what a deploy would create again. */
export function describeRepeated({ create, objects }: LeftBehind): string {
  const made = `${create.address} is ${objects.map(describeObject).join('; ')}`;
  const { replaced } = create;
  return replaced.length === 0 ? made : `${made}, made to replace ${replaced.join(' and ')}`;
}

/** One line for an object of the state that the cloud does not have. */
export function describeGone({ address, identifier }: ManagedObject): string {
  return `${address} was ${identifier}, which no longer exists in the cloud`;
}

/** @param beside the objects that the state has at the same address, and the cloud as well */
export function describeGoneProblem(
  gone: ManagedObject,
  beside: readonly ManagedObject[],
  stack: FolderOfStack,
): string {
  const { address } = gone;
  const remove = `${describeGone(gone)}. Remove it from the state with: ${terraformCommand(stack, 'state', 'rm', address)}`;
  const [kept] = beside;
  return kept === undefined
    ? `${remove}; the next deploy creates it again, and destroy skips it`
    : `${remove} && ${terraformCommand(stack, 'import', address, kept.identifier)}, because Terraform forgets ${kept.identifier} at the same address as well`;
}

/** Describes objects that are not adopted, each with its remedy. */
export function describeProblems(verdicts: readonly Verdict[], stack: FolderOfStack): string[] {
  return verdicts.flatMap((verdict) => {
    const { address } = verdict.found.create;
    switch (verdict.kind) {
      case 'several':
        return `${address}: ${verdict.objects.length} objects carry its mark: ${verdict.objects.map(describeObject).join('; ')}. Choose one with --id ${address}=ID and delete the others in the cloud's console`;
      case 'replacing':
        return `${describeRepeated(verdict.found)}. ${replacingRemedy(verdict.found, stack)}`;
      case 'differs':
        return `${address}: ${verdict.identifier} differs from what is planned: ${verdict.differences.map(describeDifference).join('; ')}. ${differsRemedy(verdict, stack)}`;
      default:
        return [];
    }
  });
}

function replacingRemedy(
  { create: { address, replaced }, objects }: LeftBehind,
  stack: FolderOfStack,
): string {
  const made = objects[0]?.identifier ?? '';
  const [former, all] = [replaced.join(' and '), objects.map(({ identifier }) => identifier)];
  const [forget, take] = [
    terraformCommand(stack, 'state', 'rm', address),
    terraformCommand(stack, 'import', address, made),
  ];
  return `Delete ${all.join(' and ')} in the cloud's console and deploy again; or keep ${made} with: ${forget} && ${take}, then deploy, delete ${former} in the console, which Terraform has then forgotten, and deploy once more to delete what ${former} was using`;
}

function differsRemedy(
  { differences, identifier, found }: Verdict & { kind: 'differs' },
  stack: FolderOfStack,
): string {
  return differences.some(({ replaces }) => replaces)
    ? `Terraform would replace it: delete ${identifier} in the cloud's console, or restore the configuration that was being deployed`
    : `Import it with: ${terraformCommand(stack, 'import', found.create.address, identifier)}; the next deploy changes it in place`;
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
