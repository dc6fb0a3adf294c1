import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The time and memory of a command; the memory is undefined where GNU time is missing. */
export interface Cost {
  readonly wallMs: number;
  /** Of the process and all its children. */
  readonly cpuMs: number;
  /** Of the largest process. */
  readonly peakMb: number | undefined;
  readonly output: string;
}

export interface Command {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** @default 0 */
  readonly exit?: number;
}

const TIME = '/usr/bin/time';

/** Writes user and system time in milliseconds; GNU time cuts them off at hundredths of a second. */
const TIMED = `TIMEFORMAT='%3U %3S'; file=$1; shift; exec 3>&2; { time "$@" 2>&3; } 2>"$file"`;

/** Runs a command once. @throws Error when it ends with another status than it should */
export async function run(
  { name, argv, env = {}, exit = 0 }: Command,
  folder: string,
): Promise<Cost> {
  const cpuFile = join(folder, 'cpu');
  const peakFile = join(folder, 'peak');
  const peak = existsSync(TIME) ? [TIME, '-q', '-f', '%M', '-o', peakFile] : [];
  const child = spawn('bash', ['-c', TIMED, 'bash', cpuFile, ...peak, ...argv], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const start = performance.now();
  const texts: string[] = [];
  child.stdout.on('data', (text) => texts.push(`${text}`));
  child.stderr.on('data', (text) => texts.push(`${text}`));
  const status = await new Promise((resolve) => child.once('close', resolve));
  const wallMs = performance.now() - start;
  const output = texts.join('');
  if (status !== exit) throw new Error(`${name} ended with ${status}: ${output.slice(-2000)}`);
  const [user = Number.NaN, system = Number.NaN] = numbersIn(cpuFile);
  const [kilobytes] = peak.length > 0 ? numbersIn(peakFile) : [];
  return {
    wallMs,
    cpuMs: (user + system) * 1000,
    peakMb: kilobytes === undefined ? undefined : kilobytes / 1024,
    output,
  };
}

function numbersIn(file: string): number[] {
  return readFileSync(file, 'utf8').trim().split(/\s+/).map(Number);
}

/** Runs commands in turns, so that whatever else the machine does strikes all of them alike. */
export async function inTurns(
  commands: readonly Command[],
  rounds: number,
  folder: string,
): Promise<Map<string, Cost[]>> {
  const costs = new Map(commands.map(({ name }) => [name, [] as Cost[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const command of commands) {
      const cost = await run(command, folder);
      // The first round only fills the caches of the system.
      if (round >= 0) costs.get(command.name)?.push(cost);
    }
  }
  return costs;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map(line).join('');
}
