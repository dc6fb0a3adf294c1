import { basename } from 'node:path';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { shellWord } from '../files/escape.js';
import { withWaitNotice } from '../progress/waiting.js';
import { runTerraform, type TerraformRun } from './run-terraform.js';

/** The treatment of what an interrupted deploy left: stop and list it, import it, or do not look for it. */
export type AdoptMode = 'stop' | 'auto' | 'off';

/** The settings that all stacks of a deploy share before Terraform plans them. */
export interface DeployContext {
  /** The folder that `deploy` runs in, which is that of the project. */
  readonly project: string;
  /** The time to wait for another deploy's lock, in Terraform's words. */
  readonly lockTimeout: string;
  /** Another stack whose state this deploy may take over. */
  readonly stateOf?: string | undefined;
  /** The treatment of objects that an interrupted deploy left in the cloud. */
  readonly adopt: AdoptMode;
}

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A synthesized stack, and Terraform to be run on it. */
export interface TerraformFolder {
  readonly name: string;
  /** Holds `cdk.tf.json`; Terraform runs in it. */
  readonly folder: string;
  /** The lasting folder whose copy it is. @default - it is none */
  readonly origin?: string;
  /** The program that Terraform is, such as `tofu`. */
  readonly program: string;
  /** The time to wait for another run's lock, in Terraform's words. */
  readonly lockTimeout: string;
  /** Options that set variables, for a plan. @default - none */
  readonly planArguments?: readonly string[];
  /** True if `terraform init` has run. @default - where there is a data folder */
  readonly isInitialized?: boolean;
  /** Runs Terraform on the stack and answers what it wrote. */
  terraform(args: readonly string[]): Promise<Ended>;
}

/** A stack that Terraform is about to change, after `terraform init`. */
export interface ChangingStack extends TerraformFolder {
  readonly command: 'apply' | 'destroy';
  readonly context: DeployContext;
  /** The plan that the deploy applies, once there is one. */
  readonly planFile?: string;
  /** Ends the work before the next change. */
  readonly signal?: AbortSignal;
  /** Prints a line of the deploy's own. */
  say(text: string): void;
}

/** @param own what differs in the environment of Terraform there */
export function terraformFolder(
  folder: string,
  program: string,
  lockTimeout: string,
  own: NodeJS.ProcessEnv = {},
): TerraformFolder {
  // What the user passes to every Terraform command, such as `-no-color`, is left out where it is read.
  const { TF_CLI_ARGS: _, ...env } = { ...process.env, ...own };
  return {
    name: basename(folder),
    folder,
    program,
    lockTimeout,
    terraform: (args) => runFor(args, { program, folder, env }),
  };
}

async function runFor(
  args: readonly string[],
  place: Pick<TerraformRun, 'program' | 'folder' | 'env'>,
): Promise<Ended> {
  const pieces: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  const take: TerraformRun['take'] = (stream, piece) => pieces[stream].push(piece);
  const command = args.slice(0, args[0] === 'state' ? 2 : 1).join(' ');
  const { status } = await withWaitNotice(
    `terraform ${command} of ${basename(place.folder ?? '')}`,
    () => runTerraform(args, { ...place, take }),
  );
  const [stdout = '', stderr = ''] = [pieces.stdout, pieces.stderr].map((all) =>
    Buffer.concat(all).toString('utf8'),
  );
  return { status: status ?? 1, stdout, stderr };
}

/** The place of a stack's state, and the program that reads it. */
export type FolderOfStack = Pick<TerraformFolder, 'folder' | 'origin' | 'program'>;

/**
 * Refuses to go on where another run held the state's lock; the command that takes it away is last.
 *
 * @param errors what Terraform wrote on stderr
 * @throws ConnectivityError `deploy.state-locked`
 */
export function refuseLockedState(
  stack: FolderOfStack & { readonly name: string },
  errors: string,
): void {
  const [, found] = /Error acquiring the state lock([\s\S]*)/.exec(errors) ?? [];
  if (found === undefined) return;
  const read = (name: string) =>
    new RegExp(`^[│\\s]*${name}:[ \\t]+(\\S[^\\n]*?)[ \\t]*$`, 'm').exec(found)?.[1];
  const id = read('ID');
  if (id === undefined) return;
  const facts = ['Who', 'Operation', 'Created'].flatMap((name) => read(name) ?? []);
  const held = facts.length === 0 ? '' : ` (${safeText(facts.join(', '))})`;
  throw new ConnectivityError(
    'deploy.state-locked',
    `the state of ${stack.name} is locked by another run${held}. Wait until that run has ended, then run this again; if it has died: ${terraformCommand(stack, 'force-unlock', safeText(id))}`,
  );
}

/** Writes a command of Terraform on a stack, to be pasted into a shell. */
export function terraformCommand(
  { program, folder, origin }: FolderOfStack,
  ...args: readonly string[]
): string {
  const terraform = `${shellWord(program)} -chdir=${shellWord(origin ?? folder)}`;
  const command = [terraform, ...args.map(shellWord)].join(' ');
  // What a copy was initialized for, its origin need not be.
  return origin === undefined ? command : `${terraform} init && ${command}`;
}
