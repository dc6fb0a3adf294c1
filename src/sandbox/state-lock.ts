import { mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { judgeOwner, ownerMark, pidOf } from '../files/owner.js';

const TRIES = 5;

/**
 * Claims the state folder for this process; answers the function that lets go. The claim is a folder
 * with one file, named for its process: a full folder cannot be renamed over another full one, so
 * one of many claims that are made at once wins, and to remove the file of a dead process never
 * removes the claim of a living one.
 *
 * @throws ConnectivityError `usage.invalid` where another sandbox has it
 */
export function claimState(lock: string): () => void {
  const mark = ownerMark();
  const own = mkdtempSync(`${lock}.`);
  try {
    writeFileSync(join(own, mark), '');
    take(lock, own);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    throw error;
  }
  return () => release(lock, mark);
}

function take(lock: string, own: string): void {
  for (let left = TRIES; left > 0; left--) {
    const holder = removeDead(lock);
    if (holder !== undefined) throw inUse(pidOf(holder), lock);
    if (isRenamed(own, lock)) return;
  }
  throw inUse(undefined, lock);
}

/** Removes the claims of dead processes; answers the living one. */
function removeDead(lock: string): string | undefined {
  const marks = marksIn(lock);
  for (const mark of marks.filter((each) => !isAlive(each))) {
    rmSync(join(lock, mark), { force: true });
  }
  return marks.find(isAlive);
}

function isAlive(mark: string): boolean {
  return judgeOwner(mark) === 'alive';
}

function marksIn(lock: string): string[] {
  try {
    return readdirSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Renames a claim; false if another claim was quicker. */
function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST'].includes(code)) return false;
    throw error;
  }
}

function release(lock: string, mark: string): void {
  rmSync(join(lock, mark), { force: true });
  try {
    rmdirSync(lock);
  } catch {
    // The next one has claimed it already, or has removed it.
  }
}

function inUse(pid: number | undefined, lock: string): ConnectivityError {
  const process = pid === undefined ? '' : ` (process ${pid})`;
  return usageError(
    `the state folder is in use by another sandbox${process}: stop it, or choose another folder with \`--state\` (its lock file is ${lock})`,
  );
}
