import { setTimeout as sleep } from 'node:timers/promises';
import { isUnsettled, openCandidates } from '../../adopt/candidates.js';
import { findGone } from '../../adopt/find-gone.js';
import { findLeftBehind, type LeftBehind } from '../../adopt/find-left-behind.js';
import type { ManagedObject } from '../../adopt/read-plan.js';
import { isRecognizable } from '../../adopt/recognize.js';
import { type Verdict, verdictOn } from '../../adopt/verdict.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { importBlocks } from '../import-blocks/import-blocks.js';
import type { ImportTarget } from '../import-blocks/import-target.js';
import { type CloudReaders, openReaders } from './cloud-readers.js';
import { describeFound, describeGone, describeGoneProblem, describeProblem } from './describe.js';
import { forgetObjects } from './edit-state.js';
import { takePlace } from './take-place.js';
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
  /** Whether the state forgets every object that the cloud has no more, also those to be kept. */
  readonly forgetGone: boolean;
  /** How long to wait for objects that the cloud is still creating. */
  readonly waitMs: number;
  readonly say: (line: string) => void;
}

/** How many objects a run has taken into the state, and out of it. */
export interface Adopted {
  readonly adopted: number;
  readonly forgotten: number;
}

/** Each round makes known what the objects of the next refer to; no stack has a longer chain. */
const MAX_ROUNDS = 8;
const POLL_MS = 2000;

/**
 * Takes into the state what an interrupted deploy of a stack left in the cloud, as far as it is
 * certain what it is, and out of it what an interrupted delete has left there.
 *
 * @throws ConnectivityError `adopt.ambiguous`, `adopt.unsettled`, after everything else is adopted
 */
export async function adoptStack(stack: TerraformFolder, options: AdoptOptions): Promise<Adopted> {
  const ignored = await readIgnoredChanges(stack.folder);
  const done = { adopted: 0, forgotten: 0 };
  const problems: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const plan = await planStack(stack);
    const readers = openReaders(plan);
    try {
      if (round === 0) {
        const gone = await findGone(plan, readers.readerOf, true);
        const isForgotten = ({ isDeleted }: ManagedObject) => isDeleted || options.forgetGone;
        done.forgotten = await forgetGone(stack, gone.filter(isForgotten), options);
        problems.push(...gone.filter((one) => !isForgotten(one)).map(describeGoneProblem));
        if (done.forgotten > 0) continue;
      }
      const candidatesOf = openCandidates(plan, readers.readerOf);
      const found = await findLeftBehind(plan, readers.readerOf, candidatesOf, ignored);
      const verdicts = found.map((one) => verdictOn(one, options));
      const clear = verdicts.filter((verdict) => verdict.kind === 'adopt');
      for (const { found: left, identifier } of clear) {
        await untilSettled(readers, left, identifier, options);
        const take = left.create.replaces ? takePlace : importObject;
        await take(stack, left.create.address, identifier);
        options.say(describeFound(left, identifier));
        done.adopted += 1;
      }
      const mayFindMore = clear.length > 0 && !plan.creates.every(isRecognizable);
      if (!mayFindMore) {
        throwProblems([...problems, ...describeProblems(verdicts)]);
        return done;
      }
    } finally {
      await readers.close();
    }
  }
  return done;
}

async function forgetGone(
  stack: TerraformFolder,
  gone: readonly ManagedObject[],
  { say }: AdoptOptions,
): Promise<number> {
  if (gone.length > 0) await forgetObjects(stack, gone);
  for (const one of gone) say(describeGone(one));
  return gone.length;
}

/**
 * Import blocks for what is certain, and a comment for what is not, or has no import block. What refers to an object that is
 * not adopted yet is found only after that.
 */
export async function findAdoptable(
  stack: TerraformFolder,
  options: AdoptOptions,
): Promise<string> {
  const { found, gone } = await lookForLeftBehind(stack);
  const verdicts = found.map((one) => verdictOn(one, options));
  const adopted = verdicts.filter((verdict) => verdict.kind === 'adopt');
  const targets = adopted
    .filter(({ found: { create } }) => !create.replaces)
    .map(({ found: { create }, identifier }) => ({ address: create.address, id: identifier }));
  const replacing = adopted.filter(({ found: { create } }) => create.replaces);
  const comments = [
    ...replacing.map((verdict) => describeFound(verdict.found, verdict.identifier)),
    ...gone.map(describeGone),
    ...describeProblems(verdicts),
  ].map((text) => `# ${text}\n`);
  const addresses = targets.map(({ address }) => address);
  return [importBlocks(addresses, targets), ...comments].filter((text) => text !== '').join('\n');
}

export interface LookedFor {
  readonly found: readonly LeftBehind[];
  /** What the deploy would delete, and the cloud has no more. */
  readonly gone: readonly ManagedObject[];
}

/** What a deploy would make again, or fail to delete again, without a change of anything. */
export async function lookForLeftBehind(stack: TerraformFolder): Promise<LookedFor> {
  const plan = await planStack(stack);
  const isAnyDeleted = plan.managed.some(({ isDeleted }) => isDeleted);
  if (plan.creates.length === 0 && !isAnyDeleted) return { found: [], gone: [] };
  const readers = openReaders(plan);
  try {
    const candidatesOf = openCandidates(plan, readers.readerOf);
    const ignored = await readIgnoredChanges(stack.folder);
    return {
      found: await findLeftBehind(plan, readers.readerOf, candidatesOf, ignored),
      gone: await findGone(plan, readers.readerOf, false),
    };
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

function describeProblems(verdicts: readonly Verdict[]): string[] {
  return verdicts.filter((verdict) => verdict.kind !== 'adopt').map(describeProblem);
}

function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConnectivityError('adopt.ambiguous', problems.join('\n'));
}
