import { type ChildProcess, spawn } from 'node:child_process';
import { isFileShortage } from '../../codes/file-shortage.js';
import { shownLines } from '../../codes/redact.js';
import { onSignal, signalStatus } from './signals.js';

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Runs a command in an environment and answers its exit status, 128 and the signal's number where a
 * signal ended it. Signals are forwarded to the command, and only its end ends this.
 *
 * @param options.endsAll whether a signal ends what the command leaves running, too
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { endsAll = false }: { readonly endsAll?: boolean } = {},
): Promise<number> {
  // At a terminal, a group of its own could not read from it.
  const hasGroup = endsAll && !hasTerminal();
  let child: ChildProcess;
  try {
    child = spawn(program, args, { stdio: 'inherit', env, detached: hasGroup });
  } catch (error) {
    // Thrown rather than told by an event, as for a name that is too long.
    return notStarted(program, error as NodeJS.ErrnoException);
  }
  let asked: NodeJS.Signals | undefined;
  const stopForwarding = onSignal((signal) => {
    asked = signal;
    if (signal !== 'SIGINT' || !hasTerminal()) child.kill(signal);
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('exit', (code, signal) => resolve(code ?? (signal ? signalStatus(signal) : 1)));
      child.once('error', (error) => {
        if (isFileShortage(error)) reject(error);
        else resolve(notStarted(program, error));
      });
    });
  } finally {
    stopForwarding();
    if (hasGroup && asked !== undefined) endGroup(child.pid, asked);
  }
}

/** Signals what a command has left of its process group, as a shell leaves its own command. */
function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // It has left nothing.
  }
}

// A terminal gives Ctrl-C to the command itself; a second interrupt would make Terraform give up its state.
function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
}

function notStarted(program: string, error: NodeJS.ErrnoException): number {
  const isMissing = error.code === 'ENOENT';
  const problem = isMissing ? 'is not on the PATH' : `does not run (${error.code ?? 'unknown'})`;
  process.stderr.write(shownLines(`secure-connectivity: \`${program}\` ${problem}\n`));
  return isMissing ? NOT_FOUND : NOT_EXECUTABLE;
}
