import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { shellWord } from '../../files/escape.js';
import { makeFolder } from '../../files/whole-file.js';
import { INTENTS_FILE } from '../../intents/tree-file.js';
import { isMoreConfiguration } from '../../terraform/configuration-files.js';

const MANIFEST = 'manifest.json';
const STACKS = 'stacks';

/**
 * Writes a tree of synthesized stacks, whole or not at all. Files that Terraform keeps beside a stack stay.
 *
 * @returns the names of the stacks
 * @throws ConnectivityError `usage.invalid` where it holds what is not ours
 */
export function writeTree(out: string, make: (draft: string) => Promise<void>): Promise<string[]> {
  return inDraft(out, {
    make,
    requireOwn: (path) => requireOwn(path, out),
    replace: (path, draft) => replace(path, draft, out),
  });
}

interface Steps<T> {
  /** @throws ConnectivityError where the folder holds what is not ours */
  readonly requireOwn: (path: string) => void;
  readonly make: (draft: string) => Promise<void>;
  /** Puts the content of the draft into the folder, which may be there already. */
  readonly replace: (path: string, draft: string) => T;
}

/** Makes the content of a folder in a draft beside it, so that a run that fails changes nothing. */
export async function inDraft<T>(out: string, { requireOwn, make, replace }: Steps<T>): Promise<T> {
  const asked = resolve(out);
  const made = makeFolder(dirname(asked));
  const parent = realpathSync(dirname(asked));
  const path = join(parent, basename(asked));
  let draft: string | undefined;
  try {
    requireOwn(path);
    draft = makeDraft(parent, basename(path));
    await make(draft);
    return replace(path, draft);
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    if (made !== undefined && !existsSync(path)) rmSync(made, { recursive: true, force: true });
  }
}

/** A run takes seconds: an older draft is of a run that was killed. */
const DRAFT_ENDS_MS = 600_000;

/** Relative paths in the stacks lead from the draft where they will lead from the folder itself. */
function makeDraft(parent: string, name: string): string {
  for (const entry of readdirSync(parent)) {
    const isDraft =
      entry.startsWith(`${name}.`) && /^[0-9a-f]{12}\.part$/.test(entry.slice(name.length + 1));
    if (!isDraft) continue;
    const path = join(parent, entry);
    const age = Date.now() - lstatSync(path).mtimeMs;
    if (age > DRAFT_ENDS_MS) rmSync(path, { recursive: true, force: true });
  }
  const draft = join(parent, `${name}.${randomBytes(6).toString('hex')}.part`);
  mkdirSync(draft);
  return draft;
}

function requireOwn(path: string, out: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw refused(out, 'which is not a folder');
  const foreign = [
    ...readdirSync(path).filter((entry) => entry !== MANIFEST && entry !== STACKS),
    ...stacksIn(path).flatMap((stack) => foreignIn(path, join(STACKS, stack))),
  ];
  if (foreign[0] !== undefined) throw refused(out, `which holds ${foreign[0]}`);
}

function foreignIn(tree: string, stack: string): string[] {
  const folder = join(tree, stack);
  if (!lstatSync(folder).isDirectory()) return [stack];
  return readdirSync(folder)
    .filter(isMoreConfiguration)
    .map((file) => join(stack, file));
}

function stacksIn(tree: string): string[] {
  const folder = join(tree, STACKS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).sort();
}

function replace(path: string, draft: string, out: string): string[] {
  const names = stacksIn(draft);
  if (!existsSync(path)) {
    renameSync(draft, path);
    return names;
  }
  const [gone] = stacksIn(path).filter((name) => !names.includes(name));
  if (gone !== undefined) {
    const folder = shellWord(join(out, STACKS, gone));
    throw refused(
      out,
      `which holds the stack ${gone}, and the settings no longer name it; destroy what it has deployed (terraform -chdir=${folder} destroy), remove ${folder}, and run this again`,
    );
  }
  const folders = names.map((name) => join(STACKS, name));
  for (const folder of folders) mkdirSync(join(path, folder), { recursive: true });
  for (const folder of folders) {
    rmSync(join(path, folder, INTENTS_FILE), { force: true });
    for (const file of readdirSync(join(draft, folder))) {
      renameSync(join(draft, folder, file), join(path, folder, file));
    }
  }
  renameSync(join(draft, MANIFEST), join(path, MANIFEST));
  return names;
}

function refused(out: string, why: string): ConnectivityError {
  return usageError(
    `\`--out\` must be a new folder, or one that this command wrote, got: "${out}", ${why}`,
  );
}
