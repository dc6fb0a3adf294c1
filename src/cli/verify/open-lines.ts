import { once } from 'node:events';
import { createWriteStream, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type Draft, isSpecial, openDraft } from '../../files/whole-file.js';
import { lostOutput, unwritable } from '../program/named-files.js';

/** A write takes a twentieth of the time of a check, however long its text is. */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 64 * 1024;

/**
 * Writes lines together: once they are many, or the first of them has waited long enough.
 *
 * @param write says whether it takes more at once
 * @param isRead the lines are read as they come: one that follows no other closely is written at once
 */
export function gatherLines(write: (text: string) => boolean, isRead = false) {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** Returns what is not written yet, and will not be. */
  const take = (): string => {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    gathered = '';
    return text;
  };
  /** @returns whether more can be added at once */
  const flush = (): boolean => {
    const text = take();
    if (text === '') return true;
    writtenAt = performance.now();
    return write(text);
  };
  /** @returns whether more can be added at once */
  const add = (line: string): boolean => {
    gathered += line;
    const isDue = isRead && performance.now() - writtenAt >= GATHER_MS;
    if (gathered.length >= GATHER_CHARACTERS || isDue) return flush();
    timer ??= setTimeout(flush, GATHER_MS);
    return true;
  };
  return { add, flush, take };
}

/**
 * Opens where lines go to, no faster than they are taken.
 *
 * @param file standard output where it is not given
 * @throws ConnectivityError `usage.invalid` where it cannot be opened
 */
export async function openLines(file: string | undefined) {
  const draft = file === undefined || isSpecial(file) ? undefined : openLinesDraft(file);
  const { stream, settled, isLost } = await openStream(file, draft);
  // Nobody reads a draft before it is whole. On a terminal, each line has to clear the bar first.
  const gathered =
    file === undefined && process.stdout.isTTY
      ? undefined
      : gatherLines((text) => stream.write(text), draft === undefined);
  return {
    /** @throws ConnectivityError `output.lost` */
    write: (line: string): Promise<void> => {
      const takesMore = gathered?.add(line) ?? stream.write(line);
      return settled(takesMore && !stream.writableNeedDrain, 'drain');
    },
    /** Only now a file has the new lines in place of the old ones. */
    end: async (): Promise<void> => {
      gathered?.flush();
      if (file === undefined) return;
      stream.end();
      await settled(stream.writableFinished, 'finish');
      draft?.commit();
    },
    /** Leaves a file as it was. @returns where the lines are that were written nevertheless */
    abandon: (): string | undefined => {
      if (draft === undefined) {
        gathered?.flush();
        return undefined;
      }
      const isKept = !isLost() && appended(draft, gathered?.take() ?? '');
      if (isKept || ('bytesWritten' in stream && stream.bytesWritten > 0)) return draft.path;
      draft.discard();
      return undefined;
    },
  };
}

/** @throws ConnectivityError `usage.invalid` where it cannot be opened */
async function openStream(file: string | undefined, draft: Draft | undefined) {
  const stream =
    file === undefined
      ? process.stdout
      : createWriteStream(file, draft && { fd: draft.descriptor, autoClose: false });
  const wait = makeWait(stream);
  let isOpen = file === undefined || draft !== undefined;
  let failure: Error | undefined;
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    const place = file ?? 'standard output';
    failure ??= isOpen
      ? lostOutput(place, cause.code ?? '', cause)
      : unwritable('--format', place, cause);
  });
  const settled = async (isDone: boolean, event: string) => {
    if (!isDone && failure === undefined) await wait(event);
    if (failure !== undefined) throw failure;
  };
  await settled(isOpen, 'open');
  isOpen = true;
  return { stream, settled, isLost: () => failure !== undefined };
}

/** Waits once for all who write: many listeners on one stream would be taken for a leak. */
function makeWait(stream: Writable): (event: string) => Promise<unknown> {
  let waiting: Promise<unknown> | undefined;
  return (event) => {
    waiting ??= once(stream, event)
      .catch(() => undefined)
      .finally(() => {
        waiting = undefined;
      });
    return waiting;
  };
}

/** Writes what is left at once, as the program is about to end. @returns whether there was something */
function appended({ descriptor }: Draft, text: string): boolean {
  try {
    return writeSync(descriptor, text) > 0;
  } catch {
    return false;
  }
}

function openLinesDraft(file: string): Draft {
  try {
    return openDraft(file);
  } catch (cause) {
    throw unwritable('--format', file, cause);
  }
}
