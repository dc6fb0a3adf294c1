import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes that run in a folder, with their arguments. */
function processesIn(folder: string): { readonly pid: number; readonly args: string[] }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return [{ pid: Number(pid), args }];
      } catch {
        return [];
      }
    });
}

/** Terraform itself, not its providers. */
export function terraformsIn(folder: string, command = ''): number[] {
  return processesIn(folder)
    .filter(({ args: [program = '', first = ''] }) => {
      return /(^|\/)terraform$/.test(program) && first.startsWith(command);
    })
    .map(({ pid }) => pid);
}

/** Waits until something is so. */
export async function until(isSo: () => boolean, seconds = 120): Promise<void> {
  for (let left = seconds * 50; left > 0; left -= 1) {
    if (isSo()) return;
    await sleep(20);
  }
  throw new Error(`it was not so within ${seconds} s: ${isSo}`);
}
