import { createHash } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listBounded, readChunks, UnboundedFile } from '../files/bounded-read.js';

/** The file by which `terraform init` knows the programs of a stack's providers. */
export const LOCK_FILE = '.terraform.lock.hcl';

/** The file in a stack's folder in which the check of a deploy leaves its result. */
export const RESULT_FILE = 'connectivity-check.json';

const WRITTEN_BY_RUNS = new Set([
  '.terraform',
  '.terraform.tfstate.lock.info',
  'errored.tfstate',
  'plan',
  RESULT_FILE,
]);

/** Tells whether a run of Terraform or of the check writes it, and no deploy reads it. @param name in a stack's folder */
export function isWrittenByRuns(name: string): boolean {
  return WRITTEN_BY_RUNS.has(name);
}

const STACK_FOLDER = /^stacks\/[^/]+\//;
const IN_STACK = /^stacks\/[^/]+\/$/;

/** A file of a tree by its path from there, with `/`, and the SHA-256 of its bytes. */
export interface TreeFile {
  readonly path: string;
  readonly digest: string;
}

/** A tree that has no digest; the message says what which file must be. */
export class UndeployableTree extends Error {
  override readonly name = 'UndeployableTree';

  constructor(path: string, rule: string, cause?: unknown) {
    super(`${JSON.stringify(path)} ${rule}`, { cause });
  }
}

/**
 * Reads every file that a deploy of a tree can read, and writes what it reads into another folder, so that
 * what has the digests is what is there.
 *
 * @param copy an empty folder. @default - nothing is written
 * @returns the files by the bytes of their paths
 * @throws UndeployableTree for a link, what is no regular file or in no stack's folder, a stack without lock file or with one that lacks hashes; an error of the
 * system for what cannot be written
 */
export function readTreeFiles(tree: string, copy?: string): TreeFile[] {
  const paths = listFiles(tree);
  const names = new Set(paths);
  if (!names.has('manifest.json')) throw new UndeployableTree('manifest.json', 'must be there');
  // A stack could read it by its path, and no review compares it.
  const loose = paths.find((path) => path !== 'manifest.json' && !STACK_FOLDER.test(path));
  if (loose !== undefined) throw new UndeployableTree(loose, 'must be in the folder of a stack');
  for (const folder of new Set(paths.flatMap((path) => STACK_FOLDER.exec(path)?.[0] ?? []))) {
    if (names.has(`${folder}${LOCK_FILE}`)) continue;
    throw new UndeployableTree(
      `${folder}${LOCK_FILE}`,
      'must be there, because it alone names the bytes of the providers; `terraform init -backend=false` writes it',
    );
  }
  return paths.map((path) => ({ path, digest: readFile(tree, path, copy) }));
}

/** The SHA-256 over files of a tree: what `sha256sum` prints of them, as UTF-8. */
export function treeDigest(files: readonly TreeFile[]): string {
  const list = files.map(({ path, digest }) => `${digest}  ${path}\n`);
  return createHash('sha256').update(list.join('')).digest('hex');
}

const MAX_FILES = 20_000;

function listFiles(tree: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let within = folders.pop(); within !== undefined; within = folders.pop()) {
    for (const name of list(tree, within)) {
      const path = `${within}${name}`;
      if (IN_STACK.test(within) && isWrittenByRuns(name)) continue;
      refuseName(path);
      const stat = lstatSync(join(tree, path));
      if (stat.isSymbolicLink()) throw new UndeployableTree(path, 'must not be a link');
      if (stat.isDirectory()) folders.push(`${path}/`);
      else found.push(path);
    }
    if (found.length + folders.length > MAX_FILES) {
      throw new UndeployableTree('.', `must have at most ${MAX_FILES} files`);
    }
  }
  return found
    .map((path) => Buffer.from(path))
    .sort(Buffer.compare)
    .map(String);
}

function list(tree: string, within: string): string[] {
  try {
    return listBounded(join(tree, within));
  } catch (cause) {
    throw new UndeployableTree(
      within || '.',
      ruleOf(cause, 'must be a folder that can be read'),
      cause,
    );
  }
}

/**
 * A name that is no text is read as another one, a line break could stand for two files, and `sha256sum`
 * writes a backslash as two.
 */
function refuseName(path: string): void {
  if (!/[\\\ufffd\p{Cc}\p{Bidi_Control}]/u.test(path)) return;
  throw new UndeployableTree(
    path,
    'must be a name in UTF-8 without backslashes, control and bidirectional characters',
  );
}

function readFile(tree: string, path: string, copy: string | undefined): string {
  const hash = createHash('sha256');
  const write = copy === undefined ? undefined : newFile(join(tree, path), join(copy, path));
  const lock: Buffer[] | undefined =
    path === `${STACK_FOLDER.exec(path)?.[0]}${LOCK_FILE}` ? [] : undefined;
  try {
    for (const chunk of chunksOf(tree, path)) {
      hash.update(chunk);
      write?.add(chunk);
      lock?.push(chunk);
    }
  } finally {
    write?.close();
  }
  if (lock !== undefined && !bindsProviders(String(Buffer.concat(lock)))) {
    throw new UndeployableTree(
      path,
      'must be as `terraform init` writes it, with hashes of each provider',
    );
  }
  return hash.digest('hex');
}

function* chunksOf(tree: string, path: string): Generator<Buffer> {
  try {
    yield* readChunks(join(tree, path), { within: tree });
  } catch (cause) {
    throw new UndeployableTree(path, ruleOf(cause, 'must be a file that can be read'), cause);
  }
}

/** Lines of a provider as Terraform writes them. Without hashes, it takes whatever a registry hands out. */
const LOCKED =
  /^provider "[^"\n]+" \{\n(?: {2}(?:version|constraints) += "[^"\n]*"\n)+ {2}hashes = \[\n(?: {4}"(?:h1|zh):[^"\n]+",\n)+ {2}\]\n\}\n$/;

/** Tells whether a lock file binds each of its providers to bytes; in another spelling, it could hide one. */
function bindsProviders(lock: string): boolean {
  const lines = lock.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) return true;
  const providers = `${lines.join('\n')}\n`.split(/^(?=provider )/m);
  return providers.every((provider) => LOCKED.test(provider));
}

const ruleOf = (cause: unknown, other: string) =>
  cause instanceof UnboundedFile ? cause.message : other;

/** Makes a file that only this user can read, and run if it was to be run. */
function newFile(from: string, to: string) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const isProgram = ((lstatSync(from, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0;
  const descriptor = openSync(to, 'wx', isProgram ? 0o700 : 0o600);
  return {
    add(chunk: Buffer): void {
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
    },
    close: () => closeSync(descriptor),
  };
}
