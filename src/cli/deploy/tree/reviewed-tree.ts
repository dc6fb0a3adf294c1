import { constants, copyFileSync, existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { safeText } from '../../../codes/redact.js';
import { shellWord } from '../../../files/escape.js';
import { asObject, readJsonFile } from '../../../files/json.js';
import {
  findUnsavedStates,
  holdsUnsavedState,
  makeOwnFolder,
} from '../../../files/temporary-folder.js';
import {
  RESULT_FILE,
  readTreeFiles,
  type TreeFile,
  treeDigest,
  UndeployableTree,
} from '../../../terraform/tree-digest.js';
import { isWithin } from '../../program/named-files.js';

/** The variable by which the state of a stack keeps the digest of its reviewed files. */
const STACK_DIGEST = 'TF_VAR_reviewed_files';

/** The copy of a reviewed tree, in which Terraform runs. */
export interface ReviewedTree {
  /** Beside the tree, so that paths that lead out of it mean the same. */
  readonly folder: string;
  readonly origin: string;
  readonly files: readonly TreeFile[];
}

/**
 * Copies the files of a tree into a folder of this user's own beside it, and refuses them if what was
 * copied has another digest.
 *
 * @throws ConnectivityError `deploy.not-reviewed`, `usage.invalid`
 */
export function copyReviewedTree(tree: string, reviewed: string): ReviewedTree {
  const origin = realFolder(tree);
  const folder = folderBeside(origin);
  try {
    const files = readTreeFiles(origin, folder);
    refuseUnsavedBeside(folder);
    const digest = treeDigest(files);
    if (digest === reviewed) return { folder, origin, files };
    throw notReviewed(
      `\`--tree\` must be the tree with the digest ${reviewed}, got: ${digest}; a file of it came, went or changed`,
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!(error instanceof UndeployableTree)) throw error;
    throw notReviewed(`\`--tree\` must be a tree that can be reviewed, got: ${error.message}`);
  }
}

/** The copy of a killed run keeps what its Terraform could not save: without it, everything would be made again. */
function refuseUnsavedBeside(copy: string): void {
  const left = findUnsavedStates(dirname(copy)).find((file) =>
    existsSync(join(copy, 'stacks', basename(dirname(file)))),
  );
  if (left === undefined) return;
  throw new ConnectivityError(
    'deploy.state',
    `\`--tree\` must have no copy beside it with a state that a killed run could not save, got: ${left}; nothing was changed. Push it, where its stack is initialized, with: terraform state push ${shellWord(left)}; then remove it`,
  );
}

function folderBeside(tree: string): string {
  const parent = dirname(tree);
  try {
    return makeOwnFolder('reviewed', parent);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw usageError(
      `\`--tree\` must be in a folder that can be written, because its reviewed files are copied beside it, got: ${parent} (${code}); move the tree`,
      cause,
    );
  }
}

function realFolder(tree: string): string {
  try {
    return realpathSync(tree);
  } catch (cause) {
    throw usageError(`\`--tree\` must be a folder, got: "${tree}"`, cause);
  }
}

/** The place in the tree that a folder of the copy has. */
export function originOf(tree: ReviewedTree, folder: string): string {
  return join(tree.origin, relative(tree.folder, folder));
}

/** Hands the results of the check back to the tree, and removes the copy unless it has a state that no backend has. */
export function removeReviewedTree(tree: ReviewedTree): void {
  for (const stack of new Set(tree.files.map(({ path }) => join(tree.folder, dirname(path))))) {
    const result = join(stack, RESULT_FILE);
    if (existsSync(result)) handBack(result, join(originOf(tree, stack), RESULT_FILE));
  }
  if (!holdsUnsavedState(tree.folder)) rmSync(tree.folder, { recursive: true, force: true });
}

function handBack(result: string, to: string): void {
  try {
    rmSync(to, { force: true });
    copyFileSync(result, to, constants.COPYFILE_EXCL);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    process.stderr.write(`secure-connectivity: ${to} could not be written (${code})\n`);
  }
}

/** Returns what the environment of a stack's Terraform has of its review: the digest of its files alone. */
export function reviewedEnvironment(
  tree: ReviewedTree | undefined,
  stack: { readonly folder: string },
): NodeJS.ProcessEnv {
  if (tree === undefined) return { [STACK_DIGEST]: '' };
  const own = `${relative(tree.folder, stack.folder).split(sep).join('/')}/`;
  const files = tree.files.filter(({ path }) => path.startsWith(own));
  return { [STACK_DIGEST]: treeDigest(files) };
}

/**
 * Refuses an initialized stack whose state would vanish with the copy, or whose modules are no files of
 * the tree.
 *
 * @throws ConnectivityError `deploy.not-reviewed`
 */
export function refuseOutsideOfReview(
  tree: ReviewedTree,
  { name, folder }: { readonly name: string; readonly folder: string },
): void {
  const state = localState(folder);
  if (state !== undefined && [tree.folder, tree.origin].some((root) => isWithin(root, state))) {
    throw notReviewed(
      `the state of ${name} must not be in the tree, whose copy is removed, got: ${relative(tree.folder, state)}; set \`state\` to a remote backend, or to a folder outside of the tree`,
    );
  }
  const { Modules: modules } = readData(folder, 'modules/modules.json');
  for (const module of Array.isArray(modules) ? modules : []) {
    const { Dir: place, Source: source } = asObject(module) ?? {};
    const from = resolve(folder, String(place));
    if (isWithin(tree.folder, from) && !isWithin(join(folder, '.terraform'), from)) continue;
    throw notReviewed(
      `the modules of ${name} must be files of the tree, got: ${safeText(String(source))}, which was no part of the review`,
    );
  }
}

/** The file of a local state, undefined with a remote one. */
function localState(folder: string): string | undefined {
  const { type = 'local', config } = asObject(readData(folder, 'terraform.tfstate').backend) ?? {};
  if (type !== 'local') return undefined;
  const { path, workspace_dir: place } = asObject(config) ?? {};
  const workspace = process.env.TF_WORKSPACE || 'default';
  return workspace === 'default'
    ? resolve(folder, String(path ?? 'terraform.tfstate'))
    : resolve(folder, String(place ?? 'terraform.tfstate.d'), workspace);
}

function readData(folder: string, file: string): Readonly<Record<string, unknown>> {
  const path = join(folder, '.terraform', file);
  return existsSync(path) ? (asObject(readJsonFile(path)) ?? {}) : {};
}

/** The error for what was no part of a review. */
export function notReviewed(problem: string): ConnectivityError {
  return new ConnectivityError('deploy.not-reviewed', `${problem}; nothing was changed`);
}
