import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { listBounded } from '../../files/bounded-read.js';
import { asObject, parseJson } from '../../files/json.js';
import { writeWhole } from '../../files/whole-file.js';
import type { Block } from '../../reach/read/merge-files.js';
import { isObject, type Json, type JsonObject, readTexts } from '../json.js';
import { copyRepository } from './copy-repository.js';
import { digest } from './states.js';
import { toList } from './understand.js';

/** After every other override, so that its backend is the one that counts. */
const OVERRIDE = 'zzz_sandbox_override.tf.json';

/** Files of configuration, and those of them that override others. */
const CONFIGURATION = /^[^.#].*\.(?:tf|tofu)(?:\.json)?$/;
const OVERRIDES = /(?:^|_)override\.(?:tf|tofu)(?:\.json)?$/;

/**
 * Copies the repository of a root that is the user's own, and gives the root a state of the sandbox.
 *
 * @param stack the root's folder
 * @param start where Terraform is started
 * @returns the root's folder in the copy
 * @throws ConnectivityError `usage.invalid` for what the sandbox cannot replace
 */
export function makeOwnRoot(stack: string, start: string, terraformFolder: string): string {
  const root = realpathSync(stack);
  for (const file of listBounded(root)) refuseIrreplaceable(root, file);
  const repository = repositoryOf(root, realpathSync(start));
  const copy = join(terraformFolder, 'own', digest(repository), basename(repository));
  try {
    copyRepository(repository, copy, dirname(terraformFolder));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(
      `a repository in a sandbox ${error.message}, got: more in ${repository}; start Terraform in a folder that is its own repository`,
    );
  }
  const folder = join(copy, relative(repository, root));
  const path = join(terraformFolder, 'states', `${digest(`own ${root}`)}.tfstate`);
  const backend = { local: { path, workspace_dir: `${path}.d` } };
  const text = `${JSON.stringify({ terraform: { backend } }, null, 2)}\n`;
  writeWhole(join(folder, OVERRIDE), text, { isDurable: false });
  return folder;
}

/** The folder that holds all that a root can call: that of Git, or else where Terraform is started. */
function repositoryOf(root: string, start: string): string {
  for (let folder = root; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  return root.startsWith(`${start}${sep}`) ? start : root;
}

function refuseIrreplaceable(root: string, file: string): void {
  if (!CONFIGURATION.test(file)) return;
  const got = `got: ${file} in ${root}`;
  if (OVERRIDES.test(file) && file > OVERRIDE) {
    throw usageError(
      `an override in a sandbox must be named before ${OVERRIDE}, ${got}; rename it`,
    );
  }
  const text = readFileSync(join(root, file), 'utf8');
  const isCloud = file.endsWith('.json')
    ? toList(parseJson(text))
        .flatMap((json) => toList(asObject(json)?.terraform))
        .some((settings) => asObject(settings)?.cloud !== undefined)
    : CLOUD.test(text.replaceAll(COMMENT, ''));
  if (!isCloud) return;
  throw usageError(
    `a root in a sandbox must have no \`cloud\` block, whose workspaces are not of this machine, ${got}; give it a backend, which the sandbox replaces`,
  );
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?:#|\/\/).*/g;

/** The block of HCP Terraform; as a word of another block it would be refused as well. */
const CLOUD = /^\s*cloud\s*\{/m;

const PROGRAM = /(?:^|\/)dist\/cli\/main\.js$/;

/** The arguments of `verify` in a stack, in one line; any other could read or write a file elsewhere. */
const ARGUMENTS =
  /^(?: (?:--links-from-environment|--report-only|--exit-status|--preflight(?: [\d.]+\/\d+)*|--title|--api-host [\w.-]+|--wait \d+m?s|--format json=connectivity-check\.json|--from connectivity-check\.json))+$/;

/** Flags of a check that name a command to be run, each with its value. */
const RUNS_OTHERS = '--run-via';

const KEY_FILE = 'SECURE_CONNECTIVITY_PRIVATE_KEY_FILE';
const ENVIRONMENT = new Set([
  'SECURE_CONNECTIVITY_LINKS',
  'SECURE_CONNECTIVITY_KEY_ID',
  'SECURE_CONNECTIVITY_PRIVATE_KEY',
  KEY_FILE,
]);

/**
 * The provisioners of a resource that are checks of this package, run by the program that runs the
 * sandbox and here, wherever the stack would run them; every other one is left out.
 *
 * @param program how to run this package
 * @param folder that of the stack, from which its paths lead
 */
export function ownChecks(
  { labels, body }: Block,
  program: readonly string[],
  folder: string,
): Json | undefined {
  if (labels[0] !== 'null_resource') return undefined;
  const steps = toList(body.provisioner)
    .filter(isObject)
    .flatMap((one) => toList(one['local-exec']))
    .filter(isObject)
    .flatMap((step) => ownStep(step, program, folder));
  return steps.length === 0 ? undefined : steps.map((step) => ({ 'local-exec': step }));
}

function ownStep(step: JsonObject, program: readonly string[], folder: string): JsonObject[] {
  const words = readTexts(step, 'interpreter');
  const isNamed = words[0] === 'secure-connectivity';
  const isOwn = isNamed || (words[0] === 'node' && PROGRAM.test(words[1] ?? ''));
  const [command = '', ...args] = words.slice(isNamed ? 1 : 2);
  if (!isOwn || command !== 'verify' || typeof step.command !== 'string') return [];
  const environment = isObject(step.environment) ? step.environment : {};
  if (Object.keys(environment).some((name) => !ENVIRONMENT.has(name))) return [];
  const via = args.flatMap((arg, i) => (arg === RUNS_OTHERS ? [i, i + 1] : []));
  const kept = args.filter((_, i) => !via.includes(i));
  if (!ARGUMENTS.test(kept.map((arg) => ` ${arg}`).join(''))) return [];
  const keyFile = environment[KEY_FILE];
  return [
    {
      interpreter: [...program, command, ...kept],
      command: step.command,
      environment: {
        ...environment,
        ...(typeof keyFile === 'string' && { [KEY_FILE]: join(folder, keyFile) }),
      },
    },
  ];
}
