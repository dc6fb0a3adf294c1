import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { boundToParent, environmentFor } from './program.js';

/** A run of Terraform; it gets SIGINT when this process dies. */
export interface TerraformRun {
  readonly program: string;
  /** Words of a command that starts it. @default - none */
  readonly within?: readonly string[];
  /** The folder that it runs in. @default that of this process */
  readonly folder?: string;
  readonly env: NodeJS.ProcessEnv;
  /** True if it is in a session of its own, which a terminal that goes away does not end. @default false */
  readonly isApart?: boolean;
  /**
   * A new file for its standard output. Unlike a pipe it outlives this process and its reader: a
   * Terraform that loses its pipe in the middle of an apply ends without saving its state.
   *
   * @default - a pipe
   */
  readonly outputFile?: string | undefined;
  /** Takes what it writes, piece by piece. */
  readonly take: (stream: 'stdout' | 'stderr', piece: Buffer) => void;
  readonly started?: (child: ChildProcess) => void;
}

interface End {
  readonly status: number | null;
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | null;
}

/** Runs Terraform with the secrets that its command has a use for, and waits for its end. */
export async function runTerraform(
  args: readonly string[],
  { program, within = [], folder, env, isApart = false, outputFile, take, started }: TerraformRun,
): Promise<End> {
  const descriptor = outputFile === undefined ? undefined : openSync(outputFile, 'wx', 0o600);
  const [first = '', ...words] = [...within, program, ...args];
  const child = spawn(...boundToParent(first, words), {
    cwd: folder,
    env: environmentFor(
      args.find((word) => !word.startsWith('-')),
      env,
    ),
    stdio: ['ignore', descriptor ?? 'pipe', 'pipe'],
    detached: isApart,
  });
  if (descriptor !== undefined) closeSync(descriptor);
  started?.(child);
  const stopFollowing = outputFile && followFile(outputFile, (piece) => take('stdout', piece));
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (piece: Buffer) => take(stream, piece));
  }
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, signal) => resolve({ status, signal }));
    });
  } finally {
    if (stopFollowing) stopFollowing();
  }
}

const INTERVAL_MS = 40;
const PIECE_BYTES = 64 * 1024;

/**
 * Passes on what is written to a file, as it grows.
 *
 * @param take reads a piece before it returns
 * @returns what passes on the rest, and ends it
 */
function followFile(file: string, take: (piece: Buffer) => void): () => void {
  const descriptor = openSync(file, 'r');
  const piece = Buffer.alloc(PIECE_BYTES);
  let position = 0;
  const read = () => {
    for (;;) {
      const length = readSync(descriptor, piece, 0, PIECE_BYTES, position);
      if (length === 0) return;
      position += length;
      take(piece.subarray(0, length));
    }
  };
  const timer = setInterval(read, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    read();
    closeSync(descriptor);
  };
}
