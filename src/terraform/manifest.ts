import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { issueText } from '../codes/issue-text.js';
import { isObject } from '../files/json.js';
import { isMoreConfiguration } from './configuration-files.js';
import { listFolder, notATree, readJson } from './tree-files.js';

/** A name that is one part of a path wherever it stands. */
const PLAIN_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]+$/;

const annotationSchema = z.object({
  constructPath: z.string(),
  level: z.string(),
  message: z.string(),
});

const entrySchema = z.object({
  name: z.string(),
  constructPath: z.string().optional(),
  workingDirectory: z.string(),
  synthesizedStackPath: z.string().optional(),
  annotations: z.array(annotationSchema).default([]),
  dependencies: z.array(z.string()).default([]),
});

type Entry = z.infer<typeof entrySchema>;

export type Annotation = z.infer<typeof annotationSchema>;

/** A stack as the manifest of its tree names it. */
export interface ManifestStack {
  /** Its key in the manifest, and its folder in `stacks`. */
  readonly name: string;
  /** Names of the stacks that are deployed before it. */
  readonly dependencies: readonly string[];
  /** The annotations of its constructs. */
  readonly annotations: readonly Annotation[];
}

/**
 * Reads the stacks that the manifest of a tree names. Each has one plain name, so that what is reviewed and
 * what is deployed is the same folder to everyone who reads it.
 *
 * @returns undefined where the tree has no manifest, as one that was put together by hand
 * @throws ConnectivityError `usage.invalid`
 */
export function readManifest(tree: string, option: string): readonly ManifestStack[] | undefined {
  const file = join(tree, 'manifest.json');
  const stat = lookAt(file);
  if (stat === undefined) return undefined;
  const manifest = readJson(file, option, tree);
  if (stat.isSymbolicLink()) throw notATree(option, file, NO_LINK);
  const stacks = isObject(manifest) ? manifest.stacks : undefined;
  if (!isObject(stacks)) throw notATree(option, file, 'must hold an object `stacks`');
  const refuse = (rule: string) => notATree(option, file, rule);
  const entries = Object.entries(stacks).map(([key, entry]) => checkEntry(key, entry, refuse));
  if (entries.length > 0) requireFolder(join(tree, 'stacks'), option);
  for (const { name } of entries) requireStackFolder(join(tree, 'stacks', name), option);
  const named = entries.map(({ name, annotations, dependencies }) => ({
    name,
    annotations,
    dependencies: dependencies.map((path) => nameAt(path, name, entries, refuse)),
  }));
  refuseCircle(named, refuse);
  return named;
}

/** Stacks that wait for each other have no order, and a deploy would change none of them. */
function refuseCircle(stacks: readonly ManifestStack[], refuse: Refuse): void {
  let waiting = stacks;
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    const names = new Set(waiting.map(({ name }) => name));
    waiting = waiting.filter(({ dependencies }) => dependencies.some((one) => names.has(one)));
  }
  const [first] = waiting;
  if (first === undefined) return;
  const quoted = JSON.stringify(first.name);
  throw refuse(`must have an order for its stacks, and not let ${quoted} wait for itself`);
}

const NO_LINK = 'must be in the folder that names it, without links';

/**
 * Refuses a stack whose folder is a link, or has configuration with a name that is not ASCII: Terraform merges
 * overrides by the bytes of their names, which others compare in another order.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function requireStackFolder(folder: string, option: string): void {
  requireFolder(folder, option);
  const other = listFolder(folder, option).find(
    (name) => isMoreConfiguration(name) && !/^[ -~]+$/.test(name),
  );
  if (other === undefined) return;
  const rule = 'must have only configuration files whose names are ASCII';
  throw notATree(option, join(folder, JSON.stringify(other)), rule);
}

function requireFolder(folder: string, option: string): void {
  const stat = lookAt(folder);
  if (stat?.isSymbolicLink()) throw notATree(option, folder, NO_LINK);
  if (!stat?.isDirectory()) throw notATree(option, folder, 'must have a folder for each stack');
}

function lookAt(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

type Refuse = (rule: string) => Error;

function checkEntry(key: string, value: unknown, refuse: Refuse): Entry {
  const quoted = JSON.stringify(key);
  if (!PLAIN_NAME.test(key)) {
    throw refuse(
      `must name stacks with letters, digits, hyphens, dots and underscores alone, not ${quoted}`,
    );
  }
  const { data: entry, error } = entrySchema.safeParse(value, { reportInput: true });
  if (entry === undefined) {
    const [problem] = error.issues.map((issue) => issueText(issue));
    throw refuse(`must hold what a synthesis writes of the stack ${quoted}; ${problem}`);
  }
  const { name, workingDirectory, synthesizedStackPath = `stacks/${key}/cdk.tf.json` } = entry;
  if (name !== key) throw refuse(`must have one name for the stack ${quoted}`);
  if (
    workingDirectory !== `stacks/${key}` ||
    synthesizedStackPath !== `stacks/${key}/cdk.tf.json`
  ) {
    throw refuse(`must have the stack ${quoted} in \`stacks/${key}\``);
  }
  return entry;
}

/** Finds the stack that another depends on: a synthesis writes its path among the constructs. */
function nameAt(path: string, dependent: string, entries: readonly Entry[], refuse: Refuse) {
  const found =
    entries.find(({ name }) => path === name) ??
    entries.find(({ constructPath }) => path === constructPath);
  if (found !== undefined) return found.name;
  const [other, one] = [path, dependent].map((text) => JSON.stringify(text));
  throw refuse(`must name every stack that another depends on, not ${other} of ${one} alone`);
}
