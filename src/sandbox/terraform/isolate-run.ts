import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import type { Block } from '../../reach/read/merge-files.js';
import { findHcl, readJsonFiles } from '../../reach/read/stack-folder.js';
import type { JsonObject } from '../json.js';
import { ownChecks } from './configuration.js';
import { makeOwnRoot } from './own-root.js';
import { digest, stateOf, stateReadBy } from './states.js';
import { understand } from './understand.js';
import { writeStackFolder } from './write-folder.js';

/** Commands that read or write no state. */
const WITHOUT_STATE = ['', 'version', 'fmt', 'login', 'logout'];

/** Commands whose files are all in the folder that a sandbox writes; a test or a query has others. */
const COMMANDS = new Set(
  `init validate plan apply destroy refresh show output state import taint untaint console graph
  providers workspace force-unlock get metadata modules`.split(/\s+/),
);

/** Options that name a state, and so lead round the sandbox's own. */
const STATE_OPTION = /^--?(state|state-out|backup)(=|$)/;

/** Options that the sandbox's own backend has no use for. */
const BACKEND_CONFIG = /^--?backend-config(=|$)/;

/** The sandbox of a run. */
interface Isolation {
  /** The folder where the sandbox keeps what is Terraform's. */
  readonly terraform: string;
  /** The words that run this package. */
  readonly program: readonly string[];
  /** True if the root is the user's own, and runs as it is. */
  readonly isOwn: boolean;
}

/**
 * Prepares a run of Terraform in a sandbox: in a folder and on a state of the sandbox, with the arguments
 * of the original one.
 *
 * @throws ConnectivityError `usage.invalid` for an argument that leads to a state outside, and for what
 * a sandbox does not understand; `usage.invalid`
 */
export function isolateRun(
  cwd: string,
  args: readonly string[],
  { terraform, program, isOwn }: Isolation,
  env: NodeJS.ProcessEnv = {},
) {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const before = at < 0 ? args : args.slice(0, at);
  const command = at < 0 ? '' : (args[at] ?? '');
  if (WITHOUT_STATE.includes(command)) return { folder: cwd, args };
  if (!COMMANDS.has(command)) {
    throw usageError(
      `Terraform's command in a sandbox must be one of ${[...COMMANDS].join(', ')}, got: "${command}"`,
    );
  }
  const chdir = before.findLast((arg) => /^--?chdir=/.test(arg))?.replace(/^--?chdir=/, '');
  const own = withoutBackendConfig(args.slice(at + 1));
  refuseStates([
    ...own,
    ...splitWords(env.TF_CLI_ARGS),
    ...splitWords(env[`TF_CLI_ARGS_${command}`]),
  ]);
  const stack = resolve(cwd, chdir ?? '');
  const folder = isOwn
    ? makeOwnRoot(stack, cwd, terraform)
    : makeWorkingFolder(stack, terraform, program);
  if (command === 'apply') refuseForeignPlan(own, folder, terraform, isOwn ? stack : undefined);
  const kept = before.filter((arg) => !/^--?chdir=/.test(arg));
  return { folder, args: [...kept, command, ...withFilesOf(stack, own)] };
}

function withoutBackendConfig(args: readonly string[]): string[] {
  return args.filter(
    (arg, index) => !BACKEND_CONFIG.test(arg) && !/^--?backend-config$/.test(args[index - 1] ?? ''),
  );
}

function refuseStates(args: readonly string[]): void {
  const option = args.find((arg) => STATE_OPTION.test(arg) && arg !== '-backup=-');
  if (option === undefined) return;
  throw usageError(
    `\`${option.replace(/=.*/s, '')}\` must not name a state in a sandbox, which keeps all states in its own folder, got: "${option}"; leave it out`,
  );
}

function splitWords(text = ''): string[] {
  return text.split(/\s+/);
}

/** Files of variables are read from where they are, and not from the folder that Terraform runs in. */
function withFilesOf(stack: string, args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const [, option, file] = /^(--?var-file=)(.*)$/s.exec(arg) ?? [];
    if (option !== undefined) return `${option}${resolve(stack, file ?? '')}`;
    return /^--?var-file$/.test(args[index - 1] ?? '') ? resolve(stack, arg) : arg;
  });
}

/**
 * Refuses a plan that holds another backend than the sandbox's, which is the one that it was made for.
 *
 * @param copied the folder of which `folder` is a copy, with whatever plans it has
 */
function refuseForeignPlan(
  args: readonly string[],
  folder: string,
  allowed: string,
  copied: string | undefined,
): void {
  const last = args.at(-1);
  if (last === undefined || last.startsWith('-')) return;
  // The value of an option before it, as in `-lock-timeout 5m`.
  if (/^--?(var|var-file|target|replace|parallelism|lock-timeout)$/.test(args.at(-2) ?? '')) return;
  const file = resolve(folder, last);
  const found = lstatSync(file, { throwIfNoEntry: false });
  const isInside = found && realpathSync(file).startsWith(`${realpathSync(allowed)}${sep}`);
  const isCopied = copied !== undefined && existsSync(join(copied, relative(folder, file)));
  if (isInside && !isCopied) return;
  throw usageError(
    `a plan must have been made in this sandbox with a relative \`-out\`, got: "${last}"; plan again in the sandbox`,
  );
}

/**
 * Writes the folder of the sandbox in which Terraform runs in place of the stack's own, and answers its
 * path. Its states are the sandbox's, and it holds nothing that the sandbox has not understood.
 */
function makeWorkingFolder(
  folder: string,
  terraformFolder: string,
  program: readonly string[],
): string {
  const stack = realpathSync(folder);
  const refuse = (rule: string, got: string) =>
    usageError(`a stack in a sandbox ${rule}, got: ${got} in ${stack}`);
  const hcl = findHcl(stack, STACK);
  if (hcl !== undefined) {
    const rule = 'must be in `.tf.json` files, as `secure-connectivity synth` writes them';
    throw refuse(rule, `${hcl}, which \`--own\` runs,`);
  }
  const understood = understand(readJsonFiles(stack, STACK, stack).blocks, refuse);
  const own = stateOf(understood.blocks, stack, terraformFolder);
  const working = join(terraformFolder, 'stacks', digest(`${stack}\n${own}`), basename(stack));
  const changes = {
    states: { own, of: (read: JsonObject) => stateReadBy(read, stack, terraformFolder) },
    provisioners: (block: Block) => ownChecks(block, program, stack),
  };
  writeStackFolder({ folder: stack, understood }, working, changes, refuse);
  return working;
}

/** The name in messages of the folder in which Terraform is started. */
const STACK = 'terraform';
