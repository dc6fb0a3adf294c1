import { notATree } from '../../terraform/tree-files.js';
import { type Json, list, object } from './json.js';

/** A file of a stack's folder. */
interface ConfigurationFile {
  readonly path: string;
  readonly json: unknown;
  /** Its arguments take the place of those in the other files. */
  readonly isOverride: boolean;
}

/** Blocks by their Terraform address: `resource` `a.b`, `provider.null`, `terraform.backend.s3`. */
export type StackBlocks = ReadonlyMap<string, Block>;

export interface Block {
  /** The word that it begins with: `resource`, `data`, `output`, `terraform`. */
  readonly kind: string;
  /** The names after the word; none for `terraform`. */
  readonly labels: readonly string[];
  readonly body: Json;
}

/**
 * The number of names after each word; of a word that is not listed, one block is everything under
 * it.
 */
const LABELS: Readonly<Record<string, number>> = {
  resource: 2,
  data: 2,
  ephemeral: 2,
  provider: 1,
  variable: 1,
  output: 1,
  module: 1,
  check: 1,
};

/** Blocks of which several can have the same name: each is separate. */
const REPEATED = new Set(['provider', 'moved', 'removed', 'import']);

/** Blocks whose arguments may be spread over several of them. */
const JOINED = new Set(['terraform', 'locals', '//']);

/**
 * Joins the files as Terraform does: objects and lists of objects mean the same, and the arguments of
 * an override file take the place of those that they name.
 *
 * @throws ConnectivityError `usage.invalid` where two files declare the same, or an override nothing
 */
export function mergeFiles(files: readonly ConfigurationFile[], option: string): StackBlocks {
  const all = new Map<string, Block>();
  for (const file of files.filter(({ isOverride }) => !isOverride)) {
    for (const block of readBlocks(file, option)) {
      const key = blockKey(block, all);
      const known = all.get(key);
      if (known !== undefined && !JOINED.has(block.kind)) {
        throw notATree(option, file.path, `must declare \`${key}\` once only`);
      }
      all.set(key, known === undefined ? block : join(known, block, file, option));
    }
  }
  for (const file of files.filter(({ isOverride }) => isOverride)) {
    for (const block of readBlocks(file, option)) {
      const key = [block.kind, ...block.labels].join('.');
      const known = all.get(key);
      if (known === undefined && !['locals', 'terraform', 'provider'].includes(block.kind)) {
        throw notATree(option, file.path, `must override what is declared, not \`${key}\``);
      }
      all.set(key, { ...block, body: override(known?.body ?? {}, block.body) });
    }
  }
  return all;
}

function blockKey({ kind, labels }: Block, all: StackBlocks): string {
  const key = [kind, ...labels].join('.');
  if (!REPEATED.has(kind) || !all.has(key)) return key;
  let count = 2;
  while (all.has(`${key}#${count}`)) count += 1;
  return `${key}#${count}`;
}

function join(known: Block, more: Block, file: ConfigurationFile, option: string): Block {
  const twice = Object.keys(more.body).find(
    (name) => Object.hasOwn(known.body, name) && known.kind !== '//',
  );
  if (twice !== undefined) {
    throw notATree(option, file.path, `must declare \`${known.kind}.${twice}\` once only`);
  }
  return { ...known, body: { ...known.body, ...more.body } };
}

function override(known: Json, more: Json): Json {
  const lifecycle = { ...object(known.lifecycle), ...object(more.lifecycle) };
  return { ...known, ...more, ...(Object.keys(lifecycle).length > 0 && { lifecycle }) };
}

function readBlocks({ json, path }: ConfigurationFile, option: string): Block[] {
  return Object.entries(object(json)).flatMap(([kind, value]) => unfold(kind, [], value));

  function unfold(kind: string, labels: readonly string[], value: unknown): Block[] {
    if (Array.isArray(value) && value.length > 0) {
      return value.flatMap((member: unknown) => unfold(kind, labels, member));
    }
    if (kind === '//') return [{ kind, labels, body: {} }];
    const place = [kind, ...labels].join('.');
    if (object(value) !== value)
      throw notATree(option, path, `must hold an object in \`${place}\``);
    if (labels.length === (LABELS[kind] ?? 0)) {
      return [{ kind, labels, body: readBody(object(value), place) }];
    }
    const known = Object.keys(object(value)).find((name) => name in Object.prototype);
    if (known !== undefined) {
      throw notATree(option, path, `must hold names of its own in \`${place}\`, not "${known}"`);
    }
    return Object.entries(object(value))
      .filter(([name]) => name !== '//')
      .flatMap(([name, inner]) => unfold(kind, [...labels, name], inner));
  }

  /** Terraform takes a life cycle in a list as well, and refuses more than one. */
  function readBody(body: Json, place: string): Json {
    if (!/^(?:resource|data|ephemeral)\./.test(place)) return body;
    const [lifecycle = {}, ...more] = list(body.lifecycle);
    if (object(lifecycle) !== lifecycle || more.length > 0) {
      throw notATree(option, path, `must hold one object in \`${place}.lifecycle\``);
    }
    return Array.isArray(body.lifecycle) ? { ...body, lifecycle } : body;
  }
}
