import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readBounded, readChunks, UnboundedFile } from '../../files/bounded-read.js';
import { INTENTS_FILE } from '../../intents/tree-file.js';
import { readExpressions } from '../../terraform/expressions.js';
import { fileWithin, readsNothing } from '../../terraform/functions.js';
import { stateSettings } from '../../terraform/state-place.js';
import { isWrittenByRuns, LOCK_FILE } from '../../terraform/tree-digest.js';
import { listFolder, notATree, readJson } from '../../terraform/tree-files.js';
import { object } from './json.js';
import { mergeFiles, type StackBlocks } from './merge-files.js';
import { runsOtherProgram } from './programs.js';
import { fingerprint, type Unread } from './terraform-json.js';

/**
 * Written beside the configuration, and never read by Terraform: a state that is there beforehand would be taken
 * for what has been deployed.
 */
const HARMLESS_FILE = /^(?:access|metadata)\.json$/;

/** Files whose arguments take the place of those in others. */
const OVERRIDE = /(?:^|_)override\.tf\.json$/;

/** Tells whether a change of a file is seen, whatever it is used for. @param name from the stack's folder */
export function isCompared(name: string): boolean {
  const [first = ''] = name.split('/');
  return !HARMLESS_FILE.test(name) && !name.endsWith('.tf.json') && !isWrittenByRuns(first);
}

/** The file in which Terraform keeps the backend of its last run, which it uses again. */
const BACKEND = join('.terraform', 'terraform.tfstate');

/** Programs of providers, which `init` checks against the lock file. */
const PROVIDERS = join('.terraform', 'providers');

/**
 * Reads the JSON that Terraform would load from one stack's folder.
 *
 * @param tree the folder that all of it must be in: what a link leads to elsewhere is shown to nobody
 * @throws ConnectivityError `usage.invalid`
 */
export function readJsonFiles(folder: string, option: string, tree: string) {
  const read = listFolder(folder, option).filter((name) =>
    isJsonConfiguration(folder, name, option),
  );
  const files = read.map((name) => {
    const path = join(folder, name);
    const json = readJson(path, option, tree);
    const problem = findTerraformProblem(json);
    if (problem !== undefined) throw notATree(option, path, problem);
    return { path, json, isOverride: OVERRIDE.test(name) };
  });
  return { read, blocks: mergeFiles(files, option) };
}

/**
 * Reads the configuration that Terraform would load from one stack's folder; see {@link readJsonFiles}.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readStackFolder(folder: string, option: string, tree: string) {
  const { read, blocks } = readJsonFiles(folder, option, tree);
  if (read.length === 0) {
    throw notATree(option, join(folder, 'cdk.tf.json'), 'must hold JSON');
  }
  const files = listFiles(folder, option);
  const isUsed = files.some((name) => NOT_JSON.test(name)) || usesFiles(blocks);
  const templates = templateFiles(blocks);
  return {
    blocks,
    /** Files that are not read: HCL, variables, assets, and what a link leads to. */
    unread: files.flatMap((name) => {
      if (lstatSync(join(folder, name)).isSymbolicLink()) return [unreadLink(folder, name)];
      const isOwnBackend =
        name === BACKEND && namesBackend(readJson(join(folder, name), option, tree), blocks);
      return read.includes(name) ||
        HARMLESS_FILE.test(name) ||
        (name === INTENTS_FILE && !isUsed) ||
        isWrittenByRuns(name) ||
        isOwnBackend
        ? []
        : [
            {
              ...unreadFile(folder, name, option),
              ...(templates.has(name) && readTemplateFile(join(folder, name))),
            },
          ];
    }),
  };
}

/** Types that read no file by themselves. */
const READS_NO_FILE = /^(?:volcenginecc_\w+|null_resource|terraform_(?:data|remote_state))$/;

/** Tells whether a configuration may use a file beside it: by a function, a program, a module, or a provider of others. */
function usesFiles(blocks: StackBlocks): boolean {
  return [...blocks.values()].some(({ kind, labels: [type = ''], body }) => {
    if (kind === 'module' || mayRead(body)) return true;
    if (kind !== 'resource' && kind !== 'data') return false;
    return !READS_NO_FILE.test(type) || runsOtherProgram({ kind, type, body });
  });
}

/** Tells whether functions in a value may read files. */
function mayRead(value: unknown): boolean {
  const { calls, unreadable } = readExpressions(value);
  return unreadable.length > 0 || !calls.every(readsNothing);
}

function templateFiles(blocks: StackBlocks): ReadonlySet<string | undefined> {
  const { calls } = readExpressions([...blocks.values()].map(({ body }) => body));
  return new Set(calls.filter(({ name }) => name === 'templatefile').map(fileWithin));
}

/** Tells what a template can read beside the tree's own files, whose changes show that they are others. */
function readTemplateFile(file: string): Partial<Unread> {
  return mayRead(readBounded(file).toString('utf8'))
    ? { why: 'a template, it may read files where no change can be seen', isOutside: true }
    : {};
}

/** Tells whether it is the backend of the configuration, with the same settings. */
function namesBackend(saved: unknown, blocks: StackBlocks): boolean {
  const { type, config } = object(object(saved).backend);
  const body = object(blocks.get('terraform')?.body);
  const [kind, written] = Object.entries(object(body.backend))[0] ?? [];
  // Terraform keeps to what is saved, where the rest of the file says that it was made of the configuration.
  return (
    kind !== undefined &&
    type === kind &&
    isDeepStrictEqual(stateSettings(kind, config), stateSettings(kind, written))
  );
}

/** Terraform loads no hidden file; what an editor leaves behind ends otherwise. */
function isJsonConfiguration(folder: string, name: string, option: string): boolean {
  if (!name.endsWith('.tf.json') || name.startsWith('.')) return false;
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw notATree(option, path, 'must hold JSON');
  return !stat.isDirectory();
}

/** Files that Terraform or OpenTofu loads, and nothing here reads. */
const NOT_JSON = /\.(?:tf|tofu|tofu\.json)$/;

/** Finds a file that Terraform or OpenTofu would load beside the JSON of a stack. @throws ConnectivityError `usage.invalid` */
export function findHcl(folder: string, option: string): string | undefined {
  return listFolder(folder, option).find((name) => !name.startsWith('.') && NOT_JSON.test(name));
}

const MAX_FILES = 20_000;

function listFiles(folder: string, option: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let within = folders.pop(); within !== undefined; within = folders.pop()) {
    for (const entry of listFolder(join(folder, within), option)) {
      const name = join(within, entry);
      if (name === PROVIDERS) continue;
      if (lstatSync(join(folder, name)).isDirectory()) folders.push(name);
      else found.push(name);
    }
    if (found.length + folders.length > MAX_FILES) {
      throw notATree(option, folder, `must hold at most ${MAX_FILES} files`);
    }
  }
  return found.sort();
}

function unreadFile(folder: string, name: string, option: string): Unread {
  const isVariables = /\.tfvars(?:\.json)?$/.test(name);
  const why = NOT_JSON.test(name)
    ? 'Terraform loads it, but it is not JSON that a review reads'
    : isVariables
      ? 'it sets variables'
      : name === LOCK_FILE
        ? 'it names the programs that are the providers'
        : /\.tfstate(?:\.backup)?$/.test(name)
          ? 'Terraform can take it for what has been deployed'
          : 'the configuration can use its content';
  return { where: `file ${name}`, why, fingerprint: fileFingerprint(join(folder, name), option) };
}

/** @throws ConnectivityError `usage.invalid` for what is no regular file, or is too large */
function fileFingerprint(file: string, option: string): string {
  const hash = createHash('sha256');
  try {
    for (const chunk of readChunks(file)) hash.update(chunk);
  } catch (cause) {
    const rule = cause instanceof UnboundedFile ? cause.message : 'must hold readable files';
    throw notATree(option, file, rule, cause);
  }
  return hash.digest('hex');
}

function unreadLink(folder: string, name: string): Unread {
  return {
    where: `file ${name}`,
    why: 'it is a symbolic link, which can lead elsewhere where it is deployed',
    fingerprint: fingerprint(readlinkSync(join(folder, name))),
    isOutside: true,
  };
}

const MAX_PORT = 65_535;

/** Attributes that hold one port; -1 is every port. */
const PORT_FIELDS = new Set(['port', 'port_start', 'port_end']);

/**
 * Finds the one sentence that makes a synthesized stack unreadable; undefined if it can be read.
 */
export function findTerraformProblem(json: unknown): string | undefined {
  if (object(json) !== json || Object.keys(json).length === 0) {
    return 'must hold the JSON object of a Terraform configuration, not an empty one';
  }
  return findNumberProblem(json, '');
}

/** JSON lets a number be written that no computer holds, such as 1e400. */
function findNumberProblem(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { port_start: first, port_end: last } = object(value);
  if (typeof first === 'number' && typeof last === 'number' && first > last) {
    return `must hold ports in order, not ${first} to ${last}; \`${path}\``;
  }
  for (const [key, inner] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`;
    if (typeof inner === 'number' && !Number.isFinite(inner)) {
      return `must hold numbers that are not too large; \`${place}\``;
    }
    if (typeof inner === 'number' && PORT_FIELDS.has(key) && !isPortOrAll(inner)) {
      return `must hold ports from 0 to ${MAX_PORT}, or -1 for all, not ${inner}; \`${place}\``;
    }
    const problem = findNumberProblem(inner, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPortOrAll(value: number): boolean {
  return Number.isInteger(value) && value >= -1 && value <= MAX_PORT;
}
