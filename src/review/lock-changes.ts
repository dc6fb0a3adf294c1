import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../files/bounded-read.js';
import { LOCK_FILE } from '../terraform/tree-digest.js';

/** A provider as a lock file fixes it. */
interface Locked {
  readonly version: string;
  readonly hashes: ReadonlySet<string>;
}

/**
 * Says of each stack's lock file which providers it fixes in another way than before. What it has
 * besides is compared as a file that is not read.
 *
 * @param names the stacks that both trees have
 */
export function lockChanges(base: string, head: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const [before, after] = [base, head].map((tree) => readLock(join(tree, 'stacks', name)));
    if (before === undefined || after === undefined) return [];
    const providers = [...new Set([...before.keys(), ...after.keys()])].sort();
    return providers.flatMap((provider) => {
      const change = describe(before.get(provider), after.get(provider));
      return change === undefined ? [] : [`${name}: the lock file has ${provider} ${change}.`];
    });
  });
}

/** @returns undefined where there is none, or only a link, which is not followed */
function readLock(folder: string): ReadonlyMap<string, Locked> | undefined {
  const file = join(folder, LOCK_FILE);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const text = readBounded(file, { within: folder }).toString('utf8');
  const blocks = [...text.matchAll(/^provider "([\w./-]+)" \{\n(.*?)^\}/gms)];
  return new Map(
    blocks.map(([, source = '', body = '']) => [
      source.replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, ''),
      {
        version: /^ *version *= *"([\w.+-]+)"/m.exec(body)?.[1] ?? '(no version)',
        hashes: new Set([...body.matchAll(/"((?:h1|zh):[^"\n]+)"/g)].map(([, hash = '']) => hash)),
      },
    ]),
  );
}

function describe(before: Locked | undefined, after: Locked | undefined): string | undefined {
  if (after === undefined) return `no longer, which was ${before?.version}`;
  if (before === undefined) return `${after.version}, which it did not have`;
  if (before.version !== after.version) return `${after.version} in place of ${before.version}`;
  const added = countMissing(after.hashes, before.hashes);
  const removed = countMissing(before.hashes, after.hashes);
  if (added + removed === 0) return undefined;
  return `${after.version} as before, with other hashes: ${added} added, ${removed} removed`;
}

/** Counts the hashes of one that the other lacks: another platform adds some, and other bytes change them. */
function countMissing(of: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...of].filter((hash) => !other.has(hash)).length;
}
