import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, all or none. Node.js tries for ever where nothing can
 * be made, as in /proc: there a new folder is missing, too, and not what is above it.
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
