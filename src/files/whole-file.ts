import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A text for a file whose old text stays in place until the new one is complete. */
export interface Draft {
  /** The draft's own file, beside the other. */
  readonly path: string;
  readonly descriptor: number;
  /** Puts the draft in the place of the file, with the mode that the file had. */
  commit(): void;
  /** Leaves the file as it was. */
  discard(): void;
}

interface WriteOptions {
  /** @default that of the file that is replaced */
  readonly mode?: number;
  /** True if the text is on the disk when this returns, which takes some milliseconds. @default true */
  readonly isDurable?: boolean;
}

/**
 * Writes a file so that a reader finds all of the old text or all of the new one. A pipe or a device
 * is written to as it is.
 */
export function writeWhole(
  file: string,
  text: string | Buffer | Iterable<Buffer>,
  options: WriteOptions = {},
): void {
  const parts = typeof text === 'string' || Buffer.isBuffer(text) ? [text] : text;
  if (isSpecial(file)) {
    const descriptor = openSync(file, 'w');
    try {
      for (const part of parts) writeFileSync(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    return;
  }
  const draft = openDraft(file, options);
  try {
    for (const part of parts) writeFileSync(draft.descriptor, part);
    draft.commit();
  } catch (error) {
    draft.discard();
    // An error of a write to an open file does not say which.
    throw Object.assign(error as NodeJS.ErrnoException, { path: draft.path });
  }
}

/** Opens a draft under a name that nobody can guess, and so nobody can have put a link there. */
export function openDraft(file: string, { mode, isDurable = true }: WriteOptions = {}): Draft {
  const old = statSync(file, { throwIfNoEntry: false });
  const target = old === undefined ? file : realpathSync(file);
  const path = `${target}.${randomBytes(6).toString('hex')}.part`;
  const wanted = mode ?? (old && old.mode & 0o7777);
  const descriptor = openSync(path, 'wx', wanted ?? 0o666);
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
  };
  return {
    path,
    descriptor,
    commit: () => {
      if (wanted !== undefined) chmodSync(path, wanted);
      if (isDurable) fsyncSync(descriptor);
      close();
      renameSync(path, target);
      if (isDurable) syncFolder(dirname(target));
    },
    discard: () => {
      close();
      rmSync(path, { force: true });
    },
  };
}

/** A pipe, a terminal or a link to one cannot be replaced. */
export function isSpecial(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

/** Makes the new name last; where folders cannot be opened it lasts without. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // Not every file system syncs a folder, and the file itself is written.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Makes a folder and its missing parents, all or none. Node.js retries endlessly where nothing can be
 * made, as in /proc: there, creating a folder fails with ENOENT although its parent exists.
 *
 * @returns the uppermost folder that was made, if one was
 */
export function makeFolder(folder: string): string | undefined {
  const path = resolve(folder);
  try {
    mkdirSync(path);
    return path;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    const isBelowNothing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isBelowNothing || existsSync(dirname(path))) throw error;
  }
  const first = makeFolder(dirname(path));
  try {
    const made = makeFolder(path);
    return first ?? made;
  } catch (error) {
    if (first !== undefined) rmSync(first, { recursive: true, force: true });
    throw error;
  }
}
