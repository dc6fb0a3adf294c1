import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { makeWorkingFolder } from './working-folder.js';

/** Commands that read or write no state. */
const WITHOUT_STATE = ['', 'version', 'fmt', 'login', 'logout'];

/** Options that name a state, and so lead round the sandbox's own. */
const STATE_OPTION = /^--?(state|state-out|backup)(=|$)/;

/** What the sandbox's own backend has no use for. */
const BACKEND_CONFIG = /^--?backend-config(=|$)/;

export interface IsolatedRun {
  /** The folder to run Terraform in. */
  readonly folder: string;
  readonly args: readonly string[];
}

/**
 * How Terraform is run in a sandbox where it is started in a folder with some arguments: in a folder
 * of the sandbox, on a state of the sandbox.
 *
 * @param sandboxTerraform where the sandbox keeps what is Terraform's
 * @throws ConnectivityError `usage.invalid` for an argument that leads to a state outside
 */
export function isolateRun(
  cwd: string,
  args: readonly string[],
  sandboxTerraform: string,
  env: NodeJS.ProcessEnv = {},
): IsolatedRun {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const before = at < 0 ? args : args.slice(0, at);
  const command = at < 0 ? '' : (args[at] ?? '');
  if (WITHOUT_STATE.includes(command)) return { folder: cwd, args };
  const chdir = before.findLast((arg) => /^--?chdir=/.test(arg))?.replace(/^--?chdir=/, '');
  const own = withoutBackendConfig(args.slice(at + 1));
  refuseStates([...own, ...wordsOf(env.TF_CLI_ARGS), ...wordsOf(env[`TF_CLI_ARGS_${command}`])]);
  const folder = makeWorkingFolder(resolve(cwd, chdir ?? ''), sandboxTerraform, own);
  for (const file of writtenFiles(own)) unlinkLink(resolve(folder, file));
  if (command === 'apply') refuseForeignPlan(own, folder, sandboxTerraform);
  const kept = before.filter((arg) => !/^--?chdir=/.test(arg));
  return { folder, args: [...kept, command, ...own] };
}

function withoutBackendConfig(args: readonly string[]): string[] {
  return args.filter(
    (arg, index) => !BACKEND_CONFIG.test(arg) && !/^--?backend-config$/.test(args[index - 1] ?? ''),
  );
}

function refuseStates(args: readonly string[]): void {
  const option = args.find((arg) => STATE_OPTION.test(arg) && arg !== '-backup=-');
  if (option === undefined) return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`${option.replace(/=.*/s, '')}\` must not name a state in a sandbox, which keeps all states in its own folder, got: "${option}"; leave it out`,
  );
}

function wordsOf(text = ''): string[] {
  return text.split(/\s+/);
}

function writtenFiles(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, name, file] = /^--?(out|generate-config-out)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined) return [];
    return [file ?? args[index + 1] ?? ''].filter((one) => one !== '');
  });
}

/** Written through, a link would change the file beside the real stack. */
function unlinkLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
}

/** A plan holds the backend that it was made for. */
function refuseForeignPlan(args: readonly string[], folder: string, allowed: string): void {
  const last = args.at(-1);
  if (last === undefined || last.startsWith('-')) return;
  // The value of an option before it, as in `-lock-timeout 5m`.
  if (/^--?(var|var-file|target|replace|parallelism|lock-timeout)$/.test(args.at(-2) ?? '')) return;
  const file = resolve(folder, last);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && realpathSync(file).startsWith(`${realpathSync(allowed)}${sep}`))
    return;
  throw new ConnectivityError(
    'usage.invalid',
    `a plan must have been made in this sandbox with a relative \`-out\`, got: "${last}"; plan again in the sandbox`,
  );
}
