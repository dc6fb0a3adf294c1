import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes of Terraform itself, not of its providers, that run in a folder. */
export function terraformsIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return /(^|\/)terraform$/.test(program) && readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until something is so. */
export async function until(isSo: () => boolean, seconds = 120): Promise<void> {
  for (let left = seconds * 50; left > 0; left -= 1) {
    if (isSo()) return;
    await sleep(20);
  }
  throw new Error(`it was not so within ${seconds} s: ${isSo}`);
}
