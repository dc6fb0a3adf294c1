import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { asObject, type JsonObject, parseJson } from './json.js';
import { hasStart, judgeOwner, OWNER_MARK, ownerMark, pidOf } from './owner.js';

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

/** Lists the folders of this user, with the marks of their owners. */
function ownedFolders(parent: string): { folder: string; mark: string }[] {
  try {
    return readdirSync(parent).flatMap((name) => {
      const mark = OWNED.exec(name)?.[1];
      const folder = join(parent, name);
      return mark !== undefined && isOwn(folder) ? [{ folder, mark }] : [];
    });
  } catch {
    // It may be writable without being readable.
    return [];
  }
}

function isOwn(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

/** Removes the folders of owners that are dead, and what cannot be removed is left. */
function removeLeftBehind(parent: string): void {
  for (const { folder, mark } of ownedFolders(parent)) {
    try {
      if (isLeftBehind(folder, mark)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another start removes it at the same time.
    }
  }
}

function isLeftBehind(folder: string, mark: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const owner = judgeOwner(mark);
  const isOld = Date.now() - stat.mtimeMs > MAX_UNSEEN_AGE_MS;
  if (workersIn(folder).length > 0) return false;
  if (holdsUnsavedState(folder) || (!isOld && isWorkedIn(folder))) return false;
  return owner === 'dead' || (owner === 'elsewhere' && isOld);
}

const WORKER = new RegExp(`^worker\\.(${OWNER_MARK.source})$`);

/**
 * Records in a temporary folder that a process works with it, which may outlive the folder's owner: it is
 * not removed under that process.
 *
 * @param about what a later start is to know of its work
 */
export function recordWorker(folder: string, pid: number, about: JsonObject): void {
  const mark = ownerMark(pid);
  // Where the system does not tell when it started, a later process could be taken for it.
  if (!hasStart(mark)) return;
  writeFileSync(join(folder, `worker.${mark}`), JSON.stringify(about), { mode: 0o600 });
}

/** Files of the processes that are recorded in a folder and still run. */
function workersIn(folder: string): { file: string; mark: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const mark = WORKER.exec(name)?.[1];
    return mark !== undefined && judgeOwner(mark) === 'alive'
      ? [{ file: join(folder, name), mark }]
      : [];
  });
}

/** Finds the processes that still work although the owner of their folder is dead. @param place as for `makeTemporaryFolder` */
export function findOutliving(place?: string) {
  return ownedFolders(place || tmpdir())
    .filter(({ mark }) => judgeOwner(mark) === 'dead')
    .flatMap(({ folder, mark: owner }) =>
      workersIn(folder).map(({ file, mark }) => ({
        owner: pidOf(owner),
        pid: pidOf(mark),
        about: asObject(parseJson(readFileSync(file, 'utf8'))) ?? {},
      })),
    );
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
  return unsavedStatesIn(folder).length > 0;
}

/** Finds the states that no backend could take in copies whose owners are gone. */
export function findUnsavedStates(parent: string): string[] {
  return ownedFolders(parent)
    .filter(({ mark }) => judgeOwner(mark) !== 'alive')
    .flatMap(({ folder }) => unsavedStatesIn(folder));
}

function unsavedStatesIn(folder: string): string[] {
  const stacks = join(folder, 'stacks');
  if (!existsSync(stacks)) return [];
  const files = readdirSync(stacks).map((name) => join(stacks, name, 'errored.tfstate'));
  return files.filter((file) => existsSync(file));
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

/** Builds the error of a folder for temporary files that cannot be written. */
export function temporaryFolderError(parent: string, cause: unknown): ConnectivityError {
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
