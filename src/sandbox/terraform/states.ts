import { createHash } from 'node:crypto';
import { join, resolve, sep } from 'node:path';
import type { Block } from '../../reach/read/merge-files.js';
import { isObject, type JsonObject, readText } from '../json.js';

/** A backend, or another stack's that `terraform_remote_state` reads. */
interface Backend {
  readonly type: string;
  readonly config: JsonObject;
}

/**
 * The file in which a stack keeps its state in a sandbox: that of its own local backend where this is
 * in the sandbox already, else one that is named for the backend, so that a stack which reads the
 * state of another one finds it. A stack that names no whole backend has one for its folder.
 */
export function stateOf(
  blocks: readonly Block[],
  stackFolder: string,
  terraformFolder: string,
): string {
  const { backend, cloud } = blocks.find(({ kind }) => kind === 'terraform')?.body ?? {};
  const [named] = Object.entries(firstObject(backend));
  const found =
    cloud !== undefined
      ? { type: 'cloud', config: firstObject(cloud) }
      : { type: named?.[0] ?? 'local', config: firstObject(named?.[1]) };
  return stateIdentity(found, stackFolder, terraformFolder);
}

export function stateReadBy(source: JsonObject, stackFolder: string, terraformFolder: string) {
  const backend = { type: readText(source, 'backend'), config: firstObject(source.config) };
  return stateIdentity(backend, stackFolder, terraformFolder);
}

function stateIdentity({ type, config }: Backend, folder: string, terraformFolder: string): string {
  if (type === 'local') {
    const path = resolve(folder, readText(config, 'path') || 'terraform.tfstate');
    if (path.startsWith(`${terraformFolder}${sep}`)) return path;
    return join(terraformFolder, 'states', `${digest(path)}.tfstate`);
  }
  // An empty block is filled in by the command line, differently for each folder.
  const name = Object.keys(config).length === 0 ? [type, folder] : [type, sorted(config)];
  return join(terraformFolder, 'states', `${digest(JSON.stringify(name))}.tfstate`);
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** JSON configuration may write a block as itself or as an array of one. */
function firstObject(block: unknown): JsonObject {
  const one: unknown = Array.isArray(block) ? block[0] : block;
  return isObject(one) ? one : {};
}

function sorted(config: JsonObject): [string, unknown][] {
  return Object.entries(config)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
