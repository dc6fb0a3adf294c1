import { readFileSync, readlinkSync } from 'node:fs';

/** Stands for a part of a mark that the system does not tell. */
const UNKNOWN = '0';

/**
 * Identifies a running process by its boot of the machine, PID namespace, number and start time: a
 * later process with the same number, and one of another container, have other marks.
 */
export function ownerMark(pid = process.pid): string {
  return [bootId(), pidNamespace(), pid, readStart(pid) ?? UNKNOWN].join('.');
}

/** Matches a mark within a file's name. */
export const OWNER_MARK = /[\da-f]+\.\d+\.\d+\.\w+/;

/**
 * Judges the process of a mark. `elsewhere` is another PID namespace or boot, of which nothing can be
 * seen from here: a container beside this one, or a machine that shares the disk.
 */
export function judgeOwner(mark: string): 'alive' | 'dead' | 'elsewhere' {
  const [boot, namespace, , start] = mark.split('.');
  const pid = pidOf(mark);
  if (boot !== bootId() || namespace !== pidNamespace()) return 'elsewhere';
  if (!Number.isSafeInteger(pid) || pid <= 0 || !processExists(pid)) return 'dead';
  const found = readStart(pid);
  return found === undefined || start === UNKNOWN || found === start ? 'alive' : 'dead';
}

/** Tells whether a mark tells its process from a later one with the same number. */
export function hasStart(mark: string): boolean {
  return mark.split('.')[3] !== UNKNOWN;
}

/** The number of a mark's process. */
export function pidOf(mark: string): number {
  return Number(mark.split('.')[2]);
}

/** Reports whether a process has this number now, another user's included. */
function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Start time of a process in ticks since the machine started, `ended` for one that only its parent has
 * still to collect. Undefined where there is no /proc.
 */
function readStart(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it, in brackets, may hold anything.
    const [state, ...numbers] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'ended' : numbers[18];
  } catch {
    return undefined;
  }
}

/** Its first digits: a socket in a folder of this name has a path of a hundred bytes at most. */
function bootId(): string {
  const id = readSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), /[^\da-f]/g);
  return id.slice(0, 8) || UNKNOWN;
}

function pidNamespace(): string {
  return readSystem(() => readlinkSync('/proc/self/ns/pid'), /\D/g) || UNKNOWN;
}

function readSystem(read: () => string, noise: RegExp): string {
  try {
    return read().replaceAll(noise, '');
  } catch {
    return '';
  }
}
