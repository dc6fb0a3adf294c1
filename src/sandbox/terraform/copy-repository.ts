import {
  copyFileSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';

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
export function copyRepository(from: string, to: string, except: string): void {
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
