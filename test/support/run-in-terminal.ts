import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** True if this machine has the `script` of util-linux, which gives a program a terminal. */
export const HAS_TERMINAL = spawnSync('script', ['--version'], {
  encoding: 'utf8',
}).stdout?.includes('util-linux');

const ASKS = 'Enter a value:';

export interface TerminalRun {
  readonly exit: number | null;
  /** All that the program wrote to its terminal. */
  readonly screen: string;
}

interface TerminalOptions {
  /** A file, in place of the terminal. */
  readonly stdout?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Typed once the program has asked for a value. */
  readonly answer?: string;
}

/** Runs the built program on a terminal of its own. */
export function runInTerminal(
  args: readonly string[],
  { stdout, env, answer }: TerminalOptions = {},
): Promise<TerminalRun> {
  const words = [process.execPath, MAIN, ...args].map(quote);
  const command = [...words, ...(stdout === undefined ? [] : [`>${quote(stdout)}`])].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TERM: 'xterm', ...env },
    stdio: [answer === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout?.on('data', (chunk) => {
    const isAsked = !screen.includes(ASKS) && (screen + chunk).includes(ASKS);
    screen += chunk;
    if (isAsked) child.stdin?.write(answer ?? '');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, screen }));
  });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
