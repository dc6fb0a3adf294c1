import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { sayingWhile } from '../program/waiting.js';
import type { DeployContext } from './run-log.js';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of a stack in another folder, with what differs in the environment. */
interface StackCopy {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A synthesized stack that Terraform is about to change, after `terraform init`. */
export interface ChangingStack {
  readonly name: string;
  /** Holds `cdk.tf.json`; Terraform runs in it. */
  readonly folder: string;
  /** The program that Terraform is. */
  readonly program: string;
  readonly command: 'apply' | 'destroy';
  readonly context: DeployContext;
  /** Runs Terraform on the stack, or on a copy of it, and answers what it wrote. */
  terraform(args: readonly string[], copy?: StackCopy): Promise<Ended>;
  /** A line that `deploy` prints at its end, when cdktf has printed everything of its own. */
  say(text: string): void;
}

/**
 * What happens to a stack before Terraform plans it. A step that throws stops the stack: Terraform
 * is not run, and `deploy` ends with the status of the error.
 */
export type BeforePlan = (stack: ChangingStack) => Promise<void>;

export function changingStack(
  folder: string,
  command: ChangingStack['command'],
  context: DeployContext,
  say: (text: string) => void,
): ChangingStack {
  const name = basename(folder);
  const program = context.terraform;
  const terraform: ChangingStack['terraform'] = (args, copy = { folder, env: {} }) =>
    runTerraform(program, args, copy);
  return { name, folder, program, command, context, terraform, say };
}

/** What the user passes to every Terraform command, such as `-no-color`, is left out where it is read. */
export function runTerraform(
  program: string,
  args: readonly string[],
  { folder, env: own }: StackCopy,
): Promise<Ended> {
  const { TF_CLI_ARGS: _, ...env } = { ...process.env, ...own };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status: status ?? 1, ...texts }));
  });
  const command = args.slice(0, args[0] === 'state' ? 2 : 1).join(' ');
  return sayingWhile(`terraform ${command}`, () => ended);
}
