import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { unwritable } from './unwritable.js';

/**
 * Writes a report so that whoever reads the file meanwhile, a collector of metrics say, finds all of
 * the old one or all of the new one.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  try {
    if (await isSpecial(file)) return await writeFile(file, text);
    await replace(file, text);
  } catch (cause) {
    throw unwritable('--format', file, cause);
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A pipe, a terminal or a link to one cannot be replaced. */
async function isSpecial(file: string): Promise<boolean> {
  try {
    return !(await stat(file)).isFile();
  } catch {
    return false;
  }
}
