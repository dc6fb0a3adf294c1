import { once } from 'node:events';
import { createWriteStream, writeSync } from 'node:fs';
import { type Draft, isSpecial, openDraft } from '../../files/whole-file.js';
import { lostOutput, unwritable } from '../program/write-named-file.js';
import { GatheredLines } from './gathered-lines.js';

/** Where lines go to, no faster than they are taken. */
interface Lines {
  /** @throws ConnectivityError `output.lost` */
  write(line: string): Promise<void>;
  /** Only now a file has the new lines in place of the old ones. */
  end(): Promise<void>;
  /** Leaves a file as it was. @returns where the lines are that were written nevertheless */
  abandon(): string | undefined;
}

/**
 * @param file standard output where it is not given
 * @throws ConnectivityError `usage.invalid` where it cannot be opened
 */
export async function openLines(file: string | undefined): Promise<Lines> {
  const draft = file === undefined || isSpecial(file) ? undefined : draftOf(file);
  const stream =
    file === undefined
      ? process.stdout
      : createWriteStream(file, draft && { fd: draft.descriptor, autoClose: false });
  let isOpen = file === undefined || draft !== undefined;
  let failure: Error | undefined;
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    const place = file ?? 'standard output';
    failure ??= isOpen
      ? lostOutput(place, cause.code ?? '', cause)
      : unwritable('--format', place, cause);
  });
  // One wait for all who write: many listeners on one stream would be taken for a leak.
  let waiting: Promise<unknown> | undefined;
  const settled = async (isDone: boolean, event: string) => {
    if (!isDone && failure === undefined) {
      waiting ??= once(stream, event)
        .catch(() => undefined)
        .finally(() => {
          waiting = undefined;
        });
      await waiting;
    }
    if (failure !== undefined) throw failure;
  };
  // Nobody reads a draft before it is whole. On a terminal, each line has to clear the bar first.
  const gathered =
    file === undefined && process.stdout.isTTY
      ? undefined
      : new GatheredLines((text) => stream.write(text), { isRead: draft === undefined });
  await settled(isOpen, 'open');
  isOpen = true;
  return {
    write: (line) => {
      const takesMore = gathered?.add(line) ?? stream.write(line);
      return settled(takesMore && !stream.writableNeedDrain, 'drain');
    },
    end: async () => {
      gathered?.flush();
      if (file === undefined) return;
      stream.end();
      await settled(stream.writableFinished, 'finish');
      draft?.commit();
    },
    abandon: () => {
      if (draft === undefined) {
        gathered?.flush();
        return undefined;
      }
      const isKept = failure === undefined && appended(draft, gathered?.take() ?? '');
      if (isKept || ('bytesWritten' in stream && stream.bytesWritten > 0)) return draft.path;
      draft.discard();
      return undefined;
    },
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

function draftOf(file: string): Draft {
  try {
    return openDraft(file);
  } catch (cause) {
    throw unwritable('--format', file, cause);
  }
}
