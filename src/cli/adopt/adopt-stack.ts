import { setTimeout as sleep } from 'node:timers/promises';
import { findLeftBehind, isUnsettled, type LeftBehind } from '../../adopt/find-left-behind.js';
import { isRecognizable } from '../../adopt/recognize.js';
import { type Verdict, verdictOn } from '../../adopt/verdict.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { importBlocks } from '../import-blocks/import-blocks.js';
import type { ImportTarget } from '../import-blocks/import-target.js';
import { type CloudReaders, openReaders } from './cloud-readers.js';
import { describeFound, describeProblem } from './describe.js';
import {
  importObject,
  planStack,
  readIgnoredChanges,
  type TerraformFolder,
} from './terraform-folder.js';

export interface AdoptOptions {
  /** Objects that are chosen where several are found, or none is recognized. */
  readonly chosen: readonly ImportTarget[];
  /** Whether an object may differ from what is planned, as far as it is changed in place. */
  readonly withDifferences: boolean;
  /** How long to wait for objects that the cloud is still creating. */
  readonly waitMs: number;
  readonly say: (line: string) => void;
}

/** Each round makes known what the objects of the next refer to; no stack has a longer chain. */
const MAX_ROUNDS = 8;
const POLL_MS = 2000;

/**
 * Takes into the state what an interrupted deploy of a stack left in the cloud, as far as it is
 * certain what it is.
 *
 * @returns how many objects are adopted
 * @throws ConnectivityError `adopt.ambiguous`, `adopt.unsettled`, after everything else is adopted
 */
export async function adoptStack(stack: TerraformFolder, options: AdoptOptions): Promise<number> {
  const ignored = await readIgnoredChanges(stack.folder);
  let adopted = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const plan = await planStack(stack);
    const readers = openReaders(plan);
    try {
      const found = await findLeftBehind(plan, readers.readerOf, ignored);
      const verdicts = found.map((one) => verdictOn(one, options));
      const clear = verdicts.filter((verdict) => verdict.kind === 'adopt');
      for (const { found: left, identifier } of clear) {
        await untilSettled(readers, left, identifier, options);
        await importObject(stack, left.create.address, identifier);
        options.say(describeFound(left, identifier));
        adopted += 1;
      }
      const mayFindMore = clear.length > 0 && !plan.creates.every(isRecognizable);
      if (!mayFindMore) {
        throwProblems(verdicts);
        return adopted;
      }
    } finally {
      await readers.close();
    }
  }
  return adopted;
}

/**
 * Import blocks for what is certain, and a comment for what is not. What refers to an object that is
 * not adopted yet is found only after that.
 */
export async function findAdoptable(
  stack: TerraformFolder,
  options: AdoptOptions,
): Promise<string> {
  const verdicts = (await lookForLeftBehind(stack)).map((found) => verdictOn(found, options));
  const targets = verdicts.flatMap((verdict) =>
    verdict.kind === 'adopt'
      ? [{ address: verdict.found.create.address, id: verdict.identifier }]
      : [],
  );
  const comments = verdicts.flatMap((verdict) =>
    verdict.kind === 'adopt' ? [] : [`# ${describeProblem(verdict)}\n`],
  );
  const addresses = targets.map(({ address }) => address);
  return [importBlocks(addresses, targets), ...comments].filter((text) => text !== '').join('\n');
}

/** What a deploy would make again, without a change of anything. */
export async function lookForLeftBehind(stack: TerraformFolder): Promise<LeftBehind[]> {
  const plan = await planStack(stack);
  if (plan.creates.length === 0) return [];
  const readers = openReaders(plan);
  try {
    return await findLeftBehind(plan, readers.readerOf, await readIgnoredChanges(stack.folder));
  } finally {
    await readers.close();
  }
}

async function untilSettled(
  readers: CloudReaders,
  { create }: LeftBehind,
  identifier: string,
  { waitMs, say }: AdoptOptions,
): Promise<void> {
  const reader = await readers.readerOf(create.provider);
  const deadline = Date.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const object = await reader.get(create.row.cloudType, identifier);
    if (object === undefined || !isUnsettled(object)) return;
    if (Date.now() > deadline) {
      throw new ConnectivityError(
        'adopt.unsettled',
        `${create.address}: the cloud is still creating ${identifier} after ${waitMs / 1000} s; run secure-connectivity adopt again later`,
      );
    }
    if (isFirst) say(`${create.address}: waiting for ${identifier}, which is being created`);
    await sleep(POLL_MS);
  }
}

function throwProblems(verdicts: readonly Verdict[]): void {
  const problems = verdicts.filter((verdict) => verdict.kind !== 'adopt');
  if (problems.length === 0) return;
  throw new ConnectivityError('adopt.ambiguous', problems.map(describeProblem).join('\n'));
}
