import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  readonly exit: number | null;
  readonly stdout: string;
  /** Without {@link waits}. */
  readonly stderr: string;
  /** The lines that say what is waited for: a busy machine has more of them. */
  readonly waits: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** The number of files that the program may have open. */
  readonly mostFiles?: number;
  /** Standard input is not ended. */
  readonly keepsInputOpen?: boolean;
  /** Called with each piece of standard error. */
  readonly onError?: (text: string) => void;
  /** Called when the program is there to be signalled. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs the built program, with nothing of ours in its environment but what is given. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, cwd, input = '', onStart, mostFiles } = options;
  const limited =
    mostFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${mostFiles}; exec "$@"`, 'sh'];
  const [program = '', ...words] = [...limited, process.execPath, MAIN, ...args];
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    ...(cwd !== undefined && { cwd }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    options.onError?.(String(chunk));
  });
  if (!options.keepsInputOpen) child.stdin.end(input);
  onStart?.((signal) => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, stdout, ...apart(stderr) }));
  });
}

const WAITS = /^[\w-]+: waiting for .*\n/gm;

/** Separates what is waited for from everything else on standard error. */
export function apart(text: string): { stderr: string; waits: string } {
  return { stderr: text.replaceAll(WAITS, ''), waits: [...text.matchAll(WAITS)].join('') };
}
