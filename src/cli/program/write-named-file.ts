import { writeWhole } from '../../files/whole-file.js';
import { unwritable } from './unwritable.js';

/** Writes the file that an option names, whole or not at all. @throws ConnectivityError `usage.invalid`, `output.lost` */
export function writeNamedFile(option: string, file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (cause) {
    throw unwritable(option, file, cause);
  }
}
