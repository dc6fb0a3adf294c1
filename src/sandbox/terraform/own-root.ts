import {
  copyFileSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { listBounded } from '../../files/bounded-read.js';
import { asObject, parseJson } from '../../files/json.js';
import { writeWhole } from '../../files/whole-file.js';
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

/** Files that Terraform and Git keep for themselves: a copy has its own. */
const LEFT_OUT = /^(?:\.git|\.terraform|.*\.tfstate(?:\..*)?|\.terraform\.tfstate\.lock\.info)$/;

/** Packages of Node.js, which no run changes and which are many. */
const LINKED = 'node_modules';

/** More files than a repository of Terraform has. */
const MAX_FILES = 20_000;

/** The state of each file when it was copied, by its path: what Terraform writes beside them stays. */
type Stamps = Record<string, string>;

/**
 * Copies a repository, or what has changed in it since the last time.
 *
 * @param except a folder of it that is no part of it
 * @throws RangeError where it has too many files
 */
function copyRepository(from: string, to: string, except: string): void {
  const record = `${to}.copied.json`;
  const before: Stamps = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  const now: Stamps = Object.fromEntries(stampsIn(from, from, except));
  const gone = Object.keys(before).filter((path) => before[path] !== now[path]);
  for (const path of gone) rmSync(join(to, path), { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const [path, stamp] of Object.entries(now)) {
    if (before[path] !== stamp) copy(from, to, path);
  }
  writeWhole(record, JSON.stringify(now), { isDurable: false });
}

function stampsIn(folder: string, root: string, except: string): [string, string][] {
  const found = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.test(name) && join(folder, name) !== except)
    .flatMap((entry) => stampsOf(entry, folder, root, except));
  if (found.length <= MAX_FILES) return found;
  throw new RangeError(`must have at most ${MAX_FILES} files`);
}

function stampsOf(entry: Dirent, folder: string, root: string, except: string): [string, string][] {
  const path = join(folder, entry.name);
  const name = relative(root, path);
  if (entry.name === LINKED) return [[name, `link ${path}`]];
  if (entry.isSymbolicLink()) return [[name, `link ${linkTarget(path, root)}`]];
  if (entry.isDirectory()) return stampsIn(path, root, except);
  if (!entry.isFile()) return [];
  const { mtimeMs, size, mode } = lstatSync(path);
  return [[name, `${mtimeMs} ${size} ${mode}`]];
}

/** A link within the repository stays one within its copy. */
function linkTarget(link: string, root: string): string {
  const target = readlinkSync(link);
  const path = resolve(dirname(link), target);
  return isAbsolute(target) || !`${path}${sep}`.startsWith(`${root}${sep}`) ? path : target;
}

function copy(from: string, to: string, path: string): void {
  const [source, target] = [join(from, path), join(to, path)];
  mkdirSync(dirname(target), { recursive: true });
  // A folder of that name may be left, empty.
  rmSync(target, { recursive: true, force: true });
  if (lstatSync(source).isFile()) copyFileSync(source, target);
  else symlinkSync(path.split(sep).at(-1) === LINKED ? source : linkTarget(source, from), target);
}
