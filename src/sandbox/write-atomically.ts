import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file so that a reader sees the old text or the new one, never a part. */
export function writeAtomically(file: string, text: string, mode = 0o644): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, file);
}
