import { existsSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { judgeOwner, OWNER_MARK, ownerMark } from './owner.js';

const PREFIX = 'secure-connectivity-';
const OWNED = new RegExp(`^${PREFIX}[a-z]+\\.(${OWNER_MARK.source})\\.\\w{6}$`);

/** Age from which a folder counts as left behind whose owner cannot be seen from here. */
const MAX_UNSEEN_AGE_MS = 86_400_000;

/**
 * Makes a folder in TMPDIR that only this user can read, named for its owner. What earlier runs of this
 * user left there, because they were killed, is removed first.
 *
 * @param purpose a word in lower case
 * @param place a folder to use instead of TMPDIR
 * @throws ConnectivityError `usage.invalid`, `output.lost` naming TMPDIR
 */
export function makeTemporaryFolder(purpose: string, place?: string): string {
  const parent = place || tmpdir();
  try {
    return makeOwnFolder(purpose, parent);
  } catch (cause) {
    throw temporaryFolderError(parent, cause);
  }
}

/** Makes such a folder in another one. @throws an error of the system */
export function makeOwnFolder(purpose: string, parent: string): string {
  removeLeftBehind(parent);
  return mkdtempSync(join(parent, `${PREFIX}${purpose}.${ownerMark()}.`));
}

/** Removes the folders of owners that are dead, and what cannot be removed is left. */
function removeLeftBehind(parent: string): void {
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    // It may be writable without being readable.
    return;
  }
  for (const name of names) {
    const mark = OWNED.exec(name)?.[1];
    if (mark === undefined) continue;
    const folder = join(parent, name);
    try {
      if (isLeftBehind(folder, mark)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another start removes it at the same time.
    }
  }
}

function isLeftBehind(folder: string, mark: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
  const owner = judgeOwner(mark);
  const isOld = Date.now() - stat.mtimeMs > MAX_UNSEEN_AGE_MS;
  if (holdsUnsavedState(folder) || (!isOld && isWorkedIn(folder))) return false;
  return owner === 'dead' || (owner === 'elsewhere' && isOld);
}

/**
 * Tells whether Terraform may still run there, which outlives its killed parent until it has saved its state.
 */
function isWorkedIn(folder: string): boolean {
  if (!existsSync('/proc/self/cwd')) return true;
  return readdirSync('/proc').some((name) => {
    try {
      return `${readlinkSync(join('/proc', name, 'cwd'))}/`.startsWith(`${folder}/`);
    } catch {
      return false;
    }
  });
}

/** Tells whether a copy of a tree has a state that no backend could take. */
export function holdsUnsavedState(folder: string): boolean {
  const stacks = join(folder, 'stacks');
  if (!existsSync(stacks)) return false;
  return readdirSync(stacks).some((name) => existsSync(join(stacks, name, 'errored.tfstate')));
}

/** Errors of a device that could be written to before: no other file name would help. */
export const LOST = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']);

/** Reports an error of the system that happened in a temporary folder as one that names TMPDIR. */
export function findTemporaryFolderError(error: unknown): ConnectivityError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { path, code } = error as NodeJS.ErrnoException;
  const parent = tmpdir();
  if (path === undefined || code === undefined) return undefined;
  return resolve(path).startsWith(join(resolve(parent), PREFIX))
    ? temporaryFolderError(parent, error)
    : undefined;
}

function temporaryFolderError(parent: string, cause: unknown): ConnectivityError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (LOST.has(code)) {
    return new ConnectivityError(
      'output.lost',
      `\`TMPDIR\` must have space for temporary files, got: ${parent} (${code}); free space there, or set TMPDIR to another folder`,
      { cause },
    );
  }
  return usageError(
    `\`TMPDIR\` must be a folder that can be written, got: ${parent} (${code}); set TMPDIR to another folder`,
    cause,
  );
}
