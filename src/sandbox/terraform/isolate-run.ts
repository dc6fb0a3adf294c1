import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { writeWhole } from '../../files/whole-file.js';
import { digest, OVERRIDE_FILE, overridingBlocks, sandboxState } from './sandbox-backend.js';

/** Commands that read or write no state. */
const WITHOUT_STATE = ['', 'version', 'fmt', 'login', 'logout'];

/** Options that name a state, and so lead round the sandbox's own. */
const STATE_OPTION = /^--?(state|state-out|backup)(=|$)/;

/** What the sandbox's own backend has no use for. */
const BACKEND_CONFIG = /^--?backend-config(=|$)/;

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
) {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const before = at < 0 ? args : args.slice(0, at);
  const command = at < 0 ? '' : (args[at] ?? '');
  if (WITHOUT_STATE.includes(command)) return { folder: cwd, args };
  const chdir = before.findLast((arg) => /^--?chdir=/.test(arg))?.replace(/^--?chdir=/, '');
  const own = withoutBackendConfig(args.slice(at + 1));
  refuseStates([
    ...own,
    ...splitWords(env.TF_CLI_ARGS),
    ...splitWords(env[`TF_CLI_ARGS_${command}`]),
  ]);
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
  throw usageError(
    `\`${option.replace(/=.*/s, '')}\` must not name a state in a sandbox, which keeps all states in its own folder, got: "${option}"; leave it out`,
  );
}

function splitWords(text = ''): string[] {
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
  throw usageError(
    `a plan must have been made in this sandbox with a relative \`-out\`, got: "${last}"; plan again in the sandbox`,
  );
}

/** What Terraform writes beside a stack, and a sandbox must neither see nor write. */
const TERRAFORMS_OWN = /^\.terraform|\.tfstate\b|^(plan|crash\.log|generated_resources\.tf)$/;

/** A relative path that leads out of the stack's folder: how far up, and what is named there. */
const PATH_ABOVE = /((?:\.\.\/)+)([^/"'\s${}]+)/g;

/**
 * Makes a folder of the sandbox in which Terraform runs in place of the stack's own, and answers its
 * path. It holds links to what the stack's folder holds, without `.terraform`, lock file and states,
 * and a file that overrides the backend. The folders above it hold links to what relative paths of the
 * configuration and of the arguments name, so that these lead where they lead from the stack's folder.
 */
function makeWorkingFolder(
  folder: string,
  terraformFolder: string,
  args: readonly string[],
): string {
  const stack = realpathSync(folder);
  const name = digest(`${stack}\n${sandboxState(stack, terraformFolder)}`);
  const root = join(terraformFolder, 'stacks', name);
  const working = join(root, stack);
  mkdirSync(working, { recursive: true });
  // A link to the sandbox's own folder would lead whoever follows links round in a circle.
  const isLinked = (entry: string) =>
    !TERRAFORMS_OWN.test(entry) &&
    entry !== OVERRIDE_FILE &&
    !`${terraformFolder}${sep}`.startsWith(`${join(stack, entry)}${sep}`);
  link(stack, working, isLinked);
  linkPathsAbove(stack, root, args);
  const blocks = overridingBlocks(stack, terraformFolder);
  writeWhole(join(working, OVERRIDE_FILE), `${JSON.stringify(blocks, null, 2)}\n`, {
    isDurable: false,
  });
  return working;
}

function linkPathsAbove(stack: string, root: string, args: readonly string[]): void {
  const texts = readdirSync(stack)
    .filter((name) => /\.(tf|tofu)(\.json)?$|\.tfvars(\.json)?$/.test(name))
    .map((name) => readFileSync(join(stack, name), 'utf8'));
  for (const text of [...texts, ...args]) {
    for (const [, up = '', entry = ''] of text.matchAll(PATH_ABOVE)) {
      const named = resolve(stack, up, entry);
      // A folder above the stack, or the stack itself, is in the tree already.
      if (`${stack}${sep}`.startsWith(`${named}${sep}`)) continue;
      linkOne(named, join(root, named));
    }
  }
}

function linkOne(target: string, place: string): void {
  try {
    symlinkSync(target, place);
  } catch (error) {
    // It is linked already, or a run of Terraform has made a file of its own there.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Links each entry of the stack's folder, and removes the links to what is no longer there. */
function link(from: string, to: string, isLinked: (entry: string) => boolean): void {
  const wanted = new Set(readdirSync(from).filter(isLinked));
  for (const entry of readdirSync(to)) {
    const place = join(to, entry);
    const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink && !wanted.has(entry)) rmSync(place, { force: true });
  }
  for (const entry of wanted) linkOne(join(from, entry), join(to, entry));
}
