import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
    if (isFolder(path)) return undefined;
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
