import { readFileSync } from 'node:fs';

/** A running process, told apart from a later one that got the same number. */
export function processMark(pid: number): string {
  return `${pid}-${startOf(pid) ?? 'unknown'}`;
}

/** Whether the process of a mark still runs. */
export function isRunning(mark: string): boolean {
  const pid = pidOf(mark);
  return Number.isInteger(pid) && pid > 0 && exists(pid) && mark === processMark(pid);
}

export function pidOf(mark: string): number {
  return Number(mark.split('-')[0]);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In ticks since the machine started. Undefined where there is no /proc: then the number alone counts. */
function startOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it, in brackets, may hold anything.
    const [state, ...numbers] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'ended' : numbers[18];
  } catch {
    return undefined;
  }
}
