import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { boundToParent } from '../../../terraform/bound-to-parent.js';
import { environmentFor } from '../../../terraform/environment.js';
import type { Interrupts } from '../../program/interrupts.js';
import { statusOf } from '../../program/signals.js';
import { followFile } from './follow-file.js';
import type { StackOutput } from './stack-output.js';

export interface TerraformProcess {
  readonly program: string;
  /** The stack's folder, which Terraform runs in. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly interrupts: Interrupts;
  /** The destination of its output while it runs. @default - only the returned text */
  readonly output?: StackOutput;
  /**
   * A new file for its standard output. Unlike a pipe it outlives the deploy and its reader: a
   * Terraform that loses its pipe in the middle of an apply ends without saving its state.
   *
   * @default - a pipe
   */
  readonly outputFile?: string;
  /** Is called with the number of its process. */
  readonly started?: (pid: number) => void;
}

export interface TerraformEnd {
  /** 128 and the signal's number where a signal ended it. */
  readonly status: number;
  /** End of what it wrote on stderr, without colours. */
  readonly errors: string;
  /** Standard output and errors as they came, where they were not shown. */
  readonly text: string;
}

const KEPT = 256 * 1024;

/**
 * Runs Terraform in a session of its own: a terminal that goes away does not end it in the middle of a
 * change, and Ctrl-C reaches it by way of the deploy, once.
 */
export async function runTerraformProcess(
  args: readonly string[],
  { program, folder, env, interrupts, output, outputFile, started }: TerraformProcess,
): Promise<TerraformEnd> {
  const descriptor = outputFile === undefined ? undefined : openSync(outputFile, 'wx', 0o600);
  const child = spawn(...boundToParent('INT', program, args), {
    cwd: folder,
    env: environmentFor(args[0], env),
    stdio: ['ignore', descriptor ?? 'pipe', 'pipe'],
    detached: true,
  });
  if (descriptor !== undefined) closeSync(descriptor);
  if (child.pid !== undefined) started?.(child.pid);
  const forget = interrupts.forward(() => void child.kill('SIGINT'), outputFile !== undefined);
  let text = '';
  let errors = '';
  const take = (stream: 'stdout' | 'stderr') => (piece: Buffer) => {
    if (stream === 'stderr') errors = (errors + piece).slice(-KEPT);
    if (output === undefined) text = (text + piece).slice(-KEPT);
    else output.write(stream, piece);
  };
  const stopFollowing = outputFile && followFile(outputFile, take('stdout'));
  child.stdout?.on('data', take('stdout'));
  child.stderr?.on('data', take('stderr'));
  try {
    const status = await statusOf(child);
    return { status, errors: stripVTControlCharacters(errors), text };
  } finally {
    if (stopFollowing) stopFollowing();
    output?.end();
    forget();
  }
}
