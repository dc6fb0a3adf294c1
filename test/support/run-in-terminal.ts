import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** True if this machine has the `script` of util-linux, which gives a program a terminal. */
export const HAS_TERMINAL = spawnSync('script', ['--version'], {
  encoding: 'utf8',
}).stdout?.includes('util-linux');

export interface TerminalRun {
  readonly exit: number | null;
  /** All that the program wrote to its terminal. */
  readonly screen: string;
}

/** Runs the built program on a terminal of its own. @param stdout a file, in place of the terminal */
export function runInTerminal(args: readonly string[], stdout?: string): Promise<TerminalRun> {
  const words = [process.execPath, MAIN, ...args].map(quote);
  const command = [...words, ...(stdout === undefined ? [] : [`>${quote(stdout)}`])].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, screen }));
  });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
