import { spawn } from 'node:child_process';
import { isFileShortage } from '../../codes/file-shortage.js';
import { shownLines } from '../../codes/redact.js';
import { forwarding, hasTerminal } from './signals.js';

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
  try {
    const { status, asked, pid } = await forwarding(() =>
      spawn(program, args, { stdio: 'inherit', env, detached: hasGroup }),
    );
    if (hasGroup && asked !== undefined) endGroup(pid, asked);
    return status;
  } catch (error) {
    if (isFileShortage(error)) throw error;
    return notStarted(program, error as NodeJS.ErrnoException);
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

function notStarted(program: string, error: NodeJS.ErrnoException): number {
  const isMissing = error.code === 'ENOENT';
  const problem = isMissing ? 'is not on the PATH' : `does not run (${error.code ?? 'unknown'})`;
  process.stderr.write(shownLines(`secure-connectivity: \`${program}\` ${problem}\n`));
  return isMissing ? NOT_FOUND : NOT_EXECUTABLE;
}
